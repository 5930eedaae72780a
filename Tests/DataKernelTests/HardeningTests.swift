import DataKernel
import DataKernelTesting
import Foundation
import KernelSQLite
import Testing

@Entity(indexes: [["a", "b"]])
private final class Clash {
    @Attribute(.indexed) var a_b = 0
    var a = 0
    var b = 0
}

extension Folder {
    /// Changes a store as another program would.
    fileprivate func tamper(_ sql: String) throws {
        let connection = try Connection(path: file().path, role: .writer)
        defer { connection.close() }
        try connection.execute(sql)
    }
}

@Suite("What a database, a file or another program does")
struct HardeningTests {
    private static let rollback =
        "CREATE TRIGGER l BEFORE DELETE ON Car WHEN old.model = 'B' BEGIN SELECT RAISE(ROLLBACK, 'lost'); END"

    @Test("a transaction that the database rolled back in a removal loses nothing: the save writes all of it")
    func lostThenSaved() throws {
        let folder = try Folder()
        let storage = try folder.storage()
        try storage.save(["A", "B"])
        try folder.tamper(HardeningTests.rollback)
        try storage.perform(ephemeral: true) { context, save in
            let a: Car = try context.acquire("A")
            a.year = 5
            let _: Car = try context.acquire("C")
            #expect(throws: KernelError.self) { try context.remove(Request<Car>().filter("model", equalTo: "B")) }
            #expect(try context.count(Request<Car>()) == 3)
            #expect(throws: KernelError.self) { try context.remove(Request<Car>().filter("model", equalTo: "B")) }
            try save()
            #expect(!context.hasChanges)
        }
        #expect(try storage.models() == ["A", "B", "C"])
        #expect(try storage.read { try $0.count(Request<Car>().filter("year", equalTo: 5)) } == 1)
    }

    @Test("a removal by request that fails has removed nothing", arguments: 1...8)
    func wholeRemoval(call: Int) throws {
        let faults = FaultInjector()
        let storage = try garage(faults.options(StorageOptions(durability: .normal)))
        try storage.save(["A", "B", "C"])
        try storage.perform(ephemeral: true) { context, save in
            let c: Car = try context.acquire("C")
            faults.arm(call: call, with: .ioError)
            let isRemoved = (try? context.remove(Request<Car>().filter("model", lessThan: "C"))) != nil
            faults.disarm()
            c.year = 1
            try save()
            #expect(try context.fetch(Request<Car>()).map(\.model) == (isRemoved ? ["C"] : ["A", "B", "C"]))
        }
    }

    @Test("indexes whose names would be alike are kept apart")
    func indexNames() throws {
        _ = try SQLiteStorage(store: .memory, model: [Clash.self])
    }

    @Test(
        "kernel tables that were tampered with are an error when the store is opened",
        arguments: ["SET value = x'00' WHERE key = 'model'", "SET value = 'x' WHERE key = 'version'"])
    func tamperedModel(change: String) throws {
        let folder = try Folder()
        try folder.storage().save(["A"])
        try folder.tamper("UPDATE kernel_meta \(change)")
        #expect(throws: KernelError.self) { try folder.storage() }
    }

    @Test(
        "row ids that are used up or tampered with are an error and no trap",
        arguments: [
            "UPDATE kernel_id SET next = 9223372036854775800", "UPDATE kernel_id SET next = 'x'",
            "UPDATE Car SET _id = 9223372036854775807",
        ])
    func tamperedIDs(change: String) throws {
        let folder = try Folder()
        try folder.storage().save(["A"])
        try folder.tamper(change)
        let storage = try folder.storage()
        #expect(throws: KernelError.self) { try storage.save(["Q"]) }
        #expect(try storage.models() == ["A"])
    }

    @Test("objects of the save context may be let go outside its units, by several threads")
    func releasedOutside() async throws {
        let storage = try garage()
        try storage.save((0..<100).map(String.init))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<100 {
                        nonisolated(unsafe) var kept: [Car] = []
                        try? storage.perform(ephemeral: false) { context, _ in
                            kept = try context.fetch(Request<Car>())
                        }
                        _ = kept.count
                    }
                }
            }
        }
        #expect(try await storage.read { try $0.count(Request<Car>()) } == 100)
    }

    // this storage              the other one
    //                           saves B
    // its first unit saves A
    // uiContext shows both
    @Test("another process's save right before the first own one is seen")
    @MainActor func foreignBeforeFirstOwn() throws {
        let folder = try Folder()
        try folder.storage().save(["A", "B"])
        let mine = try folder.storage()
        let theirs = try folder.storage()
        let cars = try mine.uiContext.fetch(Request<Car>().sort("model"))
        try theirs.perform(ephemeral: true) { context, save in
            try context.acquire(Car.self, "B").year = 4
            try save()
        }
        try mine.perform(ephemeral: true) { context, save in
            try context.acquire(Car.self, "A").year = 3
            try save()
        }
        _ = try mine.uiContext.fetch(Request<Car>())
        #expect(cars.map(\.year) == [3, 4])
    }
}
