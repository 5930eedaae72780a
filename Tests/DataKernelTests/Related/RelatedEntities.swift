import DataKernel
import Foundation

// Entities with a relationship of each kind. Their properties are stored, so that Swift itself can say for which of
// them a condition holds; the store has the same by ``RelatedStore``.

/// What a conformance needs that is only queried.
protocol QueriedEntity: Entity {}

extension QueriedEntity {
    static var pk: String? { nil }
    func kernelLoad(_ row: Row) throws {}
    func kernelBind(_ attribute: Int, to binder: Binder) throws {}
    func kernelChanges() -> AttributeSet { AttributeSet() }
    func kernelRevert() {}
}

final class Auto: QueriedEntity {
    var name = ""
    var year: Int?
    var price: Decimal = 0
    var owner: Human?
    var maker = Firm()
    /// One-to-one; the key is here.
    var motor: Motor?
    /// Ordered.
    var tyres: [Rim] = []
    /// Many-to-many.
    var tags: [Tag] = []
    /// Not in the description.
    var borrower: Human?
    var borrowers: [Human] = []

    static let entity = EntityDescription(Auto.self, name: "Auto") { entity in
        entity.attribute("name", \Auto.name)
        entity.attribute("year", \Auto.year)
        entity.attribute("price", \Auto.price)
        entity.relationship("owner", \Auto.owner, inverse: \Human.autos)
        entity.relationship("maker", \Auto.maker)
        entity.relationship("motor", \Auto.motor, inverse: \Motor.auto)
        entity.relationship("tyres", \Auto.tyres, inverse: \Rim.auto, ordered: true)
        entity.relationship("tags", \Auto.tags, inverse: \Tag.autos)
    }
    let kernelState = KernelState()
    init() {}
    init(row: Row) throws {}
}

final class Human: QueriedEntity {
    var name = ""
    var age: Int?
    var town: Town?
    var boss: Human?
    var autos: [Auto] = []
    /// Both ends are one relationship.
    var friends: [Human] = []
    /// One way, in an order of its own.
    var wishes: [Auto] = []

    static let entity = EntityDescription(Human.self, name: "Human") { entity in
        entity.attribute("name", \Human.name, .indexed)
        entity.attribute("age", \Human.age)
        entity.relationship("town", \Human.town, inverse: \Town.humans)
        entity.relationship("boss", \Human.boss)
        entity.relationship("autos", \Human.autos, inverse: \Auto.owner)
        entity.relationship("friends", \Human.friends, inverse: \Human.friends)
        entity.relationship("wishes", \Human.wishes, ordered: true)
    }
    let kernelState = KernelState()
    init() {}
    init(row: Row) throws {}
}

final class Town: QueriedEntity {
    var name = ""
    var humans: [Human] = []

    static let entity = EntityDescription(Town.self, name: "Town") { entity in
        entity.attribute("name", \Town.name)
        entity.relationship("humans", \Town.humans, inverse: \Human.town)
    }
    let kernelState = KernelState()
    init() {}
    init(row: Row) throws {}
}

final class Firm: QueriedEntity {
    var name = ""

    static let entity = EntityDescription(Firm.self, name: "Firm") { entity in
        entity.attribute("name", \Firm.name)
    }
    let kernelState = KernelState()
    init() {}
    init(row: Row) throws {}
}

final class Motor: QueriedEntity {
    var power = 0
    /// The other end of the one-to-one relationship, without a column.
    var auto: Auto?

    static let entity = EntityDescription(Motor.self, name: "Motor") { entity in
        entity.attribute("power", \Motor.power)
        entity.relationship("auto", \Motor.auto, inverse: \Auto.motor)
    }
    let kernelState = KernelState()
    init() {}
    init(row: Row) throws {}
}

final class Rim: QueriedEntity {
    var worn = false
    var auto: Auto?

    static let entity = EntityDescription(Rim.self, name: "Rim") { entity in
        entity.attribute("worn", \Rim.worn)
        entity.relationship("auto", \Rim.auto, inverse: \Auto.tyres)
    }
    let kernelState = KernelState()
    init() {}
    init(row: Row) throws {}
}

final class Tag: QueriedEntity {
    var name = ""
    var autos: [Auto] = []

    static let entity = EntityDescription(Tag.self, name: "Tag") { entity in
        entity.attribute("name", \Tag.name)
        entity.relationship("autos", \Tag.autos, inverse: \Auto.tags)
    }
    let kernelState = KernelState()
    init() {}
    init(row: Row) throws {}
}
