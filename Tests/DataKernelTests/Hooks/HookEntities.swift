import DataKernel
import Foundation

/// Code of the program's own that the kernel calls.
enum TestedHook: String, CaseIterable {
    case willSave, awakeFromInsert, prepareForDeletion
    case validate, awakeFromFetch
    case encoding, decoding, binding, reading, observer, ending, trace
    case initialising, forEach
}

/// What a hook does while a test runs: the test says for which hook, and it is done once.
///
/// Proof of `@unchecked Sendable`: a test and the hooks that it provokes run on one thread.
final class Inside: @unchecked Sendable {
    @TaskLocal static var current: Inside?

    private let hook: TestedHook
    private let body: () -> Void
    private var isArmed = false
    private(set) var isDone = false

    init(_ hook: TestedHook, _ body: @escaping () -> Void) {
        self.hook = hook
        self.body = body
    }

    func arm() { isArmed = true }

    /// Called by every hook.
    static func call(_ hook: TestedHook) {
        guard let current, current.hook == hook, current.isArmed, !current.isDone else { return }
        current.isDone = true
        current.body()
    }
}

/// A Codable value whose own code is called.
struct HookedJSON: Codable, AttributeValue {
    var number = 0

    init(number: Int = 0) { self.number = number }

    init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int.self)
        Inside.call(.decoding)
    }

    func encode(to encoder: any Encoder) throws {
        Inside.call(.encoding)
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

/// A value with a conversion of its own.
struct HookedValue: AttributeValue {
    var number: Int64 = 0

    static var storageClass: StorageClass { .integer }

    init(number: Int64 = 0) { self.number = number }

    init(row: Row, attribute: Int) throws {
        number = try row.integer(attribute)
        Inside.call(.reading)
    }

    func bind(to binder: Binder) throws {
        Inside.call(.binding)
        binder.bind(integer: number)
    }
}

@Entity(observable: true)
final class Hooked {
    @Attribute(.primaryKey) var name = ""
    var number = 0
    var json = HookedJSON()
    var value = HookedValue()
    @Relationship(inverse: "items") var box: HookBox?

    init() { Inside.call(.initialising) }
    deinit { Inside.call(.ending) }

    func awakeFromInsert() { Inside.call(.awakeFromInsert) }
    func awakeFromFetch() { Inside.call(.awakeFromFetch) }
    func willSave() { Inside.call(.willSave) }
    func validate() throws { Inside.call(.validate) }
    func prepareForDeletion() { Inside.call(.prepareForDeletion) }
}

@Entity
final class HookBox {
    @Attribute(.primaryKey) var name = ""
    var count = 0
    @Relationship(inverse: "box") var items: [Hooked]
}

/// An entity without hooks.
@Entity
final class HookNote {
    @Attribute(.primaryKey) var text = ""
}
