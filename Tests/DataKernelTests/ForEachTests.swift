import DataKernelTesting
import KernelSQLite
import Testing

@testable import DataKernel

@Suite("forEach")
struct ForEachTests {
    private func filled(_ count: Int, _ recorder: SQLRecorder = SQLRecorder()) throws -> SQLiteStorage {
        let storage = try garage(recorder.options(StorageOptions(durability: .normal)))
        try storage.save((0..<count).map { "car \(1000 + $0)" })
        return storage
    }

    @Test("meets every object once, in the request's order, whatever the batch", arguments: [1, 3, 10, 1000])
    func order(batch: Int) throws {
        let storage = try filled(10)
        try storage.read { context in
            let request = Request<Car>().sort(\.model, .descending).limit(8).offset(1)
            var models: [String] = []
            try context.forEach(request, batch: batch) { models.append($0.model) }
            #expect(models == (1...8).map { "car \(1009 - $0)" })
            let fetched = try context.fetch(request)
            #expect(models == fetched.map(\.model))
        }
    }

    @Test("runs one statement for the ids and one for each batch")
    func statements() throws {
        let recorder = SQLRecorder()
        let storage = try filled(10, recorder)
        let all = try recorder.record {
            try storage.read { context in
                try context.forEach(Request<Car>().filter(\.year == 0).sort(\.model), batch: 4) { _ in }
            }
        }
        #expect(
            all.filter { $0.hasPrefix("SELECT") }
                == [#"SELECT "_id" FROM "Car" WHERE "year" = ? ORDER BY "model", "_id""#]
                + Array(
                    repeating: #"SELECT "_id", "model", "mark", "number", "year", "price", "builtAt" FROM "Car" "#
                        + #"WHERE "_id" IN (SELECT value FROM kernel_values(?))"#, count: 3))
    }

    @Test("lets the objects of a batch go before the next", arguments: [true, false])
    func lettingGo(ephemeral: Bool) throws {
        let storage = try filled(30)
        try storage.perform(ephemeral: ephemeral) { context, _ in
            var earlier: [Weakly] = []
            var kept: Car?
            try context.forEach(Request<Car>(), batch: 10) { car in
                if earlier.count == 5 { kept = car }
                earlier.append(Weakly(object: car))
            }
            #expect(kept?.model == "car 1005")
            let alive = earlier.filter { $0.object != nil }.count
            // The save context keeps its objects until the unit ends, or until they have become many.
            #expect(ephemeral ? alive == 1 : alive == 30)
        }
    }

    @Test("the save context lets objects go on the way, but not those that somebody has or that are changed")
    func trimming() throws {
        let storage = try filled(30)
        try storage.perform(ephemeral: false) { context, save in
            let unit = try #require(context as? UnitContext)
            unit.trimLimit = 15
            var kept: Car?
            try context.forEach(Request<Car>(), batch: 10) { car in
                if car.model == "car 1003" { kept = car }
                if car.model == "car 1004" { car.year = 9 }
            }
            #expect(!unit.needsTrim)
            let again: Car = try context.acquire("car 1003")
            #expect(again === kept)
            try save()
            #expect(try context.values(Request<Car>().filter(\.year == 9), \.model) == ["car 1004"])
        }
    }

    @Test("gives the instances that the context has, with their unsaved changes")
    func identity() throws {
        let storage = try filled(3)
        try storage.perform(ephemeral: true) { context, _ in
            let car = try #require(try context.first(Request<Car>()))
            car.year = 7
            let other: Car = try context.create()
            other.model = "new"
            var met: [Car] = []
            try context.forEach(Request<Car>().filter(\.year == 7 || \.model == "new")) { met.append($0) }
            #expect(met.count == 2 && met[0] === car && met[1] === other)
        }
    }

    @Test("changing what the request sorts and filters by, and saving, skips nothing and ends")
    func changing() throws {
        let storage = try filled(20)
        try storage.perform(ephemeral: true) { context, save in
            var met: [String] = []
            let request = Request<Car>().filter(\.year == 0).sort(\.model)
            try context.forEach(request, batch: 3) { car in
                met.append(car.model)
                car.model = "z" + car.model
                car.year = 1
                let new: Car = try context.create()
                new.model = "new \(met.count)"
                if met.count % 4 == 0 { try save() }
            }
            #expect(met == (0..<20).map { "car \(1000 + $0)" })
            try save()
            #expect(try context.count(Request<Car>()) == 40)
            #expect(try context.count(Request<Car>().filter(\.model, beginsWith: "zcar")) == 20)
        }
    }

    @Test("objects that are removed before their turn are left out, in this batch and in later ones")
    func removing() throws {
        let storage = try filled(9)
        try storage.perform(ephemeral: true) { context, save in
            var met: [String] = []
            try context.forEach(Request<Car>().sort(\.model), batch: 4) { car in
                met.append(String(car.model.suffix(1)))
                switch met.count {
                case 1:
                    try context.remove(car)
                    try context.remove(Request<Car>().filter(\.model, oneOf: ["car 1002", "car 1005"]))
                case 2:
                    let last: Car = try context.acquire("car 1008")
                    try context.remove(last)
                    try save()
                default: break
                }
            }
            #expect(met == ["0", "1", "3", "4", "6", "7"])
        }
        #expect(try storage.models().count == 5)
    }

    @Test("a rollback in the body takes created objects out")
    func rollback() throws {
        let storage = try filled(1)
        try storage.perform(ephemeral: true) { context, _ in
            for name in ["a", "b", "c"] { let _: Car = try context.acquire(name) }
            var met: [String] = []
            try context.forEach(Request<Car>(), batch: 2) { car in
                met.append(car.model)
                if car.model == "a" { try context.rollback() }
            }
            #expect(met == ["car 1000", "a"])
        }
    }

    @Test("an error of the body ends it and comes out")
    func failing() throws {
        let storage = try filled(5)
        try storage.read { context in
            var count = 0
            #expect(throws: Mishap()) {
                try context.forEach(Request<Car>(), batch: 2) { _ in
                    count += 1
                    if count == 3 { throw Mishap() }
                }
            }
            let all = try context.count(Request<Car>())
            #expect(count == 3 && all == 5)
        }
    }

    @Test("a batch below 1 and a wrong name are errors before anything runs")
    func errors() throws {
        let storage = try filled(1)
        try storage.read { context in
            let batch = #expect(throws: KernelError.self) { try context.forEach(Request<Car>(), batch: 0) { _ in } }
            #expect(batch?.description == "Request<Car>: its batch is not above 0")
            let name = #expect(throws: KernelError.self) { try context.forEach(Request<Car>().sort("yaer")) { _ in } }
            #expect(name?.description == "Car has no attribute yaer; did you mean year?")
        }
    }

    @Test("an async read keeps to its snapshot, uiContext can be streamed, too")
    @MainActor
    func contexts() async throws {
        let storage = try filled(6)
        let count = try await storage.read { context in
            var count = 0
            try context.forEach(Request<Car>(), batch: 2) { _ in count += 1 }
            return count
        }
        #expect(count == 6)
        var met: [Car] = []
        try storage.uiContext.forEach(Request<Car>(), batch: 4) { met.append($0) }
        let fetched = try storage.uiContext.fetch(Request<Car>())
        #expect(met.elementsEqual(fetched, by: ===))
    }

    @Test("the objects of a batch load a relationship together")
    func relationships() throws {
        let recorder = SQLRecorder()
        let storage = try graph(recorder.options(StorageOptions(durability: .normal)))
        try storage.unit { context in
            for index in 0..<6 {
                let owner = try context.acquire(Owner.self, "owner \(index)")
                try context.acquire(Vehicle.self, "car \(index)").owner = owner
            }
        }
        var names: [String] = []
        func run(_ request: Request<Vehicle>) throws -> Int {
            try recorder.record {
                names = try storage.read { context in
                    var names: [String] = []
                    try context.forEach(request.sort(\.model), batch: 3) { names.append($0.owner?.name ?? "") }
                    return names
                }
            }.filter { $0.hasPrefix("SELECT") }.count
        }
        // The ids, and twice a batch and its owners.
        #expect(try run(Request()) == 5)
        #expect(names == (0..<6).map { "owner \($0)" })
        #expect(try run(Request().prefetch(\.owner)) == 5)
    }
}

/// Whether an object is still there.
private struct Weakly {
    weak var object: Car?

    @Test("the ids that wait for their turn come back as they went in, one byte each in their own order")
    func packedRows() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        var rows: [Int64] = [0, 1, -1, .max, .min, .max, 0]
        for _ in 0..<2000 {
            rows.append(Int64.random(in: .min ... .max, using: &generator) >> Int64(generator.next() % 64))
        }
        var packed = PackedRows()
        for row in rows { packed.append(row) }
        var reader = packed.reader
        var back: [Int64] = []
        while case let some = reader.next(Int.random(in: 1...9, using: &generator)), !some.isEmpty { back += some }
        #expect(back == rows, "seed \(seed)")
        var consecutive = PackedRows()
        for row in 1...1000 { consecutive.append(Int64(row)) }
        #expect(consecutive.byteCount == 1000)
    }
}
