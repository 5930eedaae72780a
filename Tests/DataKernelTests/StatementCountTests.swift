import DataKernelTesting
import Foundation
import Testing

@testable import DataKernel

/// Costs that can be counted are pinned: the statements of each operation.
@Suite("Statements")
struct StatementCountTests {
    private func recorded(
        _ body: (SQLiteStorage, SQLRecorder) throws -> Void
    ) throws {
        let recorder = SQLRecorder()
        let storage = try garage(recorder.options(StorageOptions(durability: .normal)))
        // A first unit reserves ids, so that what follows is the steady state.
        try storage.save(["A", "B"])
        try body(storage, recorder)
    }

    @Test("of a change: one SELECT, one UPDATE of the changed column only")
    func update() throws {
        try recorded { storage, recorder in
            let all = try recorder.record {
                try storage.perform(ephemeral: true) { context, save in
                    let car: Car = try context.acquire("A")
                    car.year = 5
                    car.price = 0
                    try save()
                }
            }
            #expect(
                work(all) == [
                    #"SELECT "_id", "model", "mark", "number", "year", "price", "builtAt" FROM "Car" WHERE "model" = ?"#,
                    #"UPDATE "Car" SET "year" = ? WHERE "_id" = ?"#,
                ])
        }
    }

    @Test("of a hundred changed objects: one UPDATE each, and nothing for those that were only read")
    func manyUpdates() throws {
        try recorded { storage, recorder in
            try storage.save((0..<100).map { "car \($0)" })
            let all = try recorder.record {
                try storage.perform(ephemeral: true) { context, save in
                    for (index, car) in try context.fetch(Request<Car>()).enumerated() where index % 2 == 0 {
                        car.year += 1
                    }
                    try save()
                }
            }
            #expect(work(all).filter { $0.hasPrefix("UPDATE") }.count == 51)
            #expect(work(all).count == 52)
        }
    }

    @Test("of create, remove, wipe")
    func others() throws {
        try recorded { storage, recorder in
            let all = try recorder.record {
                try storage.perform(ephemeral: true) { context, save in
                    let car = try context.create(Car.self)
                    car.model = "C"
                    try save()
                    try context.remove(car)
                    try save()
                    try context.wipe(Car.self)
                    try save()
                }
            }
            #expect(
                work(all) == [
                    #"INSERT INTO "Car" ("_id", "model", "mark", "number", "year", "price", "builtAt") VALUES (?, ?, ?, ?, ?, ?, ?)"#,
                    #"DELETE FROM "Car" WHERE "_id" = ?"#,
                    #"DELETE FROM "Car""#,
                ])
        }
    }

    @Test("of a removal by request: the ids, and one DELETE")
    func removal() throws {
        try recorded { storage, recorder in
            try storage.save((0..<10).map { "car \($0)" })
            let all = try recorder.record {
                try storage.perform(ephemeral: true) { context, save in
                    try context.remove(Request<Car>().filter("model", beginsWith: "car"))
                    try save()
                }
            }
            #expect(work(all).count == 2 && work(all)[0].hasPrefix(#"SELECT "_id" FROM"#))
            #expect(work(all)[1] == #"DELETE FROM "Car" WHERE "_id" IN (SELECT value FROM kernel_values(?))"#)
        }
    }

    @Test("of a small unit: one transaction with one savepoint")
    func frame() throws {
        try recorded { storage, recorder in
            let all = try recorder.record { try storage.save(["C"]) }
            let frame = all.filter { !work(all).contains($0) && !$0.hasPrefix("PRAGMA") }
            #expect(frame.count == 3, "\(frame)")
        }
    }

    @Test("of an object that is known by its id: none")
    func known() throws {
        try recorded { storage, recorder in
            try storage.perform(ephemeral: true) { context, _ in
                let car: Car = try context.acquire("A")
                let id = car.objectID
                let all = try recorder.record {
                    let again: Car? = try context.object(with: id)
                    #expect(again === car)
                }
                #expect(all == [])
            }
        }
    }

    @Test("an object is one block of the heap: its values and 64 bytes")
    func heap() throws {
        #expect(MemoryLayout<KernelState>.size == 48)
        // The C library tells on Linux.
        guard let symbol = dlsym(nil, "malloc_usable_size") else { return }
        let usableSize = unsafeBitCast(symbol, to: (@convention(c) (UnsafeRawPointer) -> Int).self)
        let storage = try garage()
        try storage.save(["A"])
        try storage.read { context in
            let car = try #require(try context.first(Request<Car>()))
            // A block is a multiple of 16 with 8 of the allocator's own.
            let values = MemoryLayout<CarValues>.size
            #expect(usableSize(UnsafeRawPointer(Unmanaged.passUnretained(car).toOpaque())) <= values + 64 + 16)
        }
    }

    /// As many values as a `Car` has, of the same types, the transient one included.
    private struct CarValues {
        var model: String, mark: String?, badge: String?
        var number: Int?, year: Int
        var price: Double
        var builtAt: Date?
    }

    @Test("a query that was run before is prepared no more, whatever its values")
    func prepares() throws {
        let storage = try garage()
        try storage.save((0..<10).map { "car \($0)" })
        try storage.perform(ephemeral: true) { context, save in
            let connection = try #require(context as? UnitContext).connection
            func round(_ n: Int) throws {
                _ = try context.fetch(Request<Car>().filter(\.model == "car \(n)"))
                _ = try context.count(Request<Car>().filter(\.year > n))
                let car: Car = try context.acquire("car \(n)")
                car.year = n
                let new: Car = try context.acquire("new \(n)")
                new.year = n
                try save()
            }
            try round(0)
            try round(1)
            var before = connection.counters
            for n in 2..<10 { try round(n) }
            #expect(connection.counters.prepares == before.prepares)
            // Each round: BEGIN, SAVEPOINT and COMMIT, the version of the database, the fetch, the count, two keys looked
            // up, one update, one insert.
            #expect((connection.counters.runs - before.runs) / 8 <= 12)
            // One row is found by one step, where there cannot be a second one.
            _ = try context.count(Request<Car>())
            before = connection.counters
            #expect(try context.fetch(Request<Car>().filter(\.model == "car 3")).count == 1)
            let known: Car = try context.acquire("car 4")
            #expect(known.year == 4)
            #expect(connection.counters.runs == before.runs + 2)
            #expect(connection.counters.steps == before.steps + 2)
        }
    }
}
