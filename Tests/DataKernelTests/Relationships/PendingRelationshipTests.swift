@testable import DataKernel
import Testing

/// Faults that the random test found: relationships between flushes, removals and transactions that are lost.
@Suite("Relationships that are not saved yet")
struct PendingRelationshipTests {
    private func fleet() throws -> SQLiteStorage {
        let storage = try SQLiteStorage(
            store: .memory, model: Kind.allCases.map(\.type), options: StorageOptions(durability: .normal))
        try storage.unit { context in
            let port = try context.acquire(Port.self, "Home")
            for name in ["Ann", "Bob", "Cid"] { try context.acquire(Sailor.self, name).birthplace = port }
            for name in ["S", "T", "U"] { _ = try context.acquire(Ship.self, name) }
        }
        return storage
    }

    private func crate(_ name: String, _ context: any Context) throws -> Crate {
        let crate = try context.acquire(Crate.self, name)
        if crate.isInserted { crate.owner = try context.acquire("Ann") }
        return crate
    }

    @Test("a new object without its required relationship is there at the other ends, loaded before or after")
    func incomplete() throws {
        let storage = try fleet()
        try storage.perform(ephemeral: true) { context, save in
            let ship = try context.acquire(Ship.self, "S")
            let bob = try context.acquire(Sailor.self, "Bob")
            let crate: Crate = try context.create()
            crate.name = "new"
            crate.ship = ship
            crate.handlers = [bob]
            #expect(ship.crates.count == 1 && ship.crates.first === crate)
            #expect(bob.handled.count == 1 && bob.handled.first === crate)
            bob.handled.append(crate)
            #expect(crate.handlers.count == 1)
            crate.owner = bob
            try save()
        }
    }

    @Test("an order is kept that was made while a member lacked a required relationship")
    func incompleteOrder() throws {
        let storage = try fleet()
        try storage.unit { context in
            let ship = try context.acquire(Ship.self, "S")
            ship.crates = [try crate("1", context), try crate("2", context)]
        }
        try storage.unit { context in
            let ship = try context.acquire(Ship.self, "S")
            let crate: Crate = try context.create()
            crate.name = "0"
            ship.crates.insert(crate, at: 0)
            _ = try context.count(Request<Ship>())
            crate.owner = try context.acquire("Ann")
        }
        #expect(try storage.read { try $0.fetch(Request<Ship>())[0].crates.map(\.name) } == ["0", "1", "2"])
    }

    @Test("an order that was made before a context knew the objects is kept, whichever of them it takes in first")
    func detachedOrder() throws {
        let storage = try fleet()
        try storage.unit { context in
            let (first, second, ship, sailor) = (Port(), Port(), Ship(), Sailor())
            (first.name, second.name, ship.name, sailor.name) = ("1", "2", "new", "Dan")
            ship.port = second
            first.natives = [sailor]
            ship.calls = [first, second]
            try context.insert(sailor)
            sailor.birthplace = first
            #expect(ship.calls.map(\.name) == ["1", "2"])
        }
        let calls = try storage.read {
            try $0.first(Request<Ship>().filter("name", equalTo: "new"))?.calls.map(\.name)
        }
        #expect(calls == ["1", "2"])
    }

    @Test("what is set again from the other end keeps its place in an order, before and after a context knows it")
    func setAgain() throws {
        func setAgain(_ ship: Ship, _ ports: [Port], _ crates: [Crate]) {
            ship.calls = ports
            ship.crates = crates
            ports[0].callers = [ship]
            crates[0].ship = ship
            #expect(ship.calls.map(\.name) == ["1", "2"])
            #expect(ship.crates.map(\.name) == ["a", "b"])
        }
        let storage = try fleet()
        try storage.unit { context in
            let (ship, other, ports, crates) = (Ship(), Ship(), [Port(), Port()], [Crate(), Crate()])
            (ship.name, other.name, ports[0].name, ports[1].name) = ("new", "other", "1", "2")
            (crates[0].name, crates[1].name) = ("a", "b")
            setAgain(ship, ports, crates)
            ports[0].callers = [other, ship]
            #expect(ship.calls.map(\.name) == ["1", "2"] && other.calls.map(\.name) == ["1"])
            ports[0].callers = [other]
            #expect(ship.calls.map(\.name) == ["2"])
            for crate in crates { crate.owner = try context.acquire("Ann") }
            #expect(ship.isInserted)
            setAgain(ship, ports, crates)
        }
        let new = Request<Ship>().filter("name", equalTo: "new")
        #expect(try storage.read { try $0.first(new)?.calls.map(\.name) } == ["1", "2"])
        #expect(try storage.read { try $0.first(new)?.crates.map(\.name) } == ["a", "b"])
    }

    @Test("what goes back to whom it belonged to in the store does not go with the one that it was given to meanwhile")
    func setBack() throws {
        let storage = try graph()
        try storage.unit { context in
            for number in 1...4 { try context.create(Link.self).number = number }
            let links = try context.fetch(Request<Link>())
            links[2].parent = links[0]
        }
        try storage.perform(ephemeral: true) { context, save in
            let links = try context.fetch(Request<Link>())
            for child in links[2...] { child.parent = links[1] }
            _ = try context.count(Request<Link>())
            try context.remove(links[1])
            (links[2].parent, links[3].parent) = (links[0], nil)
            #expect(try context.count(Request<Link>()) == 3)
            #expect(!links[2].isDeleted && !links[3].isDeleted)
            try save()
        }
        #expect(try storage.read { try $0.fetch(Request<Link>()).map { $0.parent?.number } } == [nil, 1, nil])
    }

    @Test("a pair that was made and unmade, or the other way round, before a save failed can be made and unmade again")
    func pairsOfALostTransaction() throws {
        let storage = try graph()
        try storage.unit { context in
            for model in ["A", "B"] { _ = try context.acquire(Vehicle.self, model) }
            try context.acquire(Label.self, "old").vehicles = [try context.acquire("A")]
            _ = try context.acquire(Label.self, "new")
        }
        try storage.perform(ephemeral: true) { context, _ in
            try context.perform { child, save in
                let (a, b) = (try child.acquire(Vehicle.self, "A"), try child.acquire(Vehicle.self, "B"))
                let (old, new) = (try child.acquire(Label.self, "old"), try child.acquire(Label.self, "new"))
                a.labels = [new]
                _ = try child.count(Request<Label>())
                a.labels = [old]
                b.model = "A"
                #expect(throws: KernelError.self) { try save() }
                a.labels = [new]
                b.model = "B"
                try save()
                #expect(a.labels.map(\.text) == ["new"])
            }
        }
        let labels = try storage.read { try $0.fetch(Request<Vehicle>()).map { $0.labels.map(\.text) } }
        #expect(labels == [["new"], []])
    }

    @Test("an order is kept when a member is edited after it was written")
    func orderAndEdit() throws {
        let storage = try fleet()
        try storage.unit { context in for name in ["1", "2"] { _ = try crate(name, context) } }
        try storage.unit { context in
            let crates = try context.acquire(Crate.self, all: ["2", "1"])
            try context.acquire(Ship.self, "S").crates = crates
            _ = try context.count(Request<Ship>())
            crates[0].size = 7
        }
        #expect(try storage.read { try $0.fetch(Request<Ship>())[0].crates.map(\.name) } == ["2", "1"])
    }

    @Test("removing one of two friends, or partners, takes both halves away")
    func symmetric() throws {
        let storage = try fleet()
        try storage.unit { context in
            let sailors = try context.acquire(Sailor.self, all: ["Ann", "Bob", "Cid"])
            sailors[0].friends = [sailors[1], sailors[2]]
            sailors[0].partner = sailors[1]
        }
        try storage.unit { context in try context.remove(try context.acquire(Sailor.self, "Ann")) }
        try storage.read { context in
            for sailor in try context.fetch(Request<Sailor>()) {
                #expect(sailor.friends.isEmpty && sailor.partner == nil)
            }
        }
    }

    @Test("a list without an inverse does not show what was removed")
    func oneWay() throws {
        let storage = try fleet()
        try storage.unit { context in
            let ship = try context.acquire(Ship.self, "S")
            let ports = try context.acquire(Port.self, all: ["A", "B"])
            ship.stops = ports
            try context.remove(ports[0])
            #expect(ship.stops.map(\.name) == ["B"])
            _ = try context.count(Request<Port>())
            #expect(ship.stops.map(\.name) == ["B"])
        }
    }

    @Test("a removed object takes along what it had in memory, not what the store says")
    func removedEdits() throws {
        let storage = try fleet()
        try storage.unit { context in
            let ships = try context.acquire(Ship.self, all: ["S", "T", "U"])
            ships[0].tender = ships[1]
            try context.acquire(Sailor.self, "Bob").handled = [try crate("1", context), try crate("2", context)]
        }
        try storage.unit { context in
            let ships = try context.acquire(Ship.self, all: ["S", "T", "U"])
            let bob = try context.acquire(Sailor.self, "Bob")
            bob.handled.removeAll { $0.name == "1" }
            ships[0].tender = ships[2]
            try context.remove(ships[0])
            try context.remove(bob)
            #expect(try context.fetch(Request<Ship>()).map(\.name) == ["T"])
            #expect(try context.fetch(Request<Crate>()).map(\.name) == ["1"])
        }
    }

    @Test("a pair that was made before one of the two is removed is not written")
    func pairs() throws {
        let storage = try fleet()
        try storage.perform(ephemeral: true) { context, save in
            let bob = try context.acquire(Sailor.self, "Bob")
            let (first, second) = (try crate("1", context), try crate("2", context))
            bob.handled = [first, second]
            try context.remove(first)
            _ = try context.count(Request<Crate>())
            // A duplicate in a nested unit loses the transaction: all of it is done again.
            try? context.perform { child, save in
                try child.acquire(Ship.self, "S").name = "T"
                try save()
            }
            #expect(bob.handled.map(\.name) == ["2"])
            try context.remove(second)
            try save()
        }
        #expect(try storage.read { try $0.count(Request<Crate>()) } == 0)
    }

    @Test("a rollback shows the key of an object that was read after a removal had taken it away")
    func rollback() throws {
        let storage = try fleet()
        try storage.unit { context in
            try context.acquire(Ship.self, "S").port = try context.acquire("A")
        }
        try storage.perform(ephemeral: true) { context, save in
            try context.remove(Request<Port>().filter("name", equalTo: "A"))
            let ship = try context.acquire(Ship.self, "S")
            #expect(ship.port == nil)
            try context.rollback()
            #expect(ship.port?.name == "A")
            // The same in a transaction that is lost before.
            try context.remove(Request<Port>().filter("name", equalTo: "A"))
            let other = try context.acquire(Ship.self, "S")
            #expect(throws: KernelError.self) {
                try context.perform { child, save in
                    try child.acquire(Ship.self, "T").name = "U"
                    try save()
                }
            }
            other.size = 9
            try save()
            #expect(other.port == nil)
        }
        #expect(try storage.read { try $0.fetch(Request<Ship>())[0].port?.name } == nil)
    }
}
