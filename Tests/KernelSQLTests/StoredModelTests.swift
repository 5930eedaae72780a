import Foundation
import Testing

@testable import KernelSQL

@Suite("The model as a store remembers it")
struct StoredModelTests {
    private final class Shelf: DescribedEntity {
        var name: String { "" }
        var books: [Book] { [] }
        var others: [Shelf] { [] }
        static let entity = EntityDescription(Shelf.self, name: "Sh\"elf/\\ü\u{1}\n", unique: [["name"]]) { entity in
            entity.attribute("name", \Shelf.name, .indexed)
            entity.relationship("books", \Shelf.books, inverse: \Book.shelf, ordered: true)
            entity.relationship("others", \Shelf.others, ordered: true)
        }
    }

    private final class Book: DescribedEntity {
        var title: String? { nil }
        var shelf: Shelf? { nil }
        static let entity = EntityDescription(Book.self, name: "Book", indexes: [["title", "shelf"]]) { entity in
            entity.attribute("title", \Book.title, .unique)
            entity.relationship("shelf", \Book.shelf)
        }
    }

    @Test("is what a JSONEncoder with sorted keys makes of it, and is read back as it was")
    func json() throws {
        for model in [[], [Book.entity, Shelf.entity]] {
            let stored = StoredModel(model)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            #expect(stored.json() == String(decoding: try encoder.encode(stored), as: UTF8.self))
            #expect(try StoredModel(json: stored.json()) == stored)
        }
    }
}
