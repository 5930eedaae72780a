import CKernelSQLite
import Foundation
import KernelSQL
import Testing

@testable import KernelSQLite

@Suite struct ConnectionTests {
    let folder: TemporaryFolder
    let connection: Connection

    init() throws {
        folder = try TemporaryFolder()
        connection = try folder.writer()
        try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x); CREATE TABLE u(x UNIQUE)")
    }

    @Test("a writer is set up: WAL, foreign keys, synchronous, cache, no trust, no double-quoted strings")
    func settings() throws {
        #expect(try connection.one("PRAGMA journal_mode") == .text("wal"))
        #expect(try connection.one("PRAGMA foreign_keys") == .integer(1))
        #expect(try connection.one("PRAGMA trusted_schema") == .integer(0))
        #expect(try connection.one("PRAGMA cache_size") == .integer(-16000))
        for (mode, number) in [(.full, 2), (.normal, 1), (.off, 0)] as [(ConnectionOptions.Synchronous, Int64)] {
            let other = try folder.writer("\(mode).db", ConnectionOptions(synchronous: mode))
            #expect(try other.one("PRAGMA synchronous") == .integer(number))
        }
        let misspelt = failure { try connection.execute(#"SELECT * FROM t WHERE "naem" = 1"#) }
        #expect(misspelt?.code == .error)
        #expect(misspelt?.sql == #"SELECT * FROM t WHERE "naem" = 1"#)
    }

    @Test("a reader cannot write, and does not create a file")
    func reader() throws {
        let reader = try folder.reader()
        #expect(failure { try reader.execute("INSERT INTO t(x) VALUES (1)") }?.code == .readOnly)
        #expect(failure { _ = try folder.reader("missing.db") }?.code == .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: folder.file("missing.db")))
    }

    @Test("a connection reads the schema with its first statement, not before, and has its settings then")
    func lateSettings() throws {
        func schemaBytes(_ connection: Connection) -> Int32 {
            var (current, highest) = (Int32(0), Int32(0))
            sqlite3_db_status(connection.handle.database, SQLITE_DBSTATUS_SCHEMA_USED, &current, &highest, 0)
            return current
        }
        let reader = try folder.reader()
        #expect(schemaBytes(reader) == 0)
        #expect(try reader.one("PRAGMA cache_size") == .integer(-16000))
        #expect(try reader.one("PRAGMA synchronous") == .integer(0))
        #expect(schemaBytes(reader) > 0)
    }

    @Test("constants that are written as numbers are the header's")
    func constants() {
        #expect(Int32(utf8Encoding) == SQLITE_UTF8)
        #expect(ResultCode.readOnlyMoved.rawValue == SQLITE_READONLY | 4 << 8)
        #expect(Int.max.length == sqlite3_uint64(Int.max))
    }

    @Test("codes are extended, messages and SQL are kept, bound values are not")
    func codes() throws {
        let insert = SQLText("INSERT INTO u VALUES (?)")
        try connection.run(insert) { $0.bind(text: "secret") }
        let failure = failure { try connection.run(insert) { $0.bind(text: "secret") } }
        #expect(failure?.code == .constraintUnique)
        #expect(failure?.message == "UNIQUE constraint failed: u.x")
        #expect(failure?.sql == insert.text)
        #expect(failure?.description.contains("secret") == false)
        #expect(try connection.run(insert) { $0.bind(text: "other") } == 1)
    }

    @Test("run counts the rows that its own statement changed, and nothing for one that changed none")
    func changes() throws {
        #expect(try connection.run(SQLText("INSERT INTO t(x) VALUES (1), (2), (3)")) == 3)
        #expect(try connection.run(SQLText("SELECT * FROM t")) == 0)
        #expect(try connection.run(SQLText("UPDATE t SET x = 0 WHERE id = 99")) == 0)
        #expect(try connection.run(SQLText("CREATE TABLE v(x)")) == 0)
        #expect(try connection.run(SQLText("DELETE FROM t WHERE id > 1")) == 2)
        #expect(connection.changes == 2)
    }

    @Test("execute runs every statement, and stops at the first that fails")
    func execute() throws {
        try connection.execute("INSERT INTO t VALUES (1, 'a;b'); -- a comment;\n INSERT INTO t VALUES (2, 'ü'); ; ")
        #expect(try connection.one("SELECT group_concat(x) FROM t") == .text("a;b,ü"))
        #expect(throws: DatabaseFailure.self) {
            try connection.execute(
                "INSERT INTO t VALUES (3, 3); INSERT INTO t VALUES (3, 3); INSERT INTO t VALUES (4, 4)")
        }
        #expect(try connection.one("SELECT count(*) FROM t") == .integer(3))
        #expect(failure { try connection.execute("SELECT 1\0; DROP TABLE t") }?.code == .misuse)
    }

    // MARK: The cache

    @Test("a text is prepared once, however often it runs")
    func cache() throws {
        let text = SQLText("SELECT x FROM t")
        let before = connection.counters
        for _ in 0..<10 { try connection.rows(text) { _ in } }
        #expect(connection.counters.prepares == before.prepares + 1)
        #expect(connection.counters.runs == before.runs + 10)
        #expect(connection.counters.steps == before.steps + 10)
    }

    @Test("the same text inside its own loop gets a second statement, and both loops see every row")
    func reentrance() throws {
        try connection.execute("INSERT INTO t(x) VALUES (1), (2), (3)")
        let text = SQLText("SELECT x FROM t ORDER BY x")
        let before = connection.counters.prepares
        var pairs: [[Int64]] = []
        try connection.rows(text) { outer in
            let x = try outer.integer(0)
            try connection.rows(text) { pairs.append([x, try $0.integer(0)]) }
        }
        #expect(pairs == [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3]])
        // The outer one stayed out all the time; of the inner ones the first went back and served the others.
        #expect(connection.counters.prepares == before + 2)
    }

    @Test("a statement that throws in its loop goes back reset and serves again")
    func throwingLoop() throws {
        try connection.execute("INSERT INTO t(x) VALUES (1), (2)")
        let text = SQLText("SELECT x FROM t")
        struct Stop: Error {}
        #expect(throws: Stop.self) { try connection.rows(text) { _ in throw Stop() } }
        var count = 0
        let before = connection.counters.prepares
        try connection.rows(text) { _ in count += 1 }
        #expect(count == 2)
        #expect(connection.counters.prepares == before)
    }

    @Test("a returned statement has forgotten its values")
    func clearsBindings() throws {
        let text = SQLText("SELECT ?")
        try connection.rows(text, bind: { $0.bind(integer: 1) }) { _ in }
        #expect(failure { try connection.rows(text) { _ in } }?.code == .misuse)
    }

    @Test("the least recently used statement leaves a full cache")
    func eviction() throws {
        let small = try folder.writer("small.db", ConnectionOptions(synchronous: .off, statementLimit: 3))
        let texts = (0..<4).map { SQLText("SELECT \($0)") }
        for text in texts.prefix(3) { try small.rows(text) { _ in } }
        try small.rows(texts[0]) { _ in }
        #expect(small.cache.count == 3)
        var before = small.counters.prepares
        try small.rows(texts[3]) { _ in }
        try small.rows(texts[0]) { _ in }
        #expect(small.counters.prepares == before + 1)
        before = small.counters.prepares
        try small.rows(texts[1]) { _ in }
        #expect(small.counters.prepares == before + 1)
        #expect(small.cache.count == 3)
    }

    @Test("a statement whose place was given away while it was lent out is freed, not leaked")
    func evictedWhileBorrowed() throws {
        weak var weakStatement: Statement?
        do {
            let small = try folder.writer("small.db", ConnectionOptions(synchronous: .off, statementLimit: 1))
            let statement = try small.borrow(SQLText("SELECT 1"))
            weakStatement = statement
            try small.rows(SQLText("SELECT 2")) { _ in }
            #expect(try statement.step())
            small.giveBack(statement)
        }
        #expect(weakStatement == nil)
    }

    @Test("a text of two statements, or of none, is refused")
    func oneStatement() {
        #expect(failure { try connection.run(SQLText("SELECT 1; SELECT 2")) }?.code == .misuse)
        #expect(failure { try connection.run(SQLText("  ")) }?.code == .misuse)
        #expect(failure { try connection.run(SQLText("SELECT 1; ")) } == nil)
    }

    @Test("a schema change by another connection is taken in by cached statements")
    func schemaChange() throws {
        try connection.execute("INSERT INTO t VALUES (1, 'a')")
        let text = SQLText("SELECT id, x FROM t")
        try connection.rows(text) { _ in }
        let other = try folder.writer()
        try other.execute("ALTER TABLE t ADD COLUMN y DEFAULT 5; CREATE INDEX i ON t(x)")
        let before = connection.counters.prepares
        var rows = 0
        try connection.rows(text) { row in
            rows += 1
            #expect(row.columnCount == 2)
        }
        #expect(rows == 1)
        #expect(connection.counters.prepares == before)
        try other.execute("DROP INDEX i; ALTER TABLE t DROP COLUMN x")
        #expect(failure { try connection.rows(text) { _ in } }?.code == .error)
        #expect(try connection.one("SELECT y FROM t") == .integer(5))
    }

    // MARK: State

    @Test("data_version moves when another connection commits, and not by an own commit")
    func dataVersion() throws {
        let reader = try folder.reader()
        let first = try connection.dataVersion()
        let seen = try reader.dataVersion()
        try connection.execute("INSERT INTO t(x) VALUES (1)")
        #expect(try connection.dataVersion() == first)
        #expect(try reader.dataVersion() != seen)
    }

    @Test("a file that was renamed or removed while open is noticed")
    func moved() throws {
        #expect(!connection.hasMoved)
        try FileManager.default.moveItem(atPath: folder.file(), toPath: folder.file("elsewhere.db"))
        #expect(connection.hasMoved)
    }

    @Test("close may be called again, and everything afterwards is an error")
    func close() throws {
        let statement = try connection.borrow(SQLText("SELECT 1 UNION SELECT 2"))
        #expect(try statement.step())
        connection.close()
        connection.close()
        #expect(connection.isClosed && !connection.isInTransaction && connection.changes == 0)
        #expect(!connection.hasMoved && !connection.hasDeferredViolations)
        #expect(failure { _ = try statement.step() }?.code == .misuse)
        #expect(failure { _ = try connection.borrow(SQLText("SELECT 1")) }?.code == .misuse)
        #expect(failure { try connection.execute("SELECT 1") }?.code == .misuse)
        #expect(failure { try connection.begin() }?.code == .misuse)
        #expect(failure { try connection.commit() }?.code == .misuse)
        #expect(failure { try connection.rollback() } == nil)
        connection.interrupt()
        connection.giveBack(statement)
    }

    @Test("a statement that outlives its connection is an error, not a crash")
    func escapedStatement() throws {
        var statement: Statement?
        do {
            let other = try folder.writer("other.db")
            statement = try other.borrow(SQLText("SELECT 1"))
            #expect(try statement?.step() == true)
        }
        #expect(failure { _ = try statement?.step() }?.code == .misuse)
        statement = nil
    }

    @Test("an interrupt from another thread ends a long statement")
    func interrupt() throws {
        let interrupter = connection.interrupter
        let started = DispatchSemaphore(value: 0)
        let thread = Thread {
            started.wait()
            interrupter.interrupt()
        }
        thread.start()
        let endless = SQLText("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
        let failure = failure { try connection.rows(endless) { if try $0.integer(0) == 0 { started.signal() } } }
        #expect(failure?.code == .interrupt)
        #expect(try connection.one("SELECT 1") == .integer(1))
    }

    // MARK: Observation

    @Test("a trace tells each run, its rows and failure, and values only when asked")
    func trace() throws {
        var events: [TraceEvent] = []
        connection.trace = { events.append($0) }
        let text = SQLText("SELECT ?1 UNION ALL SELECT ?1")
        try connection.rows(text, bind: { $0.bind(text: "secret") }) { _ in }
        #expect(events.count == 1)
        #expect(events.first?.sql == text.text)
        #expect(events.first?.rows == 2)
        #expect(events.first?.expandedSQL == nil)
        #expect(events.first?.failure == nil)

        connection.tracesValues = true
        try connection.rows(text, bind: { $0.bind(text: "secret") }) { _ in }
        #expect(events.last?.expandedSQL == "SELECT 'secret' UNION ALL SELECT 'secret'")

        try connection.execute("INSERT INTO u VALUES (1)")
        #expect(throws: DatabaseFailure.self) { try connection.execute("INSERT INTO u VALUES (1)") }
        #expect(events.last?.failure?.code == .constraintUnique)
        connection.trace = nil
        try connection.execute("SELECT 1")
        #expect(events.count == 4)
    }

    @Test("faults are asked for at every prepare, run, begin, commit and rollback, and thrown")
    func faults() throws {
        var points: [FaultPoint] = []
        let text = SQLText("INSERT INTO t(x) VALUES (1)")
        connection.fault = { point in
            points.append(point)
            return nil
        }
        try connection.begin()
        try connection.run(text)
        try connection.run(text)
        try connection.commit()
        try connection.begin()
        try connection.rollback()
        let sql = text.text
        #expect(points == [.begin, .prepare(sql), .run(sql), .run(sql), .commit, .begin, .rollback])

        connection.fault = { $0 == .run(sql) ? .full : nil }
        #expect(failure { try connection.run(text) }?.code == .full)
        connection.fault = { $0 == .commit ? .ioError : nil }
        try connection.begin()
        #expect(failure { try connection.commit() }?.code == .ioError)
        #expect(connection.isInTransaction)
        connection.fault = nil
        try connection.commit()
        #expect(try connection.one("SELECT count(*) FROM t") == .integer(2))
    }
}
