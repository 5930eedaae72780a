import Foundation
import KernelSQL
import Testing

@testable import KernelSQLite

@Suite struct StoreFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A store with one row.
    private func makeStore(_ path: String) throws {
        let connection = try Connection(path: path, role: .writer, options: .quick)
        try connection.begin()
        try StoreFile.stamp(connection)
        try connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES (1)")
        try connection.commit()
        connection.close()
    }

    private func bytes(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

    @Test("a missing file is nothing, and its folder is made")
    func missing() throws {
        let path = folder.file("a/b/store.db")
        #expect(try StoreFile.inspect(path: path) == .nothing)
        #expect(FileManager.default.fileExists(atPath: folder.file("a/b")))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("an empty file is nothing, and becomes a store")
    func empty() throws {
        try Data().write(to: URL(fileURLWithPath: folder.file()))
        #expect(try StoreFile.inspect(path: folder.file()) == .nothing)
        try makeStore(folder.file())
        #expect(try StoreFile.inspect(path: folder.file()) == .store)
    }

    @Test("a stamped file is a store, by its header and when asked")
    func store() throws {
        try makeStore(folder.file())
        #expect(try StoreFile.inspect(path: folder.file()) == .store)
        #expect(try StoreFile.verify(folder.writer()) == .store)
    }

    @Test("a file whose creation was cut off before the first commit is nothing")
    func cutOff() throws {
        try folder.writer().close()
        #expect(try StoreFile.inspect(path: folder.file()) == .nothing)
        #expect(try StoreFile.verify(folder.writer()) == .nothing)
    }

    @Test(
        "what is no database is refused and not touched",
        arguments: [
            Data("a shopping list, longer than a header: ".utf8) + Data(repeating: 0x61, count: 200),
            Data([1, 2, 3, 4, 5]),
            Data(repeating: 0, count: 4096), Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }),
        ])
    func notADatabase(content: Data) throws {
        let path = folder.file()
        try content.write(to: URL(fileURLWithPath: path))
        #expect {
            _ = try StoreFile.inspect(path: path)
        } throws: {
            if case KernelError.notADatabase(path) = $0 { true } else { false }
        }
        #expect(bytes(path) == content)
    }

    @Test("another application's database is refused, with its id or without one")
    func foreign() throws {
        for id in [0, 1234] {
            let path = folder.file("foreign\(id).db")
            let connection = try Connection(path: path, role: .writer, options: .quick)
            try connection.execute("CREATE TABLE t(x); PRAGMA application_id=\(id)")
            connection.close()
            let before = bytes(path)
            #expect {
                _ = try StoreFile.inspect(path: path)
            } throws: {
                if case KernelError.foreignStore(path, id) = $0 { true } else { false }
            }
            #expect(bytes(path) == before)
        }
    }

    @Test("a store of a newer kernel is refused")
    func newer() throws {
        try makeStore(folder.file())
        let connection = try folder.writer()
        try connection.execute("PRAGMA user_version=2")
        connection.close()
        #expect {
            _ = try StoreFile.inspect(path: folder.file())
        } throws: {
            if case KernelError.storeNewer(found: 2, supported: 1) = $0 { true } else { false }
        }
    }

    @Test("a version that only the log knows yet is seen after opening")
    func newerInLog() throws {
        try makeStore(folder.file())
        let other = try folder.writer()
        try other.execute("PRAGMA user_version=2")
        #expect(try StoreFile.inspect(path: folder.file()) == .store)
        #expect {
            _ = try StoreFile.verify(folder.writer())
        } throws: {
            if case KernelError.storeNewer(found: 2, supported: 1) = $0 { true } else { false }
        }
    }

    @Test("a foreign database whose tables are only in its log is seen after opening")
    func foreignInLog() throws {
        let other = try folder.writer()
        try other.execute("CREATE TABLE t(x)")
        #expect(try StoreFile.inspect(path: folder.file()) == .nothing)
        #expect {
            _ = try StoreFile.verify(folder.writer())
        } throws: {
            if case KernelError.foreignStore = $0 { true } else { false }
        }
    }

    @Test("a folder in the file's place cannot be opened")
    func isFolder() throws {
        #expect {
            _ = try StoreFile.inspect(path: folder.path)
        } throws: {
            if case KernelError.cannotOpen = $0 { true } else { false }
        }
    }

    @Test("a folder that cannot be made is an error that names the path")
    func noFolder() throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("file")))
        let path = folder.file("file/sub/store.db")
        #expect {
            _ = try StoreFile.inspect(path: path)
        } throws: {
            if case KernelError.cannotOpen(path, _) = $0 { true } else { false }
        }
    }

    @Test("a relative path is refused, and so is one with NUL")
    func relative() throws {
        #expect(throws: KernelError.self) { try StoreFile.inspect(path: "store.db") }
        for path in ["store.db", ":memory:", "", "file:/tmp/x.db", "/tmp/a\0b"] {
            #expect(failure { _ = try Connection(path: path, role: .writer) }?.code == .cannotOpen)
        }
    }

    @Test("a truncated or damaged store is corrupt, and becomes storeDamaged")
    func damaged() throws {
        try makeStore(folder.file())
        var content = try #require(bytes(folder.file()))
        content.replaceSubrange(100..<200, with: Data(repeating: 0xAA, count: 100))
        try content.write(to: URL(fileURLWithPath: folder.file("page.db")))
        try content.prefix(1000).write(to: URL(fileURLWithPath: folder.file("cut.db")))
        for name in ["page.db", "cut.db"] {
            let failure = failure {
                try folder.writer(name).execute("SELECT * FROM t")
            }
            #expect(failure.map { .corrupt ~= $0.code } == true, "\(name): \(String(describing: failure))")
        }
        let failure = DatabaseFailure(code: .corrupt, message: "")
        guard case .storeDamaged("p", _) = StoreFile.error(failure, path: "p") else {
            Issue.record("not storeDamaged")
            return
        }
    }

    @Test("a log without its file is removed before a store is created")
    func staleLog() throws {
        let writer = try folder.writer()
        try writer.execute("CREATE TABLE old(x); INSERT INTO old VALUES (1)")
        let log = try #require(bytes(folder.file() + "-wal"))
        writer.close()
        try StoreFile.remove(path: folder.file())
        try log.write(to: URL(fileURLWithPath: folder.file() + "-wal"))

        #expect(try StoreFile.inspect(path: folder.file()) == .nothing)
        #expect(bytes(folder.file() + "-wal") == nil)
        #expect(try folder.writer().one("SELECT count(*) FROM sqlite_schema") == .integer(0))
    }

    @Test("inspecting a store that is open in this process keeps its locks", .enabled(if: Shell.isThere))
    func inspectWhileOpen() throws {
        try makeStore(folder.file())
        let writer = try folder.writer()
        try writer.execute("INSERT INTO t VALUES (2)")
        #expect(try StoreFile.inspect(path: folder.file()) == .store)
        // Without our lock the other process would take itself for the last one and remove the log under us.
        #expect(try Shell.sqlite(folder.file(), "SELECT count(*) FROM t") == "2\n")
        #expect(FileManager.default.fileExists(atPath: folder.file() + "-wal"))
        try writer.execute("INSERT INTO t VALUES (3)")
        #expect(try Shell.sqlite(folder.file(), "SELECT count(*) FROM t") == "3\n")
    }

    @Test("remove takes the file and every side file, and nothing is no error")
    func remove() throws {
        let writer = try folder.writer()
        try writer.begin()
        try writer.execute("CREATE TABLE t(x)")
        try writer.commit()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
        writer.close()
        try StoreFile.remove(path: folder.file())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try StoreFile.remove(path: folder.file())
    }

    @Test(
        "strange names name exactly that file",
        arguments: [
            "a b", "a%20b", "a?mode=ro", "a#b", "it's", "quo\"te", "😀", "file:x", "back\\slash", "новый", "-wal",
        ])
    func strangeNames(name: String) throws {
        try makeStore(folder.file(name))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains(name))
        #expect(try StoreFile.inspect(path: folder.file(name)) == .store)
        #expect(try folder.reader(name).one("SELECT x FROM t") == .integer(1))
    }

    @Test(
        "store-level codes become the cases that a caller can act on",
        arguments: [
            (5, "storeBusy"), (517, "storeBusy"), (262, "storeBusy"), (8, "storeReadOnly"), (1544, "storeReadOnly"),
            (1032, "storeMoved"), (13, "storeFull"), (11, "storeDamaged"), (26, "notADatabase"), (14, "cannotOpen"),
            (10, "database"), (2067, "database"),
        ])
    func codes(code: Int, name: String) {
        let error = StoreFile.error(DatabaseFailure(code: ResultCode(Int32(code)), message: "m"), path: "/p")
        #expect("\(Mirror(reflecting: error).children.first?.label ?? "")" == name)
    }
}
