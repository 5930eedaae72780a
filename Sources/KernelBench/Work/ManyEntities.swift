import DataKernel
import Foundation
import Synchronization

/// 300 entity classes without the compiler having to see 300: each triple of digits makes one of ``Wide``.
enum ManyEntities {
    static var all: [any Entity.Type] {
        let digits: [any Digit.Type] = [
            Digit0.self, Digit1.self, Digit2.self, Digit3.self, Digit4.self, Digit5.self, Digit6.self, Digit7.self,
            Digit8.self, Digit9.self,
        ]
        var all: [any Entity.Type] = []
        for hundreds in digits.prefix(3) {
            for tens in digits { for ones in digits { all.append(wide(hundreds, tens, ones)) } }
        }
        return all
    }

    private static func wide<A: Digit, B: Digit, C: Digit>(
        _ hundreds: A.Type, _ tens: B.Type, _ ones: C.Type
    ) -> any Entity.Type { Wide<A, B, C>.self }
}

protocol Digit { static var name: String { get } }
enum Digit0: Digit { static let name = "0" }
enum Digit1: Digit { static let name = "1" }
enum Digit2: Digit { static let name = "2" }
enum Digit3: Digit { static let name = "3" }
enum Digit4: Digit { static let name = "4" }
enum Digit5: Digit { static let name = "5" }
enum Digit6: Digit { static let name = "6" }
enum Digit7: Digit { static let name = "7" }
enum Digit8: Digit { static let name = "8" }
enum Digit9: Digit { static let name = "9" }

/// An entity that is only opened. It conforms by hand, because the macro describes no generic class: one description
/// for each set of arguments has to be kept.
final class Wide<A: Digit, B: Digit, C: Digit>: Entity {
    var key = ""
    var title = ""
    var note: String?
    var count = 0
    var price = 0.0
    var madeAt: Date?

    static var entity: EntityDescription {
        Descriptions.of(Wide.self) {
            EntityDescription(Wide.self, name: "Wide\(A.name)\(B.name)\(C.name)") { entity in
                entity.attribute("key", \Wide.key, .primaryKey)
                entity.attribute("title", \Wide.title, .indexed)
                entity.attribute("note", \Wide.note)
                entity.attribute("count", \Wide.count)
                entity.attribute("price", \Wide.price)
                entity.attribute("madeAt", \Wide.madeAt)
            }
        }
    }
    static var pk: String? { "key" }

    let kernelState = KernelState()
    init() {}
    init(row: Row) throws { kernelState.take(row) }
    func kernelLoad(_ row: Row) throws {}
    func kernelBind(_ attribute: Int, to binder: Binder) throws { binder.bindNull() }
    func kernelTakeKey(_ row: Row) throws { key = try row.value(0) }
    func kernelChanges() -> AttributeSet { AttributeSet() }
    func kernelRevert() {}
}

/// The descriptions of generic classes, which have no stored type properties to keep them in.
private enum Descriptions {
    private static let known = Mutex<[ObjectIdentifier: EntityDescription]>([:])

    static func of(_ type: Any.Type, _ make: () -> EntityDescription) -> EntityDescription {
        let id = ObjectIdentifier(type)
        if let description = known.withLock({ $0[id] }) { return description }
        let description = make()
        return known.withLock { known in
            // Another thread's was there first: there must be one only.
            if let other = known[id] { return other }
            known[id] = description
            return description
        }
    }
}
