import DataKernel
import DataKernelTesting
import Testing

/// Statements of changed relationships.
@Suite("Changed relationships cost")
struct RelationshipCostTests {
    private func writes(_ recorder: SQLRecorder) -> [String] {
        work(recorder.take()).filter { !$0.hasPrefix("SELECT") && !$0.contains("kernel_") }
    }

    private func filled(_ recorder: SQLRecorder, cars: Int) throws -> SQLiteStorage {
        let storage = try graph(recorder.options(StorageOptions(durability: .normal)))
        try storage.unit { context in
            let owner = try context.acquire(Owner.self, "Ann")
            owner.vehicles = try context.acquire(all: (0..<cars).map { "car \($0)" })
            _ = try context.acquire(Label.self, all: (0..<30).map { "label \($0)" })
            for car in owner.vehicles {
                car.tyres = [try context.create(), try context.create(), try context.create()]
            }
        }
        return storage
    }

    @Test("as many statements as pairs were made or unmade", arguments: [10, 20, 40])
    func pairs(_ cars: Int) throws {
        let recorder = SQLRecorder()
        let storage = try filled(recorder, cars: cars)
        try storage.perform(ephemeral: true) { context, save in
            let labels = try context.fetch(Request<Label>())
            let vehicles = try context.fetch(Request<Vehicle>())
            for car in vehicles { car.labels = labels }
            _ = recorder.take()
            try save()
            #expect(writes(recorder).count == cars * 30)
            labels[0].vehicles = []
            try save()
            let removals = writes(recorder)
            #expect(removals.count == cars)
            #expect(removals.first == #"DELETE FROM "Label_vehicles" WHERE "labels" = ? AND "vehicles" = ?"#)
        }
    }

    @Test("one UPDATE of the key for an object that is moved, and nothing for its owners")
    func moved() throws {
        let recorder = SQLRecorder()
        let storage = try filled(recorder, cars: 10)
        try storage.perform(ephemeral: true) { context, save in
            let car = try context.acquire(Vehicle.self, "car 3")
            car.owner = try context.acquire("Bob")
            _ = recorder.take()
            try save()
            #expect(
                writes(recorder) == [
                    #"UPDATE "Vehicle" SET "owner" = ? WHERE "_id" = ?"#,
                    #"INSERT INTO "Owner" ("_id", "name", "partner") VALUES (?, ?, ?)"#,
                ])
        }
    }

    @Test("one UPDATE for an object that is moved within an order, and none for those that stay")
    func order() throws {
        let recorder = SQLRecorder()
        let storage = try filled(recorder, cars: 1)
        try storage.perform(ephemeral: true) { context, save in
            let car = try context.acquire(Vehicle.self, "car 0")
            car.tyres.append(car.tyres.remove(at: 0))
            _ = recorder.take()
            try save()
            #expect(
                writes(recorder) == [
                    #"UPDATE "Tyre" SET "vehicle_position" = ?2 WHERE "vehicle" = ?1 AND "_id" = ?3"#
                ])
        }
    }

    @Test("one statement for each relationship and entity that a removal goes through, however many rows")
    func removal() throws {
        let recorder = SQLRecorder()
        let storage = try filled(recorder, cars: 40)
        try storage.perform(ephemeral: true) { context, save in
            _ = recorder.take()
            try context.remove(Request<Vehicle>())
            let statements = work(recorder.take())
            // The rows; the keys to and from them; two tables of pairs; two entities.
            #expect(statements.filter { $0.hasPrefix("DELETE") }.count == 4)
            #expect(statements.filter { $0.hasPrefix("SELECT") }.count == 2)
            try save()
        }
    }

    @Test("appending thousands one by one, by either end, is no work of its square")
    func appending() throws {
        let storage = try graph()
        try storage.unit { context in
            let owner = try context.acquire(Owner.self, "Ann")
            let label = try context.acquire(Label.self, "red")
            for number in 0..<3_000 {
                let car: Vehicle = try context.create()
                car.model = "\(number)"
                owner.vehicles.append(car)
                label.vehicles.append(car)
            }
            #expect(owner.vehicles.count == 3_000)
            owner.vehicles.removeFirst(1_500)
            owner.vehicles.insert(contentsOf: label.vehicles.prefix(10), at: 700)
            #expect(owner.vehicles.count == 1_510)
            owner.vehicles += owner.vehicles.prefix(100)
            #expect(owner.vehicles.count == 1_510)
            owner.vehicles.reverse()
            #expect(owner.vehicles.first?.model == "2999")
        }
        try storage.read { context in
            let (owner, label) = (try context.fetch(Request<Owner>())[0], try context.fetch(Request<Label>())[0])
            #expect((owner.vehicles.count, label.vehicles.count) == (1_510, 3_000))
        }
    }
}
