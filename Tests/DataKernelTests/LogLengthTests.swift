import DataKernel
import Foundation
import KernelSQLite
import Testing

/// A store and how long its log is.
private struct LoggedStore: Sendable {
    let storage: SQLiteStorage
    let log: URL

    var logSize: Int {
        (try? FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int) ?? 0
    }

    /// Changes all cars, again and again, until the log is longer than it may stay.
    func grow() throws {
        var year = 0
        while logSize <= 2 * Connection.logLimit {
            year += 1
            let next = year
            try change { car in
                car.year = next
                car.mark = String(repeating: "m", count: 10_000)
            }
        }
    }

    func change(_ body: @Sendable (Car) -> Void) throws {
        try storage.perform(ephemeral: true) { context, save in
            for car in try context.fetch(Request<Car>()) {
                car.number = Int(car.model)
                body(car)
            }
            try save()
        }
    }

    func touch(_ price: Double) throws {
        try storage.perform(ephemeral: true) { context, save in
            try context.first(Request<Car>())?.price = price
            try save()
        }
    }
}

@Suite("The log of a store")
struct LogLengthTests {
    private let folder: Folder
    private let store: LoggedStore

    init() throws {
        folder = try Folder()
        let storage = try folder.storage(options: StorageOptions(durability: .normal))
        store = LoggedStore(storage: storage, log: folder.file("store.db-wal"))
        try storage.save((0..<100).map(String.init))
    }

    @Test("is short again when the read that made it grow has ended")
    func readEnds() throws {
        let store = store
        try store.storage.read { context in
            #expect(try context.fetch(Request<Car>()).allSatisfy { $0.year == 0 })
            try store.grow()
            #expect(try context.fetch(Request<Car>()).allSatisfy { $0.year == 0 })
        }
        #expect(store.logSize <= Connection.logLimit)
        #expect(try store.storage.read { try $0.fetch(Request<Car>()).allSatisfy { $0.year > 0 } })
    }

    @Test("is short again at the next save when another program's read has ended")
    func nextSave() throws {
        let other = try Connection(path: folder.file().path, role: .reader)
        try other.execute("BEGIN; SELECT * FROM Car")
        try store.grow()
        try store.touch(1)
        #expect(store.logSize > 2 * Connection.logLimit)
        try other.execute("COMMIT")
        try store.touch(2)
        #expect(store.logSize <= Connection.logLimit)
    }

    @Test("is short after a save of much")
    func bigSave() throws {
        try store.change { $0.mark = String(repeating: "m", count: 100_000) }
        #expect(store.logSize <= Connection.logLimit)
    }

    @Test("stays long while somebody reads from it, and saves go on")
    func reading() throws {
        let store = store
        try store.storage.read { context in
            _ = try context.count(Request<Car>())
            try store.grow()
            for number in 0..<50 { try store.touch(Double(number)) }
            #expect(store.logSize > 2 * Connection.logLimit)
        }
        #expect(try store.storage.read { try $0.first(Request<Car>())?.price } == 49)
    }

    // first reader   second reader   writer
    // reads
    //                                grows the log
    //                reads
    // ends
    //                                saves: the second one reads from the log
    //                ends
    @Test("is short again after the last of readers that overlap")
    func overlapping() async throws {
        let store = store
        let (asked, mayEnd) = ([Gate(), Gate()], [Gate(), Gate()])
        func reader(_ number: Int) async throws {
            try await onThread {
                try store.storage.read { context in
                    _ = try context.count(Request<Car>())
                    asked[number].open()
                    try mayEnd[number].wait()
                }
            }
        }
        async let first: Void = reader(0)
        await asked[0].opened()
        try store.grow()
        async let second: Void = reader(1)
        await asked[1].opened()
        mayEnd[0].open()
        try await first
        try store.touch(1)
        #expect(store.logSize > Connection.logLimit)
        mayEnd[1].open()
        try await second
        #expect(store.logSize <= Connection.logLimit)
    }

    @Test("is marked anew after it was emptied: it is recovered beside its file, and refused beside an older one")
    func marks() throws {
        let backup = try folder.storage("backup.db")
        try backup.save(["BACKUP"])
        try FileManager.default.copyItem(at: folder.file(), to: folder.file("old.db"))
        try store.change { $0.mark = String(repeating: "m", count: 100_000) }
        try store.touch(7)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(at: folder.file("store.db" + suffix), to: folder.file("new.db" + suffix))
        }
        try FileManager.default.copyItem(at: folder.file("store.db-wal"), to: folder.file("old.db-wal"))
        #expect(try folder.storage("new.db").read { try $0.count(Request<Car>().filter("price", equalTo: 7.0)) } == 1)
        let error = #expect(throws: KernelError.self) { try folder.storage("old.db") }
        guard case .foreignLog = error else {
            Issue.record("not foreignLog: \(String(describing: error))")
            return
        }
    }
}
