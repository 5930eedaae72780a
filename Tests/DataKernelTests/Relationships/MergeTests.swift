import DataKernel
import DataKernelTesting
import Testing

@Suite("Relationships in contexts that live long")
@MainActor
struct RelationshipMergeTests {
    private func filled(_ recorder: SQLRecorder? = nil) throws -> SQLiteStorage {
        let options = StorageOptions(durability: .normal)
        let storage = try graph(recorder?.options(options) ?? options)
        try storage.unit { context in
            let (ann, bob) = (try context.acquire(Owner.self, "Ann"), try context.acquire(Owner.self, "Bob"))
            for model in ["A", "B"] {
                let car = try context.acquire(Vehicle.self, model)
                car.owner = ann
                car.labels = [try context.acquire("red")]
                car.tyres = [try context.create(), try context.create()]
            }
            bob.home = try context.create()
        }
        return storage
    }

    @Test("uiContext shows moved, new and removed ones in what it had loaded: same instances, both ends")
    func uiContext() throws {
        let storage = try filled()
        let owners = try storage.uiContext.fetch(Request<Owner>().sort("name"))
        let (ann, bob) = (owners[0], owners[1])
        let first = ann.vehicles[0]
        let red = try #require(first.labels.first)
        #expect(red.vehicles.count == 2)
        #expect(first.tyres.count == 2)
        let home = try #require(bob.home)
        try storage.unit { context in
            try context.acquire(Vehicle.self, "A").owner = try context.acquire("Bob")
            try context.acquire(Vehicle.self, "C").owner = try context.acquire("Ann")
            try context.acquire(Label.self, "red").vehicles = [try context.acquire("C")]
            try context.remove(try context.fetch(Request<Home>()))
        }
        #expect(first.owner == nil)
        #expect(ann.vehicles.map(\.model) == ["B", "C"])
        #expect(bob.isDeleted && home.isDeleted)
        #expect(bob.vehicles.isEmpty && bob.home == nil)
        #expect(red.vehicles.map(\.model) == ["C"])
        #expect(first.labels.isEmpty)
        try storage.unit { context in try context.remove(Request<Vehicle>().filter("model", equalTo: "A")) }
        #expect(first.isDeleted && first.tyres.isEmpty)
        #expect(try storage.uiContext.count(Request<Tyre>()) == 2)
    }

    @Test("a save that touches no relationship leaves what is loaded as it is")
    func untouched() throws {
        let recorder = SQLRecorder()
        let storage = try filled(recorder)
        let ann = try #require(try storage.uiContext.first(Request<Owner>().filter(\.name == "Ann")))
        #expect(ann.vehicles.count == 2)
        try storage.unit { context in try context.acquire(Vehicle.self, "A").year = 2000 }
        let statements = recorder.record { #expect(ann.vehicles.map(\.year).max() == 2000) }
        #expect(!statements.contains { $0.hasPrefix("SELECT") })
    }

    @Test("the save context keeps its own unsaved relationships when others save")
    func saveContext() throws {
        let storage = try filled()
        try storage.perform(ephemeral: false) { context, _ in
            let car = try context.acquire(Vehicle.self, "A")
            car.owner = try context.acquire("Bob")
            car.labels.append(try context.acquire("mine"))
        }
        try storage.unit { context in
            let car = try context.acquire(Vehicle.self, "A")
            car.year = 1999
            car.labels.append(try context.acquire("theirs"))
            try context.acquire(Vehicle.self, "B").owner = nil
        }
        try storage.perform(ephemeral: false) { context, save in
            let car = try context.acquire(Vehicle.self, "A")
            #expect(car.year == 1999)
            #expect(car.owner?.name == "Bob")
            #expect(Set(car.labels.map(\.text)) == ["red", "mine", "theirs"])
            #expect(try context.acquire(Owner.self, "Ann").vehicles.isEmpty)
            try save()
        }
        try storage.read { context in
            let car = try #require(try context.first(Request<Vehicle>().filter(\.model == "A")))
            #expect(car.owner?.name == "Bob")
            #expect(Set(car.labels.map(\.text)) == ["red", "mine", "theirs"])
        }
    }

    @Test("another process's save reaches loaded relationships at the next fetch")
    func otherProcess() throws {
        let folder = try Folder()
        func open() throws -> SQLiteStorage {
            try SQLiteStorage(
                store: .url(folder.file()), model: graphModel, options: StorageOptions(durability: .normal))
        }
        let (ours, theirs) = (try open(), try open())
        try ours.unit { context in try context.acquire(Owner.self, "Ann").vehicles = [try context.acquire("A")] }
        let ann = try #require(try ours.uiContext.first(Request<Owner>()))
        #expect(ann.vehicles.count == 1)
        try theirs.unit { context in try context.acquire(Vehicle.self, "B").owner = try context.acquire("Ann") }
        _ = try ours.uiContext.count(Request<Owner>())
        #expect(ann.vehicles.map(\.model) == ["A", "B"])
    }

    @Test("nested units see, change and undo relationships")
    func nested() throws {
        let storage = try filled()
        try storage.perform(ephemeral: true) { context, save in
            let car = try context.acquire(Vehicle.self, "A")
            car.owner = nil
            let new = try context.acquire(Vehicle.self, "N")
            new.owner = try context.acquire("Bob")
            try context.perform { child, _ in
                #expect(try child.acquire(Owner.self, "Bob").vehicles.map(\.model) == ["N"])
                let inner = try child.acquire(Vehicle.self, "A")
                #expect(inner.owner == nil)
                inner.owner = try child.acquire("Bob")
                try child.remove(try child.acquire(Vehicle.self, "N"))
                _ = try child.count(Request<Vehicle>())
            }
            #expect(car.owner == nil)
            #expect(!new.isDeleted)
            try context.perform { child, save in
                try child.acquire(Vehicle.self, "A").owner = try child.acquire("Bob")
                try child.remove(try child.acquire(Vehicle.self, "N"))
                try save()
            }
            #expect(car.owner?.name == "Bob")
            #expect(new.isDeleted)
            #expect(try context.acquire(Owner.self, "Bob").vehicles.map(\.model) == ["A"])
        }
        try storage.read { context in
            let bob = try #require(try context.first(Request<Owner>().filter(\.name == "Bob")))
            #expect(bob.vehicles.map(\.model) == ["A"])
        }
    }

    @Test("a nested unit whose save failed goes on to see what the unit around it did, after a rollback")
    func failedNested() throws {
        let storage = try filled()
        try storage.perform(ephemeral: true) { context, save in
            try context.acquire(Vehicle.self, "A").maker = try context.acquire("M")
            try context.perform { child, save in
                try child.remove(try child.acquire(Owner.self, "Ann"))
                _ = try child.count(Request<Owner>())
                // Read after it lost its owner with the removal, so that the rollback reads it again.
                let car = try child.acquire(Vehicle.self, "A")
                #expect(car.owner == nil && car.maker?.name == "M")
                try child.acquire(Vehicle.self, "B").model = "A"
                #expect(throws: KernelError.self) { try save() }
                try child.rollback()
                #expect(car.owner?.name == "Ann" && car.maker?.name == "M")
                try save()
            }
        }
        #expect(try storage.read { try $0.fetch(Request<Vehicle>()).map { $0.maker?.name } } == ["M", nil])
    }

    @Test("a nested unit whose save failed goes on to see what the unit around it did, while another process saves")
    func failedNestedAndOtherProcess() throws {
        let folder = try Folder()
        func open() throws -> SQLiteStorage {
            try SQLiteStorage(
                store: .url(folder.file()), model: graphModel, options: StorageOptions(durability: .normal))
        }
        let (ours, theirs) = (try open(), try open())
        try ours.unit { context in
            try context.acquire(Owner.self, "Ann").vehicles = [try context.acquire("A"), try context.acquire("B")]
        }
        try ours.perform(ephemeral: true) { context, save in
            let new = try context.acquire(Vehicle.self, "N")
            new.owner = try context.acquire("Bob")
            try context.acquire(Vehicle.self, "A").year = 1
            try context.perform { child, save in
                let cars = try child.fetch(Request<Vehicle>())
                let (a, b, n) = (cars[0], cars[1], cars[2])
                #expect(n.owner?.vehicles.count == 1)
                b.model = "A"
                #expect(throws: KernelError.self) { try save() }
                try theirs.unit { try $0.acquire(Vehicle.self, "A").owner = try $0.acquire("Cid") }
                b.model = "C"
                #expect(try child.count(Request<Vehicle>()) == 3)
                #expect(!n.isDeleted && n.owner?.name == "Bob")
                #expect(a.year == 1 && a.owner?.name == "Cid")
                #expect(try child.fetch(Request<Vehicle>()).elementsEqual(cars, by: ===))
                try save()
            }
            #expect(!context.hasChanges)
        }
        let saved = try ours.read {
            try $0.fetch(Request<Vehicle>()).map { "\($0.model) \($0.year) \($0.owner?.name ?? "")" }
        }
        #expect(saved == ["A 1 Cid", "C 0 Ann", "N 0 Bob"])
    }

    @Test("prefetch: one statement a step, and nothing more when it is touched")
    func prefetch() throws {
        let recorder = SQLRecorder()
        let storage = try filled(recorder)
        let request = Request<Vehicle>().prefetch(\.owner.home, \.tyres, \.labels)
        var cars: [Vehicle] = []
        let loading = try recorder.record { cars = try storage.uiContext.fetch(request) }
        #expect(loading.filter { $0.hasPrefix("SELECT") }.count == 5)
        let touching = recorder.record {
            #expect(cars.allSatisfy { $0.owner?.home == nil && $0.tyres.count == 2 && $0.labels.count == 1 })
        }
        #expect(!touching.contains { $0.hasPrefix("SELECT") })
    }

    @Test("objects that only their relationships keep alive are let go", arguments: [true, false])
    func cycles(_ ephemeral: Bool) throws {
        let storage = try filled()
        nonisolated(unsafe) weak var car: Vehicle?
        nonisolated(unsafe) weak var owner: Owner?
        try storage.perform(ephemeral: ephemeral) { context, _ in
            let found = try context.acquire(Vehicle.self, "A")
            car = found
            owner = found.owner
            #expect(owner?.vehicles.count == 2)
            #expect(found.labels[0].vehicles.count == 2)
        }
        #expect(car == nil && owner == nil)
    }

    @Test("objects that somebody else removed together are let go, whatever they had loaded of one another")
    @MainActor
    func removedTogether() throws {
        let storage = try filled()
        let context = storage.uiContext
        weak var car: Vehicle?
        weak var tyre: Tyre?
        do {
            let tyres = try context.fetch(Request<Tyre>().filter { $0.vehicle.model == "A" })
            // The result keeps the vehicle, and the vehicle the result.
            car = tyres[0].vehicle
            tyre = tyres[0]
            #expect(car?.tyres.contains { $0 === tyre } == true)
        }
        #expect(car != nil && tyre != nil)
        try storage.unit { try $0.remove($0.acquire(Vehicle.self, "A")) }
        #expect(try context.count(Request<Tyre>().filter { $0.vehicle.model == "A" }) == 0)
        #expect(car == nil && tyre == nil)
    }
}
