import Foundation
import KernelSQL
import Testing

@testable import KernelSQLite

@Suite struct TransactionTests {
    let folder: TemporaryFolder
    let writer: Connection

    init() throws {
        folder = try TemporaryFolder()
        writer = try folder.writer()
        try writer.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x)")
    }

    private func count(_ connection: Connection) throws -> StoredValue? {
        try connection.one("SELECT count(*) FROM t")
    }

    @Test("commit keeps, rollback undoes, and a rollback without a transaction is no error")
    func basics() throws {
        try writer.begin()
        #expect(writer.isInTransaction)
        try writer.execute("INSERT INTO t VALUES (1, 1)")
        try writer.commit()
        #expect(!writer.isInTransaction)
        try writer.begin()
        try writer.execute("INSERT INTO t VALUES (2, 2)")
        try writer.rollback()
        #expect(try count(writer) == .integer(1))
        try writer.rollback()
        #expect(!writer.isRetired)
        #expect(failure { try writer.commit() }?.code == .error)
    }

    @Test("savepoints undo and keep by depth, in any nesting")
    func savepoints() throws {
        try writer.begin()
        try writer.execute("INSERT INTO t VALUES (1, 1)")
        try writer.savepoint(depth: 1)
        try writer.execute("INSERT INTO t VALUES (2, 2)")
        try writer.savepoint(depth: 2)
        try writer.execute("INSERT INTO t VALUES (3, 3)")
        try writer.rollback(toDepth: 2)
        try writer.release(depth: 2)
        #expect(try count(writer) == .integer(2))
        try writer.savepoint(depth: 2)
        try writer.execute("INSERT INTO t VALUES (4, 4)")
        try writer.release(depth: 2)
        try writer.rollback(toDepth: 1)
        try writer.release(depth: 1)
        try writer.commit()
        #expect(try writer.one("SELECT group_concat(id) FROM t") == .text("1"))
    }

    @Test("a constraint failure undoes its statement only")
    func constraint() throws {
        try writer.begin()
        try writer.execute("INSERT INTO t VALUES (1, 1)")
        #expect(failure { try writer.execute("INSERT INTO t VALUES (2, 2), (1, 1)") }?.code == .constraintPrimaryKey)
        #expect(writer.isInTransaction)
        try writer.commit()
        #expect(try count(writer) == .integer(1))
    }

    @Test("SQLite's own rollback when the disk is full is seen, and what follows works")
    func automaticRollback() throws {
        let insert = SQLText("INSERT INTO t(x) VALUES (zeroblob(3000))")
        try writer.execute("PRAGMA max_page_count=20")
        try writer.begin()
        try writer.savepoint(depth: 1)
        let failure = failure { for _ in 0..<100 { try writer.run(insert) } }
        #expect(failure?.code == .full)
        #expect(!writer.isInTransaction)
        try writer.rollback(toDepth: 1)
        try writer.rollback()
        #expect(!writer.isRetired)
        #expect(try count(writer) == .integer(0))
        try writer.begin()
        try writer.run(insert)
        try writer.commit()
        #expect(try count(writer) == .integer(1))
    }

    @Test("a rollback that fails retires the connection")
    func retired() throws {
        try writer.begin()
        writer.fault = { $0 == .rollback ? .ioError : nil }
        #expect(failure { try writer.rollback() }?.code == .ioError)
        #expect(writer.isRetired)
        writer.fault = nil
        try writer.rollback()
        #expect(failure { try writer.begin() }?.code == .misuse)
    }

    @Test("rows that are being read end with an error at a rollback, and not with rows from after it")
    func cursorOverRollback() throws {
        try writer.execute("INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)")
        for toSavepoint in [true, false] {
            try writer.begin()
            try writer.savepoint(depth: 1)
            try writer.execute("UPDATE t SET x = 10")
            let cursor = try writer.borrow(SQLText("SELECT x FROM t ORDER BY id"))
            #expect(try cursor.step())
            #expect(try cursor.row.integer(0) == 10)
            if toSavepoint { try writer.rollback(toDepth: 1) } else { try writer.rollback() }
            #expect(failure { _ = try cursor.step() }?.code == .abort)
            writer.giveBack(cursor)
            try writer.rollback()
        }
    }

    @Test("a writing statement left on a row does not keep the commit from happening, nor runs twice")
    func returningAtCommit() throws {
        try writer.begin()
        let insert = try writer.borrow(SQLText("INSERT INTO t(x) VALUES (1), (2) RETURNING id"))
        #expect(try insert.step())
        try writer.commit()
        #expect(failure { _ = try insert.step() }?.code == .abort)
        #expect(try count(writer) == .integer(2))
    }

    @Test("rows that are being read survive a commit")
    func cursorOverCommit() throws {
        try writer.execute("INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)")
        try writer.begin()
        let cursor = try writer.borrow(SQLText("SELECT x FROM t"))
        #expect(try cursor.step())
        try writer.execute("INSERT INTO t VALUES (9, 9)")
        try writer.commit()
        var rest = 0
        while try cursor.step() { rest += 1 }
        #expect(rest == 3)
    }

    @Test("a foreign key left open is known before the commit, fails it, and can be mended")
    func deferredKeys() throws {
        try writer.execute("CREATE TABLE c(t INTEGER REFERENCES t(id) DEFERRABLE INITIALLY DEFERRED)")
        try writer.begin()
        #expect(!writer.hasDeferredViolations)
        try writer.execute("INSERT INTO c VALUES (7)")
        #expect(writer.hasDeferredViolations)
        #expect(failure { try writer.commit() }?.code == .constraintForeignKey)
        #expect(writer.isInTransaction)
        try writer.execute("INSERT INTO t VALUES (7, 0)")
        #expect(!writer.hasDeferredViolations)
        try writer.commit()
    }

    //  writer                      reader
    //  BEGIN IMMEDIATE, INSERT
    //                              reads the old state, waits for nothing
    //  COMMIT
    //                              reads the old state in its open transaction, then the new one
    @Test("a reader keeps its snapshot through a writer's whole transaction", arguments: [false, true])
    func snapshots(inMemory: Bool) throws {
        let path = inMemory ? try MemoryStore.makePath() : folder.file("snapshot.db")
        let writer = try Connection(path: path, role: .writer, options: .quick)
        let reader = try Connection(path: path, role: .reader, options: .quick)
        if inMemory { try MemoryStore.unlink(path: path) }
        try writer.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x)")

        try writer.begin()
        try writer.execute("INSERT INTO t VALUES (1, 1)")
        try reader.execute("BEGIN")
        #expect(try count(reader) == .integer(0))
        try writer.commit()
        #expect(try count(reader) == .integer(0))
        try reader.execute("COMMIT")
        #expect(try count(reader) == .integer(1))
    }

    @Test("a memory store grows, checkpoints and leaves nothing behind")
    func memoryStore() throws {
        let path = try MemoryStore.makePath()
        let writer = try Connection(path: path, role: .writer, options: .quick)
        let readers = try (0..<4).map { _ in try Connection(path: path, role: .reader, options: .quick) }
        try MemoryStore.unlink(path: path)
        #expect(!FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
        try writer.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x)")
        let many = SQLText(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) INSERT INTO t(x) SELECT i FROM n"
        )
        for round in 1...5 {
            try writer.begin()
            try writer.run(many)
            try writer.commit()
            for reader in readers { #expect(try count(reader) == .integer(Int64(round * 20000))) }
        }
        try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try readers[0].one("PRAGMA integrity_check") == .text("ok"))
        #expect(!FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
    }
}
