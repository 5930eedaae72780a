public import DataKernel
public import Foundation

// The classes that EntityMacroTests looks at: one for each way in which a class can be written.

@Entity(unique: [["mark", "year"]], indexes: [["year", "mark"]])
final class MacroCar {
    @Attribute(.primaryKey) var model = ""
    @Attribute(.indexed, originalName: "brand") var mark: String?
    var year = 0
    @Transient var badge: String? = "new"
    var title: String { "\(mark ?? "?") \(model)" }
    static let made = 7
}

enum MacroFuel: String, AttributeValue { case petrol, electric }
struct MacroAddress: Codable, Equatable, AttributeValue { var street = "", city = "" }

@Entity("Everything")
public final class MacroEverything {
    public var bool = true
    public var int = 1
    public var int8: Int8 = 8
    public var int16: Int16 = 16
    public var int32: Int32 = 32
    public var int64: Int64 = 64
    public var uint: UInt = 1
    public var uint8: UInt8 = 8
    public var uint16: UInt16 = 16
    public var uint32: UInt32 = 32
    public var uint64: UInt64 = 64
    public var float: Float = 0.5
    public var double = 0.25
    public var decimal: Decimal = 12.5
    public var string = "text"
    public var data = Data([1, 2])
    public var date = Date(timeIntervalSinceReferenceDate: 0.1)
    public var uuid = UUID()
    public var url: URL? = URL(string: "https://example.org/a?b")
    fileprivate(set) var fuel = MacroFuel.electric
    var address: MacroAddress? = MacroAddress(street: "A", city: "B")
    var list = [1, 2, 3]
    var names: Set<String> = ["a"]
    var scores: [String: Int] = ["a": 1]
    var implicit: String!
    var none: Double?
}

/// Counts how often initial values are evaluated. For one task at a time.
final class MacroCounter: @unchecked Sendable {
    var count = 0
    @TaskLocal static var current = MacroCounter()
    static func next() -> Int {
        current.count += 1
        return current.count
    }
}

@Entity
package final class MacroInits {
    package var number = MacroCounter.next()
    package var name = Self.standardName
    var fromInit = false
    static let standardName = "standard"

    package init() { fromInit = true }
    package init(name: String) { self.name = name }
    convenience init(number: Int) {
        self.init(name: "\(number)")
        self.number = number
    }
}

enum MacroOuter {
    @Entity
    final class Inner: Hashable, CustomStringConvertible {
        // Names that the generated code uses too, and names that need backticks.
        var row = 1
        var binder = ""
        var attribute: Int?
        var old = 1
        var `class` = "c"
        var `init` = 1
        var `self`: String?
        var `in` = Kind.second
        private(set) var hidden = 5
        var text = "a }\" \("b".count) {"

        enum Kind: Int, AttributeValue { case first, second }

        func hide() { hidden = 6 }
        static func == (left: Inner, right: Inner) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
        var description: String { binder }
    }
}

private struct MacroSecret: Codable, AttributeValue { var word = "x" }

@Entity
private final class MacroPrivate {
    private var secret = MacroSecret()
    var word: String {
        get { secret.word }
        set { secret.word = newValue }
    }
}

@Entity(observable: true)
public final class MacroObserved {
    @Attribute(.unique) public var name = ""
    public var count = 0
    @Transient public var note = ""
}

/// What a private class can do, for the tests in the other file.
func wordOfPrivateEntity(setting word: String) throws -> (String, [String]) {
    let object = MacroPrivate()
    object.word = word
    return (try MacroPrivate(row: TestRow(of: object)).word, MacroPrivate.entity.attributes.map(\.name))
}
