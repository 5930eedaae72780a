import DataKernel
import DataKernelTesting
import Foundation

// Entities with every kind of relationship.

@Entity
final class Owner {
    @Attribute(.primaryKey) var name = ""
    @Relationship(.nullify, inverse: "owner") var vehicles: [Vehicle]
    @Relationship(.cascade, inverse: "resident") var home: Home?
    @Relationship(.nullify, inverse: "friends") var friends: [Owner]
    @Relationship(.nullify, inverse: "partner") var partner: Owner?
}

@Entity
final class Vehicle {
    @Attribute(.primaryKey) var model = ""
    var year = 0
    @Relationship(.nullify, inverse: "vehicles") var owner: Owner?
    @Relationship(.cascade, inverse: "vehicle", ordered: true) var tyres: [Tyre]
    @Relationship(.nullify, inverse: "vehicles") var labels: [Label]
    @Relationship(.deny, inverse: "vehicle") var leases: [Lease]
    /// One way: the maker knows nothing of it.
    @Relationship var maker: Maker?
    @Relationship var extras: [Maker]
}

@Entity
final class Tyre {
    var serial = 0
    @Relationship(inverse: "tyres") var vehicle: Vehicle?
}

@Entity
final class Label {
    @Attribute(.primaryKey) var text = ""
    @Relationship(.nullify, inverse: "labels") var vehicles: [Vehicle]
}

@Entity
final class Home {
    var street = ""
    /// Removing a home takes its resident along: a rule on the side that may hold the key.
    @Relationship(.cascade, inverse: "home") var resident: Owner?
}

@Entity
final class Lease {
    var months = 12
    @Relationship(.nullify, inverse: "leases") var vehicle: Vehicle
}

@Entity
final class Maker {
    @Attribute(.primaryKey) var name = ""
}

/// A chain, a tree, a cycle: whatever the test makes of it.
@Entity
final class Link {
    var number = 0
    @Relationship(.cascade, inverse: "parent") var children: [Link]
    @Relationship(.nullify, inverse: "children") var parent: Link?
}

var graphModel: [any Entity.Type] {
    [Owner.self, Vehicle.self, Tyre.self, Label.self, Home.self, Lease.self, Maker.self, Link.self]
}

func graph(_ options: StorageOptions = StorageOptions(durability: .normal)) throws -> SQLiteStorage {
    try SQLiteStorage(store: .memory, model: graphModel, options: options)
}

extension SQLiteStorage {
    /// A unit that saves at its end.
    @discardableResult
    func unit<R>(_ body: (any Context) throws -> sending R) throws -> sending R {
        nonisolated(unsafe) let body = body
        return try perform(ephemeral: true) { context, save in
            let result = try body(context)
            try save()
            return result
        }
    }
}
