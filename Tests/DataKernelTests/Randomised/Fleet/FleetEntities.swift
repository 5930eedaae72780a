import DataKernel

// Four entities that have, between them, every kind of relationship and every rule.

@Entity
final class Port {
    @Attribute(.primaryKey) var name = ""
    var size = 0
    @Relationship(.nullify, inverse: "port") var ships: [Ship]
    /// A tree.
    @Relationship(.cascade, inverse: "parent") var children: [Port]
    @Relationship(.nullify, inverse: "children") var parent: Port?
    @Relationship(.nullify, inverse: "calls") var callers: [Ship]
    @Relationship(.deny, inverse: "home") var natives: [Sailor]
    @Relationship(.noAction, inverse: "depot") var stock: [Crate]
}

@Entity
final class Ship {
    @Attribute(.primaryKey) var name = ""
    var size = 0
    @Relationship(.nullify, inverse: "ships") var port: Port?
    @Relationship(.cascade, inverse: "ship", ordered: true) var crates: [Crate]
    /// Ordered at one end of many to many.
    @Relationship(.nullify, inverse: "callers", ordered: true) var calls: [Port]
    /// One to one; the key stands at the other end.
    @Relationship(.nullify, inverse: "command") var captain: Sailor?
    /// A rule at the end that has the key: a ship takes its tender along.
    @Relationship(.cascade, inverse: "mothers") var tender: Ship?
    @Relationship(.nullify, inverse: "tender") var mothers: [Ship]
    // One way.
    @Relationship var flag: Port?
    @Relationship var stops: [Port]
}

@Entity
final class Sailor {
    @Attribute(.primaryKey) var name = ""
    var size = 0
    @Relationship(.nullify, inverse: "natives") var home: Port?
    @Relationship(.nullify, inverse: "captain") var command: Ship?
    // Each its own inverse.
    @Relationship(inverse: "friends") var friends: [Sailor]
    @Relationship(inverse: "partner") var partner: Sailor?
    /// A crate cannot be without its owner, so that to nullify is to deny.
    @Relationship(.nullify, inverse: "owner") var goods: [Crate]
    /// Many to many, and what one of them handles goes with them.
    @Relationship(.cascade, inverse: "handlers") var handled: [Crate]
    @Relationship(.deny, inverse: "pupils") var mentor: Sailor?
    @Relationship(inverse: "mentor") var pupils: [Sailor]
    // One way.
    @Relationship(ordered: true) var wishes: [Ship]
    @Relationship var birthplace: Port
}

@Entity
final class Crate {
    @Attribute(.primaryKey) var name = ""
    var size = 0
    @Relationship(inverse: "crates") var ship: Ship?
    @Relationship(inverse: "goods") var owner: Sailor
    @Relationship(inverse: "stock") var depot: Port?
    @Relationship(inverse: "handled") var handlers: [Sailor]
    /// One way, with a rule.
    @Relationship(.cascade) var twin: Crate?
}

/// What the random test does with objects of all four.
protocol FleetEntity: Entity {
    var name: String { get set }
    var size: Int { get set }
    static var kind: Kind { get }
}

enum Kind: Int, CaseIterable, Comparable {
    case port, ship, sailor, crate

    var type: any FleetEntity.Type { [Port.self, Ship.self, Sailor.self, Crate.self][rawValue] }
    var table: String { ["Port", "Ship", "Sailor", "Crate"][rawValue] }
    var relations: [Relation] { Relation.all[rawValue] }
    static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
}

extension Port: FleetEntity { static var kind: Kind { .port } }
extension Ship: FleetEntity { static var kind: Kind { .ship } }
extension Sailor: FleetEntity { static var kind: Kind { .sailor } }
extension Crate: FleetEntity { static var kind: Kind { .crate } }
