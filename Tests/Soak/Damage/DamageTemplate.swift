import DataKernel
import Foundation

/// A store with some objects of everything, from which each damaged one is made.
///
/// One in its own schema; one whose schema allows what only a damaged file could have otherwise (NULL in required columns,
/// two rows with the same unique value, a pair twice); one with a log that nobody has copied into the file.
final class DamageTemplate {
    enum Kind: Int, CaseIterable { case plain, relaxed, logged }

    private let folder: SoakFolder

    init() throws {
        folder = try SoakFolder()
        try make(file(.plain))
        try FileManager.default.copyItem(at: file(.plain), to: file(.relaxed))
        try relax(file(.relaxed))
        try makeLogged()
    }

    private func file(_ kind: Kind) -> URL { folder.url.appending(path: "\(kind).db") }

    func copy(_ kind: Kind, to target: URL) throws {
        for suffix in ["", "-wal", "-shm", "-journal", "-next"] {
            try? FileManager.default.removeItem(atPath: target.path + suffix)
        }
        try FileManager.default.copyItem(at: file(kind), to: target)
        if kind == .logged {
            try FileManager.default.copyItem(atPath: file(kind).path + "-wal", toPath: target.path + "-wal")
        }
    }

    private func make(_ url: URL) throws {
        let storage = try SQLiteStorage(store: .url(url), model: DamageModel.present)
        try storage.perform(ephemeral: true) { context, save in
            try DamageTemplate.fill(context)
            try save()
        }
    }

    private func makeLogged() throws {
        try FileManager.default.copyItem(at: file(.plain), to: file(.logged))
        let open = folder.url.appending(path: "open.db")
        try FileManager.default.copyItem(at: file(.plain), to: open)
        let storage = try SQLiteStorage(store: .url(open), model: DamageModel.present)
        try storage.perform(ephemeral: true) { context, save in
            for shelf in try context.fetch(Request<Shelf>()) { shelf.number += 1000 }
            for number in 0..<20 { try context.create(Plain.self).name = "logged \(number)" }
            try save()
        }
        try FileManager.default.removeItem(at: file(.logged))
        try FileManager.default.copyItem(at: open, to: file(.logged))
        try FileManager.default.copyItem(atPath: open.path + "-wal", toPath: file(.logged).path + "-wal")
    }

    private func relax(_ url: URL) throws {
        let database = try RawDatabase(url)
        try database.run("PRAGMA foreign_keys=off")
        for index in try database.texts("SELECT name FROM sqlite_schema WHERE type='index' AND sql LIKE '%UNIQUE%'") {
            try database.run("DROP INDEX \(RawDatabase.quoted(index))")
        }
        for table in try database.texts("SELECT name FROM sqlite_schema WHERE sql LIKE '%WITHOUT ROWID%'") {
            let name = RawDatabase.quoted(table)
            try database.run(
                "CREATE TABLE copied AS SELECT * FROM \(name); DROP TABLE \(name); ALTER TABLE copied RENAME TO \(name)"
            )
        }
        try database.run(
            """
            PRAGMA writable_schema=on;
            UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE name NOT LIKE 'kernel_log%';
            PRAGMA writable_schema=reset
            """)
    }

    private static func fill(_ context: any Context) throws {
        var topics: [Topic] = []
        for name in ["art", "birds", "cars", "dogs"] { topics.append(try context.acquire(Topic.self, name)) }
        var shelves: [Shelf] = []
        for number in 1...6 {
            let shelf = try context.acquire(Shelf.self, number)
            shelf.parent = shelves.last
            shelf.neighbours = shelves
            shelf.topics = Array(topics.prefix(number % 5))
            shelf.maker = topics[number % 4]
            shelf.extras = [topics[(number + 1) % 4]]
            shelf.lamp = try context.create(Lamp.self)
            shelves.append(shelf)
        }
        shelves[0].twin = shelves[1]
        shelves[2].twin = shelves[3]
        for number in 1...8 {
            let specimen = try specimen(number, context)
            let book = try context.create(Book.self)
            book.title = "book \(number)"
            book.shelf = shelves[number % 3]
            book.specimen = specimen
        }
        for number in 1...3 {
            let ticket = try context.create(Ticket.self)
            ticket.number = number
            ticket.shelf = shelves[5]
            try context.create(Plain.self).name = "plain \(number)"
        }
    }

    private static func specimen(_ number: Int, _ context: any Context) throws -> Specimen {
        let specimen = try context.acquire(Specimen.self, "S\(number)")
        specimen.int = number
        specimen.uint = UInt(number)
        specimen.double = Double(number) / 3
        specimen.decimal = Decimal(number) / 8
        specimen.text = String(repeating: "ä", count: number * 3)
        specimen.data = Data(repeating: UInt8(number), count: number * 10)
        specimen.tree = DamageTree(name: "root", branches: [DamageTree(name: "leaf")])
        specimen.list = Array(0..<number)
        specimen.words = ["one", "two"]
        specimen.table = ["a": 1.5]
        if number.isMultiple(of: 2) {
            specimen.maybeInt = number
            specimen.maybeText = "text"
            specimen.maybeDate = specimen.date
            specimen.maybeURL = URL(string: "https://example.org/\(number)")
            specimen.maybeTree = specimen.tree
        }
        return specimen
    }
}
