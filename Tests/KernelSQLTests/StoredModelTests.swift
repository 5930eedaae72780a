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

    /// What a JSON encoder makes of a value: its properties by their names, without those that are nil.
    private func jsonObject(_ value: Any) -> Any {
        if let storage = value as? StorageClass { return storage.rawValue }
        let mirror = Mirror(reflecting: value)
        return switch mirror.displayStyle {
        case .struct:
            Dictionary(uniqueKeysWithValues: mirror.children.map { ($0.label ?? "", jsonObject($0.value)) })
                .filter { !($0.value is NSNull) }
        case .collection: mirror.children.map { jsonObject($0.value) }
        case .optional: mirror.children.first.map { jsonObject($0.value) } ?? NSNull()
        default: value
        }
    }

    @Test("is its properties as JSON with sorted keys, and is read back as it was")
    func json() throws {
        for model in [[], [Book.entity, Shelf.entity]] {
            let stored = StoredModel(model)
            let expected = try JSONSerialization.data(withJSONObject: jsonObject(stored), options: .sortedKeys)
            #expect(stored.json() == String(decoding: expected, as: UTF8.self))
            #expect(try StoredModel(json: stored.json()).json() == stored.json())
        }
    }
}
