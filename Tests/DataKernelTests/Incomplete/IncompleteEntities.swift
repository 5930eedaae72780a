import DataKernel

// Entities that need others.

@Entity
final class Trader {
    @Attribute(.primaryKey) var name = ""
    @Relationship(.cascade, inverse: "sender") var sent: [Waybill]
    @Relationship(inverse: "receiver", ordered: true) var received: [Waybill]
}

@Entity
final class Waybill {
    @Attribute(.primaryKey) var number = ""
    @Attribute(.range(0...1000)) var weight = 0.0
    @Relationship(inverse: "sent") var sender: Trader
    @Relationship(inverse: "received") var receiver: Trader
    @Relationship(.cascade, inverse: "waybill") var stamps: [Stamp]
    @Relationship(inverse: "waybills") var scribes: [Scribe]
}

@Entity
final class Stamp {
    @Attribute(.primaryKey) var text = ""
    @Relationship(inverse: "stamps") var waybill: Waybill
    /// A stamp on a stamp, and so on.
    @Relationship var under: Stamp?
}

@Entity
final class Scribe {
    @Attribute(.primaryKey) var name = ""
    @Relationship(inverse: "scribes") var waybills: [Waybill]
}

/// Each needs the next: a line that ends nowhere, or a ring.
@Entity
final class Bead {
    @Attribute(.primaryKey) var number = 0
    @Relationship var next: Bead
    @Relationship var trader: Trader?
}

func office() throws -> SQLiteStorage {
    try SQLiteStorage(
        store: .memory, model: [Trader.self, Waybill.self, Stamp.self, Scribe.self, Bead.self],
        options: StorageOptions(durability: .normal))
}
