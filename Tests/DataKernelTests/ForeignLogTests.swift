import DataKernel
import Foundation
import KernelSQLite
import Synchronization
import Testing

@Suite("A log beside a file")
struct ForeignLogTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// Copies a store that is in use, as it would lie there if its process were killed now.
    private func copyKilled(_ name: String, to other: String) throws {
        for suffix in ["", "-wal", "-shm"] { try copy(name + suffix, to: other + suffix) }
    }

    private func copy(_ name: String, to other: String) throws {
        try? FileManager.default.removeItem(at: folder.file(other))
        try FileManager.default.copyItem(at: folder.file(name), to: folder.file(other))
    }

    /// What lies in the folder under that name and its side names.
    private func bytes(_ name: String) throws -> [String: Data] {
        var bytes: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where file.hasPrefix(name) {
            bytes[file] = try Data(contentsOf: folder.file(file))
        }
        return bytes
    }

    /// Opening is refused, twice, and no byte of any file is another one afterwards.
    private func expectRefused(_ name: String, _ location: SourceLocation = #_sourceLocation) throws {
        let before = try bytes(name)
        for _ in 0..<2 {
            let error = #expect(throws: KernelError.self, sourceLocation: location) { try folder.storage(name) }
            guard case .foreignLog(let path) = error else {
                Issue.record("not foreignLog: \(String(describing: error))", sourceLocation: location)
                return
            }
            #expect(path == folder.file(name).path, sourceLocation: location)
        }
        #expect(try bytes(name) == before, sourceLocation: location)
    }

    /// Fills a store so that its log is copied into the file and begun anew.
    private func fill(_ storage: SQLiteStorage, _ name: String) throws {
        for round in 0..<4 {
            try storage.perform(ephemeral: true) { context, save in
                for number in 0..<4000 {
                    let car = try context.create(Car.self)
                    car.model = "\(name) \(round) \(number)"
                    car.mark = String(repeating: name, count: 300)
                }
                try save()
            }
        }
    }

    @Test(
        "of another store is refused, and nothing is changed",
        arguments: ["x.db", "a b.db", "50%20.db", "q?x=1.db", "h#1.db", "it's \"q\".db", "🚗.db"])
    func replacedFile(name: String) throws {
        let old = try folder.storage("old.db")
        try old.save(["OLD"])
        do {
            let new = try folder.storage("new.db")
            try new.save(["NEW1", "NEW2"])
        }
        try copyKilled("old.db", to: name)
        try copy("new.db", to: name)
        try expectRefused(name)
        // The ways out that the error tells.
        for suffix in ["-wal", "-shm"] {
            try FileManager.default.moveItem(at: folder.file(name + suffix), to: folder.file("aside" + suffix))
        }
        #expect(try folder.storage(name).models() == ["NEW1", "NEW2"])
        try copy("old.db", to: "aside")
        #expect(try folder.storage("aside").models() == ["OLD"])
    }

    @Test("of another store is refused when that one was opened many times before")
    func laterLog() throws {
        for name in ["A", "B", "C"] { try folder.storage("old.db").save([name]) }
        do { try folder.storage("new.db").save(["NEW"]) }
        let old = try folder.storage("old.db")
        try old.save(["D"])
        try copyKilled("old.db", to: "x.db")
        try copy("new.db", to: "x.db")
        try expectRefused("x.db")
    }

    @Test("of a later state is refused beside an older copy of the same store, whole or emptied")
    func olderCopy() throws {
        do { try folder.storage().save(["A"]) }
        try copy("store.db", to: "backup.db")
        do { try folder.storage().save(["B"]) }
        let storage = try folder.storage()
        try storage.save(["C"])
        try copyKilled("store.db", to: "x.db")
        try copy("backup.db", to: "x.db")
        try expectRefused("x.db")
        try Data().write(to: folder.file("x.db"))
        try expectRefused("x.db")
    }

    @Test("of an earlier state is refused beside a newer copy of the same store")
    func newerCopy() throws {
        do {
            let storage = try folder.storage()
            try storage.save(["A"])
            try copyKilled("store.db", to: "x.db")
        }
        for name in ["B", "C"] { try folder.storage().save([name]) }
        try copy("store.db", to: "x.db")
        try expectRefused("x.db")
    }

    @Test("that was begun anew while the store was open is refused beside what the file was before")
    func begunAnew() throws {
        do { try folder.storage().save(["A"]) }
        try copy("store.db", to: "backup.db")
        let storage = try folder.storage(options: StorageOptions(durability: .normal))
        try fill(storage, "F")
        try storage.save(["B"])
        try copyKilled("store.db", to: "killed.db")
        try copyKilled("store.db", to: "x.db")
        try copy("backup.db", to: "x.db")
        try expectRefused("x.db")
        #expect(try folder.storage("killed.db").models().count == 16_002)
    }

    @Test("is recovered beside a copy of the file from when the log began")
    func sameEpoch() throws {
        do { try folder.storage().save(["A"]) }
        try copy("store.db", to: "backup.db")
        let storage = try folder.storage()
        for name in ["B", "C"] { try storage.save([name]) }
        try copyKilled("store.db", to: "x.db")
        try copy("backup.db", to: "x.db")
        #expect(try folder.storage("x.db").models() == ["A", "B", "C"])
    }

    @Test("that a killed process left is recovered, as often as processes are killed")
    func killed() throws {
        var models = ["0"]
        var name = "0.db"
        var open = [try folder.storage(name)]
        try open[0].save(["0"])
        for round in 1..<6 {
            let next = "\(round).db"
            try copyKilled(name, to: next)
            let storage = try folder.storage(next)
            open.append(storage)
            #expect(try storage.models() == models)
            try storage.save(["\(round)"])
            models.append("\(round)")
            name = next
        }
    }

    @Test("of a new store is recovered when the file has nothing yet but its header")
    func newStore() throws {
        let storage = try folder.storage()
        let size = try Data(contentsOf: folder.file()).count
        #expect(size == 4096)
        try copyKilled("store.db", to: "x.db")
        try storage.save(["A"])
        try copyKilled("store.db", to: "y.db")
        #expect(try folder.storage("x.db").models() == [])
        #expect(try folder.storage("y.db").models() == ["A"])
    }

    @Test("that is half copied into the file is recovered, wherever the copying was cut off")
    func cutOffCheckpoint() throws {
        let storage = try folder.storage()
        try storage.save((0..<50).map(String.init))
        try copyKilled("store.db", to: "before.db")
        let wanted = try storage.models()
        do { _ = try folder.storage("before.db") }
        let whole = try Data(contentsOf: folder.file("before.db"))
        for pages in 1...(whole.count / 4096) {
            try copyKilled("store.db", to: "x.db")
            var file = try Data(contentsOf: folder.file("x.db"))
            file = Data(whole.prefix(pages * 4096) + file.dropFirst(pages * 4096))
            try file.write(to: folder.file("x.db"))
            #expect(try folder.storage("x.db").models() == wanted)
        }
    }

    @Test("is marked once, and not with each save")
    func cost() throws {
        do { try folder.storage().save(["A"]) }
        let marks = Mutex(0)
        let options = StorageOptions(trace: { trace in
            if trace.sql.contains("kernel_log SET") { marks.withLock { $0 += 1 } }
        })
        let storage = try folder.storage(options: options)
        for number in 0..<50 { try storage.save(["\(number)"]) }
        #expect(marks.withLock { $0 } == 1)
    }

    @Test("that another storage is using is no hindrance")
    func inUse() throws {
        let first = try folder.storage(options: StorageOptions(durability: .normal))
        try fill(first, "F")
        for round in 0..<20 {
            try first.save(["\(round)"])
            #expect(try folder.storage().models().count == 16_001 + round)
        }
    }

    @Test("that another program wrote is let through")
    func otherPrograms() throws {
        do { try folder.storage().save(["A", "B"]) }
        let connection = try Connection(path: folder.file().path, role: .writer)
        try connection.execute("UPDATE Car SET year = 7")
        try copyKilled("store.db", to: "x.db")
        #expect(try folder.storage("x.db").years() == [7, 7])
    }

    @Test("that another program's VACUUM left, with the mark on another page, is recovered")
    func vacuum() throws {
        do { try folder.storage().save(["A"]) }
        try execute("DROP TABLE kernel_log; CREATE TABLE other (x)")
        for model in ["B", "C"] { try folder.storage().save([model]) }
        let connection = try Connection(path: folder.file().path, role: .writer)
        let page = "SELECT rootpage FROM sqlite_schema WHERE name = 'kernel_log'"
        let before = try connection.integer(SQLText(page))
        try connection.execute("DROP TABLE other; VACUUM")
        #expect(try connection.integer(SQLText(page)) != before)
        try copyKilled("store.db", to: "x.db")
        #expect(try folder.storage("x.db").models() == ["A", "B", "C"])
    }

    @Test("is marked in a store of an older version from its next opening on")
    func olderVersion() throws {
        do { try folder.storage().save(["A"]) }
        try execute("DROP TABLE kernel_log")
        try copy("store.db", to: "older.db")
        do { try folder.storage("new.db").save(["NEW"]) }
        let storage = try folder.storage()
        try storage.save(["B"])
        for (name, file) in [("x.db", "store.db"), ("y.db", "older.db"), ("z.db", "new.db")] {
            try copyKilled("store.db", to: name)
            try copy(file, to: name)
        }
        #expect(try folder.storage("x.db").models() == ["A", "B"])
        #expect(try folder.storage("y.db").models() == ["A", "B"])
        try expectRefused("z.db")
    }

    private func execute(_ sql: String) throws {
        let connection = try Connection(path: folder.file().path, role: .writer)
        try connection.execute(sql)
        connection.close()
    }
}

extension SQLiteStorage {
    fileprivate func years() throws -> [Int] {
        try read { try $0.fetch(Request<Car>().sort("model")).map(\.year) }
    }
}
