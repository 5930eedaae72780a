import DataKernel
import KernelSQL
import KernelSQLite
import Testing

/// SQLite rolls a transaction back by itself when the disk is full, among others. Here a trigger makes it do so.
@Suite("A transaction that the database itself rolled back")
struct LostTransactionTests {
    private func storage(_ folder: Folder) throws -> SQLiteStorage {
        let storage = try folder.storage()
        try storage.save(["A", "B"])
        let other = try Connection(path: folder.file().path, role: .writer)
        defer { other.close() }
        for event in ["INSERT", "UPDATE"] {
            try other.execute(
                "CREATE TRIGGER lose_\(event) BEFORE \(event) ON Car WHEN new.year = 99 "
                    + "BEGIN SELECT RAISE(ROLLBACK, 'lost'); END")
        }
        return storage
    }

    @Test("leaves all changes pending, to be mended and saved", arguments: [true, false], [true, false])
    func mended(isInsert: Bool, isNested: Bool) throws {
        let folder = try Folder()
        let storage = try storage(folder)
        try storage.perform(ephemeral: true) { context, save in
            let a: Car = try context.acquire("A")
            a.year = 1
            let b: Car = try context.acquire("B")
            try context.remove(b)
            let c: Car = try context.acquire("C")
            #expect(try context.count(Request<Car>()) == 2)
            func lose(_ context: any Context, _ save: Save) throws {
                let car: Car = try context.acquire(isInsert ? "D" : "A")
                car.year = 99
                #expect(throws: KernelError.self) { _ = try context.count(Request<Car>()) }
                #expect(throws: KernelError.self) { try save() }
                #expect(context.hasChanges)
                car.year = 7
                #expect(try context.count(Request<Car>()) == (isInsert ? 3 : 2))
                try save()
            }
            if isNested { try context.perform { try lose($0, $1) } } else { try lose(context, save) }
            #expect(!context.hasChanges && b.isDeleted && !c.isInserted)
            #expect(a.year == (isInsert ? 1 : 7))
        }
        #expect(try storage.models() == (isInsert ? ["A", "C", "D"] : ["A", "C"]))
        #expect(try storage.read { try $0.count(Request<Car>().filter("year", equalTo: 7)) } == 1)
    }
}
