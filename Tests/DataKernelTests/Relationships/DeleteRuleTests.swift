import DataKernel
import Testing

@Suite("Delete rules")
struct DeleteRuleTests {
    private func counts(_ storage: SQLiteStorage) throws -> [String: Int] {
        try storage.read { context in
            [
                "owners": try context.count(Request<Owner>()), "vehicles": try context.count(Request<Vehicle>()),
                "tyres": try context.count(Request<Tyre>()), "homes": try context.count(Request<Home>()),
                "leases": try context.count(Request<Lease>()), "links": try context.count(Request<Link>()),
            ].filter { $0.value > 0 }
        }
    }

    private func filled() throws -> SQLiteStorage {
        let storage = try graph()
        try storage.unit { context in
            for name in ["Ann", "Bob"] {
                let owner = try context.acquire(Owner.self, name)
                owner.home = try context.create()
                for number in 0..<3 {
                    let car = try context.acquire(Vehicle.self, "\(name) \(number)")
                    car.owner = owner
                    car.tyres = [try context.create(), try context.create()]
                    car.labels = [try context.acquire("red")]
                }
            }
        }
        return storage
    }

    enum Way: CaseIterable { case object, request, wipe }

    private func remove<E: Entity>(_ type: E.Type, _ way: Way, _ context: any Context) throws {
        switch way {
        case .object: try context.remove(try context.fetch(Request<E>()))
        case .request: try context.remove(Request<E>())
        case .wipe: try context.wipe(E.self)
        }
    }

    @Test("nullify and cascade, unloaded, by object, by request and by wipe", arguments: Way.allCases)
    func unloaded(_ way: Way) throws {
        let storage = try filled()
        try storage.unit { context in try remove(Owner.self, way, context) }
        #expect(try counts(storage) == ["vehicles": 6, "tyres": 12])
        try storage.read { context in
            let cars = try context.fetch(Request<Vehicle>())
            #expect(cars.allSatisfy { $0.owner == nil })
        }
        try storage.unit { context in try remove(Vehicle.self, way, context) }
        #expect(try counts(storage) == [:])
        try storage.read { context in
            let first = try context.fetch(Request<Label>())[0]
            #expect(first.vehicles.isEmpty)
        }
    }

    @Test("loaded children learn of it at once, and are not there for the context any more", arguments: Way.allCases)
    func loaded(_ way: Way) throws {
        let storage = try filled()
        try storage.unit { context in
            let cars = try context.fetch(Request<Vehicle>())
            let owners = cars.map(\.owner)
            let tyres = cars.flatMap(\.tyres)
            try remove(Owner.self, way, context)
            #expect(cars.allSatisfy { $0.owner == nil })
            #expect(owners.allSatisfy { $0?.isDeleted == true })
            #expect(try context.count(Request<Home>()) == 0)
            try remove(Vehicle.self, way, context)
            #expect(try context.count(Request<Tyre>()) == 0)
            #expect(tyres.allSatisfy { $0.isDeleted })
            #expect(cars.allSatisfy { $0.tyres.isEmpty && $0.labels.isEmpty })
            #expect(try context.acquire(Label.self, "red").vehicles.isEmpty)
        }
        #expect(try counts(storage) == [:])
    }

    @Test("children that are not saved yet, and those that were moved away in memory")
    func unsaved() throws {
        let storage = try filled()
        try storage.unit { context in
            let car = try context.acquire(Vehicle.self, "Ann 0")
            let other = try context.acquire(Vehicle.self, "Bob 0")
            let moved = car.tyres[0]
            moved.vehicle = other
            let new: Tyre = try context.create()
            new.vehicle = car
            try context.remove(car)
            #expect(try context.count(Request<Tyre>()) == 11)
            #expect(new.isDeleted)
            #expect(!moved.isDeleted)
            #expect(moved.vehicle === other)
        }
        // A parent that was never saved takes its unsaved children along.
        try storage.unit { context in
            let car: Vehicle = try context.create()
            car.tyres = [try context.create()]
            let tyre = car.tyres[0]
            try context.remove(car)
            _ = try context.count(Request<Tyre>())
            #expect(tyre.isDeleted)
        }
        #expect(try counts(storage)["tyres"] == 11)
    }

    @Test("a rule on the side that holds the key: removing the home takes its resident along")
    func holderSide() throws {
        let storage = try filled()
        try storage.unit { context in try context.remove(Request<Home>()) }
        #expect(try counts(storage) == ["vehicles": 6, "tyres": 12])
    }

    @Test("deny names the object and what holds it, and the order of removals in one save makes no difference")
    func deny() throws {
        let storage = try filled()
        try storage.unit { context in
            let lease: Lease = try context.create()
            lease.vehicle = try context.acquire("Ann 0")
        }
        for way in Way.allCases {
            let error = #expect(throws: KernelError.self) {
                try storage.unit { context in try remove(Vehicle.self, way, context) }
            }
            guard case .deleteDenied(let object, let holder, let relationship)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(object.hasPrefix("Vehicle/"))
            #expect(holder.hasPrefix("Lease/"))
            #expect(relationship == "Vehicle.leases")
        }
        #expect(try counts(storage)["vehicles"] == 6)
        try storage.unit { context in
            let car = try context.acquire(Vehicle.self, "Ann 0")
            try context.remove(car)
            // A query between the two flushes the first.
            _ = try context.count(Request<Vehicle>())
            try context.remove(Request<Lease>())
        }
        #expect(try counts(storage)["vehicles"] == 5)
    }

    @Test("a denied save can be mended and saved")
    func mended() throws {
        let storage = try filled()
        try storage.unit { context in
            let lease: Lease = try context.create()
            lease.vehicle = try context.acquire("Ann 0")
        }
        try storage.perform(ephemeral: true) { context, save in
            try context.remove(try context.acquire(Vehicle.self, "Ann 0"))
            #expect(throws: KernelError.self) { try save() }
            let lease = try context.fetch(Request<Lease>())[0]
            lease.vehicle = try context.acquire("Ann 1")
            try save()
        }
        #expect(try counts(storage)["vehicles"] == 5)
        try storage.read { context in
            let first = try context.fetch(Request<Lease>())[0]
            #expect(first.vehicle.model == "Ann 1")
        }
    }

    @Test("a chain of 10,000, a tree and a cycle")
    func chains() throws {
        let storage = try graph()
        try storage.unit { context in
            var last: Link?
            for number in 0..<10_000 {
                let link: Link = try context.create()
                link.number = number
                link.parent = last
                last = link
            }
        }
        try storage.unit { context in try context.remove(Request<Link>().filter("number", equalTo: 5_000)) }
        #expect(try counts(storage)["links"] == 5_000)
        try storage.unit { context in
            let first = try #require(try context.first(Request<Link>().filter("number", equalTo: 0)))
            first.parent = try context.first(Request<Link>().filter("number", equalTo: 4_999))
            let middle = try #require(try context.first(Request<Link>().filter("number", equalTo: 2_500)))
            try context.remove(middle)
        }
        #expect(try counts(storage) == [:])
    }

    @Test("a rollback brings back all that a removal took along", arguments: Way.allCases)
    func rollback(_ way: Way) throws {
        let storage = try filled()
        try storage.perform(ephemeral: true) { context, save in
            let cars = try context.fetch(Request<Vehicle>().sort("model"))
            let tyres = cars.flatMap(\.tyres)
            let owner = cars[0].owner
            try remove(Vehicle.self, way, context)
            try remove(Owner.self, way, context)
            _ = try context.count(Request<Tyre>())
            try context.rollback()
            #expect(!cars.contains { $0.isDeleted } && !tyres.contains { $0.isDeleted })
            #expect(cars[0].tyres.count == 2)
            #expect(cars[0].owner === owner)
            #expect(!context.hasChanges)
            try save()
        }
        #expect(try counts(storage) == ["owners": 2, "homes": 2, "vehicles": 6, "tyres": 12])
    }

    @Test("removed and created anew with the same key in one save, with new children")
    func anew() throws {
        let storage = try filled()
        try storage.unit { context in
            let old = try context.acquire(Vehicle.self, "Ann 0")
            let owner = old.owner
            try context.remove(old)
            let new = try context.acquire(Vehicle.self, "Ann 0")
            #expect(new !== old)
            new.owner = owner
            new.tyres = [try context.create()]
        }
        #expect(try counts(storage)["tyres"] == 11)
        try storage.read { context in
            let ann = try #require(try context.first(Request<Owner>().filter(\.name == "Ann")))
            #expect(ann.vehicles.count == 3)
        }
    }
}
