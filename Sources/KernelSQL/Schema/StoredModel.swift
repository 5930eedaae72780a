internal import Foundation

/// A model as the store remembers it: what the tables were made from.
package struct StoredModel: Codable, Hashable, Sendable {
    package var entities: [StoredEntity]

    package init(_ model: [EntityDescription]) {
        entities = model.map(StoredEntity.init).sorted { $0.name < $1.name }
    }

    /// Throws when the text was not written by ``json()``.
    package init(json: String) throws {
        self = try JSONDecoder().decode(StoredModel.self, from: Data(json.utf8))
    }

    /// The same text for the same model.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

package struct StoredEntity: Codable, Hashable, Sendable {
    package var name: String
    package var attributes: [StoredAttribute]
    package var indexes: [StoredIndex]

    init(_ entity: EntityDescription) {
        name = entity.name
        attributes = entity.attributes.map(StoredAttribute.init).sorted { $0.name < $1.name }
        var found: [StoredIndex] = []
        for attribute in entity.attributes {
            if attribute.isPrimaryKey || attribute.isUnique {
                found.append(StoredIndex(attributes: [attribute.name], isUnique: true))
            } else if attribute.isIndexed {
                found.append(StoredIndex(attributes: [attribute.name], isUnique: false))
            }
        }
        found += entity.unique.map { StoredIndex(attributes: $0, isUnique: true) }
        found += entity.indexes.map { StoredIndex(attributes: $0, isUnique: false) }
        var seen: Set<StoredIndex> = []
        indexes = found.filter { seen.insert($0).inserted }
    }
}

package struct StoredAttribute: Codable, Hashable, Sendable {
    package var name: String
    package var storage: StorageClass
    package var isOptional: Bool

    init(_ attribute: AttributeDescription) {
        name = attribute.name
        storage = attribute.storageClass
        isOptional = attribute.isOptional
    }
}

package struct StoredIndex: Codable, Hashable, Sendable {
    package var attributes: [String]
    package var isUnique: Bool

    var title: String { (isUnique ? "unique " : "index on ") + attributes.joined(separator: ", ") }
}
