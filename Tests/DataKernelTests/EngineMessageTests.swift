import DataKernel
import DataKernelTesting
import Foundation
import KernelSQL
import KernelSQLite
import Testing

@Suite("What SQLite refuses reaches the user in the model's words")
struct EngineMessageTests {
    /// What another program does to an open store, and the words of the error that follows.
    struct Change: CustomTestStringConvertible, Sendable {
        let sql: String
        var act = Act.write
        /// What the row before it has; the one that is written has 9.
        var position = 9
        let words: String
        var testDescription: String { sql }
    }

    enum Act { case read, write, remove }

    private static let trigger = "CREATE TRIGGER foreign_one BEFORE INSERT ON Wheel BEGIN"

    @Test(
        "whatever another program did to the tables",
        arguments: [
            Change(sql: "DROP TABLE Wheel", act: .read, words: "another program removed the table Wheel"),
            Change(sql: "DROP TABLE Wheel", words: "another program removed the table"),
            Change(
                sql: "ALTER TABLE Wheel RENAME COLUMN position TO place", act: .read,
                words: "another program removed the column position"),
            Change(
                sql: "ALTER TABLE Wheel RENAME COLUMN position TO place",
                words: "another program removed the column"),
            Change(
                sql: "DROP TABLE Wheel; CREATE VIEW Wheel AS SELECT 1 AS _id, 2 AS position, 'x' AS serial",
                words: "Wheel is a view in the store"),
            Change(
                sql: "DROP TABLE Wheel; "
                    + "CREATE TABLE Wheel (_id INTEGER PRIMARY KEY, serial, position GENERATED ALWAYS AS (1))",
                words: "computed"),
            Change(
                sql: "DROP TABLE Wheel; "
                    + "CREATE TABLE Wheel (_id INTEGER PRIMARY KEY, serial INTEGER, position INTEGER) STRICT",
                words: "strict"),
            Change(
                sql: "CREATE TABLE Note (wheel REFERENCES Wheel (position))", act: .remove,
                words: "columns that are not unique"),
            Change(
                sql: "CREATE TABLE Note (wheel REFERENCES Wheel (_id)); INSERT INTO Note SELECT _id FROM Wheel",
                act: .remove, words: "the reference is none of the model's"),
            Change(
                sql: trigger + " SELECT RAISE(ABORT, 'not on\nSundays'); END", words: #"refused it (not on\nSundays)"#),
            Change(sql: trigger + " SELECT RAISE(ROLLBACK, 'never'); END", words: "refused it (never)"),
            Change(sql: trigger + " SELECT soundex_of(1); END", words: "the function soundex_of"),
            Change(sql: trigger + " SELECT abs(-9223372036854775807 - 1); END", words: "a number that is too large"),
            Change(sql: trigger + " SELECT load_extension('x'); END", words: "load_extension()"),
            Change(
                sql: "ALTER TABLE Wheel ADD COLUMN extra CHECK (position < 5)", position: 1,
                words: "a check that another program added to the store"),
            Change(sql: "CREATE UNIQUE INDEX foreign_one ON Wheel (position - 9)", words: "another program added"),
            Change(
                sql: "CREATE UNIQUE INDEX foreign_one ON Wheel (position)",
                words: "Wheel: another object has the same position"),
        ])
    func foreign(change: Change) throws {
        let folder = try Folder()
        let storage = try folder.storage()
        try storage.perform(ephemeral: true) { context, save in
            try context.create(Wheel.self).position = change.position
            try save()
        }
        try Connection(path: folder.file().path, role: .writer).execute(change.sql)
        let error = #expect(throws: KernelError.self) {
            switch change.act {
            case .read: _ = try storage.read { try $0.fetch(Request<Wheel>()).count }
            case .write:
                try storage.perform(ephemeral: true) { context, save in
                    try context.create(Wheel.self).position = 9
                    try save()
                }
            case .remove:
                try storage.perform(ephemeral: true) { context, save in
                    try context.remove(Request<Wheel>())
                    try save()
                }
            }
        }
        let message = "\(try #require(error))"
        #expect(message.contains(change.words), "\(message)")
        #expect(!message.contains("SQLite error") && !message.contains("INSERT INTO"), "\(message)")
        // The raw text is there for who wants it.
        #expect(error?.failure?.message.isEmpty == false)
    }

    @Test("a full disk is storeFull, whichever call of SQLite's meets it")
    func fullDisk() throws {
        let faults = FaultInjector()
        let storage = try garage(faults.options())
        faults.arm(call: 1, with: .full)
        let error = #expect(throws: KernelError.self) { try storage.save(["A"]) }
        guard case .storeFull(let failure) = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.message == "database or disk is full")
        let shared = DatabaseFailure(code: ResultCode(4874), message: "disk I/O error", systemError: ENOSPC)
        guard case .storeFull = StoreFile.error(shared, path: "/x") else {
            Issue.record("an I/O error for want of room")
            return
        }
    }

    @Test("the rest of what can fail names no engine", arguments: [ResultCode.ioError, .noMemory, .interrupt, .tooBig])
    func codes(code: ResultCode) throws {
        let faults = FaultInjector()
        let storage = try garage(faults.options())
        faults.arm(call: 1, with: code)
        let error = try #require(#expect(throws: KernelError.self) { try storage.save(["A"]) })
        #expect(!"\(error)".contains("SQLite error"))
        #expect(error.failure.map { "\(error)" != $0.message } == true)
    }
}
