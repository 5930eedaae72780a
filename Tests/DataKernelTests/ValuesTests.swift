import DataKernelTesting
import Foundation
import KernelSQLite
import Testing

@testable import DataKernel

@Suite("Values")
struct ValuesTests {
    /// Five cars: A to E, of the years 2000 to 2004, marks x and y, nil for E.
    private func filled(_ recorder: SQLRecorder = SQLRecorder()) throws -> SQLiteStorage {
        let storage = try garage(recorder.options(StorageOptions(durability: .normal)))
        try storage.unit { context in
            for (index, model) in ["A", "B", "C", "D", "E"].enumerated() {
                let car: Car = try context.acquire(model)
                car.year = 2000 + index
                car.mark = index == 4 ? nil : index % 2 == 0 ? "x" : "y"
                car.number = index
                car.price = Double(10 - index) / 4
            }
        }
        return storage
    }

    @Test("of one, two and more attributes, typed, in the request's order")
    func typed() throws {
        try filled().read { context in
            let models: [String] = try context.values(Request<Car>().sort(\.year, .descending).limit(2), \.model)
            #expect(models == ["E", "D"])
            let marks: [String?] = try context.values(Request<Car>().filter(\.year > 2002), \.mark)
            #expect(marks == ["y", nil])
            let pairs = try context.values(Request<Car>().limit(2), \.model, \.year)
            #expect(pairs.map(\.0) == ["A", "B"] && pairs.map(\.1) == [2000, 2001])
            let four: [(String, Int, Double, String?)] = try context.values(
                Request<Car>().filter(\.model == "C"), \.model, \.year, \.price, \.mark)
            #expect(four.count == 1 && four[0] == ("C", 2002, 2.0, "x"))
            let five = try context.values(
                Request<Car>().limit(2), \.year, \.model, \.number, \.price, \.mark)
            #expect(five.count == 2 && five[1] == (2001, "B", 1, 2.25, "y"))
            let (year, model, number, price, mark, builtAt, again) = try #require(
                context.values(
                    Request<Car>().filter(\.mark == nil), \.year, \.model, \.number, \.price, \.mark, \.builtAt, \.model
                ).first)
            #expect(year == 2004 && model == "E" && number == 4 && price == 1.5 && mark == nil && builtAt == nil)
            #expect(again == "E")
        }
    }

    @Test("run one SELECT of these columns")
    func statements() throws {
        let recorder = SQLRecorder()
        let storage = try filled(recorder)
        let all = try recorder.record {
            try storage.read { context in
                _ = try context.values(Request<Car>().filter(\.year > 2001).sort(\.price), \.model, \.year, \.price)
                _ = try context.values(Request<Car>().offset(1), \.mark, distinct: true)
            }
        }
        #expect(
            all.filter { $0.hasPrefix("SELECT") } == [
                #"SELECT "model", "year", "price" FROM "Car" WHERE "year" > ? ORDER BY "price", "_id""#,
                #"SELECT DISTINCT "mark" FROM "Car" ORDER BY "mark" LIMIT -1 OFFSET ?"#,
            ])
    }

    @Test("with other values of conditions render and prepare nothing")
    func planCache() throws {
        try filled().perform(ephemeral: true) { context, _ in
            let channel = try #require(context as? UnitContext).channel
            _ = try context.values(Request<Car>().filter(\.year == 0), \.model, \.year)
            let (renderings, prepares) = (channel.renderings, channel.connection.counters.prepares)
            for year in 1990..<2010 { _ = try context.values(Request<Car>().filter(\.year == year), \.model, \.year) }
            #expect(channel.renderings == renderings)
            #expect(channel.connection.counters.prepares == prepares)
            _ = try context.fetch(Request<Car>().filter(\.year == 0))
            #expect(channel.renderings == renderings + 1)
        }
    }

    @Test("see what the unit has done and not saved, and make no objects")
    func pending() throws {
        try filled().perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("B")
            car.model = "Z"
            try context.remove(Request<Car>().filter(\.model == "A"))
            #expect(try context.values(Request<Car>().sort(\.model), \.model) == ["C", "D", "E", "Z"])
            let unit = try #require(context as? UnitContext)
            let objects = try unit.session(Car.self).objects.count
            #expect(objects == 1)
        }
    }

    @Test("that are distinct come once, and limits count them")
    func distinct() throws {
        try filled().read { context in
            #expect(try context.values(Request<Car>(), \.mark, distinct: true) == [nil, "x", "y"])
            let request = Request<Car>().sort(\.mark, .descending).limit(2)
            #expect(try context.values(request, \.mark, distinct: true) == ["y", "x"])
            let pairs = try context.values(request.offset(1), \.mark, \.year, distinct: true)
            #expect(pairs.map(\.1) == [2003, 2000])
        }
    }

    @Test("that are distinct cannot be sorted by what they do not have")
    func distinctOrder() throws {
        try filled().read { context in
            let error = #expect(throws: KernelError.self) {
                try context.values(Request<Car>().sort(\.year), \.mark, distinct: true)
            }
            #expect(
                error?.description == "Request<Car>: distinct values are sorted by year, which is not among them; "
                    + "ask for it, too, or sort by others")
        }
    }

    @Test("have the errors of requests")
    func errors() throws {
        try filled().read { context in
            let name = #expect(throws: KernelError.self) {
                try context.values(Request<Car>().sort("yaer"), \.model)
            }
            #expect(name?.description == "Car has no attribute yaer; did you mean year?")
            let error = #expect(throws: KernelError.self) { try context.values(Request<Car>(), \.badge) }
            let message = try #require(error?.description)
            #expect(
                message.hasPrefix(#"Request<Car>: the key path \Car."#) && message.contains("leads to no attribute"))
            #expect(throws: KernelError.self) { try context.values(Request<Car>().limit(-1), \.model) }
        }
    }

    @Test("that cannot be read are named with their row")
    func undecodable() throws {
        let folder = try Folder()
        let storage = try folder.storage()
        try storage.save(["A", "B", "C"])
        let file = try Connection(path: folder.file().path, role: .writer)
        try file.execute("UPDATE Car SET year = 'soon' WHERE model = 'B'")
        try storage.read { context in
            let last = try #require(try context.first(Request<Car>().filter(\.model == "C")))
            let row = last.objectID.row - 1
            let error = #expect(throws: KernelError.self) {
                try context.values(Request<Car>().sort(\.model, .descending), \.model, \.year)
            }
            #expect(error?.description == "Car.year of row \(row) holds text where an integer belongs")
            let distinct = #expect(throws: KernelError.self) {
                try context.values(Request<Car>(), \.year, distinct: true)
            }
            #expect(distinct?.description == "Car.year of row 0 holds text where an integer belongs")
        }
    }

    @Test("of relationships are ids, and conditions may lead through them")
    func relationships() throws {
        let storage = try graph()
        let ids = try storage.unit { context in
            let ann = try context.acquire(Owner.self, "Ann")
            let home: Home = try context.create()
            ann.home = home
            for model in ["A", "B"] { try context.acquire(Vehicle.self, model).owner = ann }
            _ = try context.acquire(Vehicle.self, "C")
            let lease: Lease = try context.create()
            lease.vehicle = try context.acquire(Vehicle.self, "A")
            try context.acquire(Owner.self, "Bob").home = nil
            return [ann.objectID, home.objectID, lease.vehicle.objectID]
        }
        try storage.read { context in
            let owners: [ObjectID?] = try context.values(Request<Vehicle>().sort(\.model), \.owner)
            #expect(owners == [ids[0], ids[0], nil])
            #expect(try context.values(Request<Vehicle>(), \.owner, distinct: true) == [nil, ids[0]])
            // The key of this one-to-one may stand at the other end.
            #expect(try context.values(Request<Owner>().sort(\.name), \.home) == [ids[1], nil])
            let vehicles: [ObjectID] = try context.values(Request<Lease>(), \.vehicle)
            #expect(vehicles == [ids[2]])
            let anns = Request<Vehicle>().filter(where: { $0.owner.name == "Ann" })
            #expect(try context.values(anns, \.model, \.year).map(\.0) == ["A", "B"])
        }
    }

    @Test("are not read by a context of another make that has no way to")
    func foreignContext() throws {
        try filled().read { context in
            let plain = PlainContext(base: context)
            var count = 0
            try plain.forEach(Request<Car>()) { _ in count += 1 }
            #expect(count == 5)
            let error = #expect(throws: KernelError.self) { try plain.values(Request<Car>(), \.model) }
            #expect(error?.description.contains("PlainContext makes objects only") == true)
        }
    }

    @Test("are not read after the store is closed")
    @MainActor
    func closed() throws {
        let storage = try filled()
        try storage.wipeStore()
        let context = storage.uiContext
        let values = #expect(throws: KernelError.self) { try context.values(Request<Car>(), \.model) }
        let objects = #expect(throws: KernelError.self) { try context.forEach(Request<Car>()) { _ in } }
        #expect(values?.description == KernelError.storeClosed.description)
        #expect(objects?.description == values?.description)
    }
}

/// A context that conforms with no more than the contract asks for.
private struct PlainContext: ReadContext {
    let base: any ReadContext

    func fetch<E: Entity>(_ request: Request<E>) throws -> [E] { try base.fetch(request) }
    func first<E: Entity>(_ request: Request<E>) throws -> E? { try base.first(request) }
    func count<E: Entity>(_ request: Request<E>) throws -> Int { try base.count(request) }
    func exists<E: Entity>(_ request: Request<E>) throws -> Bool { try base.exists(request) }
    func object<E: Entity>(with id: ObjectID, as type: E.Type) throws -> E? { try base.object(with: id, as: type) }
    func refresh(_ object: some Entity) throws { try base.refresh(object) }
}
