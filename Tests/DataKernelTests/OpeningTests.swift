import DataKernel
import Foundation
import KernelSQLite
import Testing

/// Two versions of one model, as two releases of a program would have them.
private enum V1 {
    @Entity("Book")
    final class Book {
        @Attribute(.primaryKey) var title = ""
        var pages = 0
    }
}

private enum V2 {
    @Entity("Book", indexes: [["pages", "rating"]])
    final class Book {
        @Attribute(.primaryKey) var title = ""
        @Attribute(.indexed) var pages = 0
        var rating = 3.5
        var token = UUID()
        var note: String?
    }
    @Entity
    final class Author {
        var name = ""
    }
}

private enum V3 {
    @Entity("Book")
    final class Book {
        @Attribute(.primaryKey) var title = ""
        var pages = ""
        @Attribute(originalName: "rating") var stars = 0.0
    }
}

private enum Renamed {
    @Entity("Book")
    final class Book {
        @Attribute(.primaryKey, originalName: "title") var name = ""
        var pages = 0
    }
}

private enum Unique {
    @Entity("Book")
    final class Book {
        @Attribute(.primaryKey) var title = ""
        @Attribute(.unique) var pages = 0
    }
    @Entity("Book")
    final class Crowded {
        @Attribute(.primaryKey) var title = ""
        var pages = 0
        @Attribute(.unique) var code = "same"
    }
}

@Suite("Opening a store")
struct OpeningTests {
    private func open(_ folder: Folder, _ model: [any Entity.Type], version: Int = 1) throws -> SQLiteStorage {
        try SQLiteStorage(
            store: .url(folder.file()), model: model, options: StorageOptions(modelVersion: version))
    }

    private func fill(_ folder: Folder) throws {
        let storage = try open(folder, [V1.Book.self])
        try storage.perform(ephemeral: true) { context, save in
            for title in ["A", "B"] {
                let book: V1.Book = try context.acquire(title)
                book.pages = 100
            }
            try save()
        }
    }

    @Test("with added entities, attributes and indexes applies them; rows get the initial values")
    func additions() throws {
        let folder = try Folder()
        try fill(folder)
        for _ in 0..<2 {
            let storage = try open(folder, [V2.Book.self, V2.Author.self])
            let books = try storage.perform(ephemeral: true) { context, save in
                try context.create(V2.Author.self).name = "Ann"
                try save()
                return try context.fetch(Request<V2.Book>().sort("title"))
                    .map { ($0.title, $0.pages, $0.rating, $0.token, $0.note) }
            }
            #expect(books.map(\.0) == ["A", "B"] && books.map(\.1) == [100, 100] && books.map(\.2) == [3.5, 3.5])
            // UUID() is another one each time, so each row has its own.
            #expect(books[0].3 != books[1].3 && books[0].4 == nil)
        }
    }

    @Test("with anything else is refused, lists all differences, and changes nothing")
    func refusals() throws {
        let folder = try Folder()
        try fill(folder)
        _ = try open(folder, [V2.Book.self, V2.Author.self])
        let before = try Data(contentsOf: folder.file())
        let error = try #require(throws: KernelError.self) { try open(folder, [V3.Book.self]) }
        guard case .modelMismatch(let differences) = error else { throw error }
        #expect(
            differences == [
                "Book.pages is stored as integer, the model says text",
                "Book.stars is called rating in the store",
                "Book.note is in the store and not in the model",
                "Book.token is in the store and not in the model",
                "Book: the store has index on pages, the model has not",
                "Book: the store has index on pages, rating, the model has not",
                "entity Author is in the store and not in the model",
            ])
        #expect(try Data(contentsOf: folder.file()) == before)
        _ = try open(folder, [V2.Book.self, V2.Author.self])
    }

    @Test("a new unique index over duplicates lists the rows, before anything is changed")
    func duplicates() throws {
        let folder = try Folder()
        try fill(folder)
        let error = try #require(throws: KernelError.self) { try open(folder, [Unique.Book.self]) }
        guard case .modelMismatch(let differences) = error else { throw error }
        #expect(differences == ["Book: rows 1 and 2 have the same pages, which the model says is unique"])
        let second = try #require(throws: KernelError.self) { try open(folder, [Unique.Crowded.self]) }
        guard case .modelMismatch(let crowd) = second else { throw second }
        #expect(crowd == ["Book.code is new and unique, and its initial value would be the same in every row"])
        _ = try open(folder, [V1.Book.self])
    }

    @Test("a renamed unique attribute is refused in the model's words")
    func renamed() throws {
        let folder = try Folder()
        try fill(folder)
        let error = try #require(throws: KernelError.self) { try open(folder, [Renamed.Book.self]) }
        guard case .modelMismatch(let differences) = error else { throw error }
        #expect(
            differences == [
                "Book.name is called title in the store", "Book: the store has unique title, the model has not",
            ])
    }

    @Test("of a newer model version is refused")
    func newerModel() throws {
        let folder = try Folder()
        _ = try open(folder, [V1.Book.self], version: 3)
        let error = try #require(throws: KernelError.self) { try open(folder, [V1.Book.self], version: 2) }
        guard case .storeNewer(found: 3, supported: 2) = error else { throw error }
        _ = try open(folder, [V1.Book.self], version: 4)
    }

    @Test("a contradictory model is refused with all its faults before any file is made")
    func invalidModel() throws {
        let folder = try Folder()
        let error = try #require(throws: KernelError.self) { try open(folder, [V1.Book.self, V2.Book.self]) }
        guard case .invalidModel = error else { throw error }
        #expect(!FileManager.default.fileExists(atPath: folder.file().path))
    }

    @Test(
        "a file that is no store is told from a foreign one and left as it was",
        arguments: ["text", "foreign", "newer", "damaged"])
    func otherFiles(kind: String) throws {
        let folder = try Folder()
        let path = folder.file().path
        switch kind {
        case "text": try Data("just some words, no database\n".utf8).write(to: folder.file())
        case "damaged":
            _ = try open(folder, [V1.Book.self])
            let data = try Data(contentsOf: folder.file())
            try data.prefix(data.count / 2).write(to: folder.file())
        default:
            let connection = try Connection(path: path, role: .writer)
            try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
            if kind == "newer" {
                try connection.execute(
                    "PRAGMA application_id = \(StoreFile.applicationID); PRAGMA user_version = 99")
            }
            connection.close()
        }
        let before = try Data(contentsOf: folder.file())
        let error = try #require(throws: KernelError.self) { try open(folder, [V1.Book.self]) }
        switch (kind, error) {
        case ("text", .notADatabase), ("foreign", .foreignStore), ("newer", .storeNewer), ("damaged", .storeDamaged):
            break
        default: Issue.record("\(kind): \(error)")
        }
        #expect(try Data(contentsOf: folder.file()) == before)
    }

    @Test("names with spaces, percent signs, quotes and emoji name exactly that file")
    func names() throws {
        let folder = try Folder()
        for name in ["a b.db", "50%20.db", "q?x=1.db", "h#1.db", "it's \"q\".db", "🚗.db", "sub folder/x.db"] {
            _ = try SQLiteStorage(store: .url(folder.file(name)), model: [V1.Book.self])
            #expect(FileManager.default.fileExists(atPath: folder.file(name).path), "\(name)")
        }
        #expect(throws: KernelError.self) { try SQLiteStorage(store: .named("../x"), model: [V1.Book.self]) }
    }

    @Test("wipeStore removes the files, restoreStore opens an empty store")
    @MainActor func wipeAndRestore() throws {
        let folder = try Folder()
        let storage = try folder.storage()
        try storage.save(["A"])
        let car = try #require(try storage.uiContext.first(Request<Car>()))
        try storage.wipeStore()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        #expect(car.isDeleted && car.model == "A")
        #expect(throws: KernelError.self) { try storage.save(["B"]) }
        #expect(throws: KernelError.self) { try storage.uiContext.count(Request<Car>()) }
        #expect(throws: KernelError.self) { try storage.read { try $0.count(Request<Car>()) } }
        try storage.restoreStore()
        #expect(try storage.models() == [])
        try storage.save(["B"])
        #expect(try storage.uiContext.count(Request<Car>()) == 1)
    }

    @Test("the file can be read with plain SQL")
    func readable() throws {
        let folder = try Folder()
        let storage = try folder.storage()
        try storage.perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("CRZ")
            car.year = 2012
            try save()
        }
        let connection = try Connection(path: folder.file().path, role: .reader)
        var found: [String] = []
        try connection.rows(SQLText("SELECT model, year FROM Car")) { _ in
        } each: { row in
            row.base = 0
            found.append("\(try row.text(0)) \(try row.integer(1))")
        }
        #expect(found == ["CRZ 2012"])
    }
}
