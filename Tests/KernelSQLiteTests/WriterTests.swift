import Foundation
import KernelSQL
import Synchronization
import Testing

@testable import KernelSQLite

@Suite struct WriterTests {
    let folder: TemporaryFolder
    let writer: Connection

    init() throws {
        folder = try TemporaryFolder()
        writer = try folder.writer()
        try writer.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x)")
    }

    private static let insert = SQLText("INSERT INTO t(x) VALUES (?)")

    private static func unit(_ connection: Connection, _ value: Int) throws {
        try connection.begin()
        try connection.run(insert) { $0.bind(integer: Int64(value)) }
        try connection.commit()
    }

    @Test("four connections that write 500 units each on threads of their own give 2,000 rows and no error")
    func threads() throws {
        inParallel(4) { [folder] number in
            let own = try folder.writer()
            for _ in 0..<500 { try Self.unit(own, number) }
        }
        #expect(try writer.one("SELECT count(*) FROM t") == .integer(2000))
        #expect(
            try writer.one("SELECT max(n) = 500 AND min(n) = 500 FROM (SELECT count(*) n FROM t GROUP BY x)")
                == .integer(1))
    }

    @Test("two processes that write 1,000 units each give 2,000 rows and no error", .enabled(if: Shell.isThere))
    func processes() throws {
        let script = String(repeating: "BEGIN IMMEDIATE; INSERT INTO t(x) VALUES (2); COMMIT;\n", count: 1000)
        let file = folder.file("script.sql")
        try Data(script.utf8).write(to: URL(fileURLWithPath: file))
        inParallel(2) { [folder] number in
            if number == 0 {
                let output = try Shell.sqlite(folder.file(), ".timeout 60000", ".read '\(file)'")
                #expect(output == "")
            } else {
                let own = try folder.writer("store.db", ConnectionOptions(synchronous: .off, busyTimeout: .seconds(60)))
                for _ in 0..<1000 { try Self.unit(own, number) }
            }
        }
        #expect(try writer.one("SELECT count(*) FROM t") == .integer(2000))
    }

    @Test("a lock held for too long is busy after the time-out and not before, and a retry works")
    func heldTooLong() throws {
        let other = try folder.writer("store.db", ConnectionOptions(synchronous: .off, busyTimeout: .milliseconds(50)))
        try writer.begin()
        let start = ContinuousClock.now
        #expect(failure { try other.begin() }?.code == .busy)
        #expect(start.duration(to: .now) >= .milliseconds(50))
        #expect(!other.isInTransaction)
        try writer.commit()
        try Self.unit(other, 1)
        #expect(try writer.one("SELECT count(*) FROM t") == .integer(1))
    }

    @Test("a statement outside of begin waits for its time-out too")
    func plainStatement() throws {
        let other = try folder.writer("store.db", ConnectionOptions(synchronous: .off, busyTimeout: .milliseconds(30)))
        try writer.begin()
        let start = ContinuousClock.now
        #expect(failure { try other.execute("INSERT INTO t VALUES (1, 1)") }?.code == .busy)
        #expect(start.duration(to: .now) >= .milliseconds(30))
        try writer.rollback()
    }

    //  first            second                     third
    //  BEGIN
    //                   begin: holds the turn
    //                                              begin: waits for the turn, gives up
    //  COMMIT
    //                   gets in
    @Test("who stands behind a waiting writer waits for the turn, and is told when its time is over")
    func turn() throws {
        try writer.begin()
        let turn = TurnFile(path: folder.file() + StoreFile.turnSuffix)
        #expect(turn.take(until: .now))
        let third = try folder.writer("store.db", ConnectionOptions(synchronous: .off, busyTimeout: .milliseconds(20)))
        let failure = failure { try third.begin() }
        #expect(failure?.code == .busy)
        #expect(failure?.message == "other writers were first until the time-out")
        turn.pass()
        try writer.commit()
        try Self.unit(third, 1)
    }

    //  first            second
    //  BEGIN
    //                   begin: holds the turn, waits for the lock
    //  COMMIT
    //  begin: waits     gets in, COMMIT
    //  gets in
    @Test("a writer that begins again at once does not overtake one that waits")
    func noOvertaking() throws {
        let order = Mutex<[String]>([])
        let done = DispatchSemaphore(value: 0)
        let patient = ConnectionOptions(synchronous: .off, busyTimeout: .seconds(60))
        let first = try folder.writer("store.db", patient)
        try first.begin()
        Thread { [folder] in
            defer { done.signal() }
            do {
                let second = try folder.writer("store.db", patient)
                try second.begin()
                order.withLock { $0.append("second") }
                try second.commit()
            } catch {
                order.withLock { $0.append("\(error)") }
            }
        }.start()
        let probe = TurnFile(path: folder.file() + StoreFile.turnSuffix)
        while probe.take(until: .now) {
            probe.pass()
            sched_yield()
        }
        try first.commit()
        try first.begin()
        order.withLock { $0.append("first") }
        try first.commit()
        done.wait()
        #expect(order.withLock { $0 } == ["second", "first"])
    }

    @Test("the turn is given on when begin fails")
    func turnAfterFailure() throws {
        let other = try folder.writer("store.db", ConnectionOptions(synchronous: .off, busyTimeout: .milliseconds(5)))
        try writer.begin()
        #expect(failure { try other.begin() }?.code == .busy)
        let turn = TurnFile(path: folder.file() + StoreFile.turnSuffix)
        #expect(turn.take(until: .now))
        turn.pass()
        try writer.rollback()
    }

    @Test("many connections that open a new file at once all get WAL")
    func openAtOnce() throws {
        inParallel(6) { [folder] _ in
            let own = try folder.writer("new.db")
            #expect(try own.one("PRAGMA journal_mode") == .text("wal"))
        }
    }

    @Test("what a killed process had committed is there: database and log, copied while open")
    func recovery() throws {
        try Self.unit(writer, 1)
        try writer.begin()
        try writer.run(Self.insert) { $0.bind(integer: 2) }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.file() + suffix, toPath: folder.file("copy.db") + suffix)
        }
        let copy = try folder.writer("copy.db")
        #expect(try copy.one("SELECT group_concat(x) FROM t") == .text("1"))
        #expect(try copy.one("PRAGMA integrity_check") == .text("ok"))
        try writer.rollback()
    }

    @Test("a log that was cut off or scribbled over keeps the units before the damage, whole")
    func damagedLog() throws {
        for value in 1...20 { try Self.unit(writer, value) }
        let log = try #require(FileManager.default.contents(atPath: folder.file() + "-wal"))
        let database = try #require(FileManager.default.contents(atPath: folder.file()))
        var last: Int64 = -1
        for percent in stride(from: 0, through: 100, by: 10) {
            let path = folder.file("cut\(percent).db")
            try database.write(to: URL(fileURLWithPath: path))
            let cut = log.prefix(log.count * percent / 100) + Data(repeating: 0x5A, count: 5000)
            try cut.write(to: URL(fileURLWithPath: path + "-wal"))
            let copy = try Connection(path: path, role: .writer, options: .quick)
            #expect(try copy.one("PRAGMA integrity_check") == .text("ok"))
            guard try copy.one("SELECT count(*) FROM sqlite_schema") == .integer(1) else { continue }
            let row = try copy.all("SELECT count(*), coalesce(max(x), 0) FROM t")[0]
            #expect(row[0] == row[1], "a unit is missing in the middle")
            guard case .integer(let count) = row[0] else { continue }
            #expect(count >= last)
            last = count
        }
        #expect(last == 20)
    }

    @Test("a writer without a place for the turn's file still writes")
    func noTurnFile() throws {
        // A folder in its place.
        try FileManager.default.createDirectory(
            atPath: folder.file("b.db-next"), withIntermediateDirectories: false)
        let own = try folder.writer("b.db")
        try own.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x)")
        try Self.unit(own, 1)
        #expect(try own.one("SELECT count(*) FROM t") == .integer(1))
    }
}
