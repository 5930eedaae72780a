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

    /// The same text for the same model: what a JSONEncoder with sorted keys makes. Written by hand, because each opening
    /// of a store compares it, and the encoder takes most of an opening then.
    package func json() -> String {
        var writer = StoredModelWriter()
        writer.write(self)
        return writer.json
    }
}

package struct StoredEntity: Codable, Hashable, Sendable {
    package var name: String
    package var attributes: [StoredAttribute]
    package var indexes: [StoredIndex]
    /// The tables of the relationships that this entity is the owner of. nil for none, as stores from before there were
    /// relationships have it.
    package var joins: [StoredJoin]?
    /// Columns of places in ordered relationships of others. nil for none.
    package var orders: [String]?

    init(_ entity: EntityDescription) {
        let links = entity.links
        name = entity.name
        attributes = links.storedAttributes.map { StoredAttribute($0, of: entity) }.sorted { $0.name < $1.name }
        let joins = links.relationships.compactMap { StoredJoin($0, of: entity) }.sorted { $0.name < $1.name }
        self.joins = joins.isEmpty ? nil : joins
        orders = links.orderColumns.isEmpty ? nil : links.orderColumns.sorted()
        var found: [StoredIndex] = []
        for position in links.storedAttributes {
            let attribute = entity.attributes[position]
            if attribute.isPrimaryKey || attribute.isUnique || links.uniqueKeys.contains(position) {
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
    /// The entity whose rows the key of a relationship names.
    package var references: String?

    init(_ position: Int, of entity: EntityDescription) {
        let attribute = entity.attributes[position]
        name = attribute.name
        storage = attribute.storageClass
        isOptional = attribute.isOptional
        references = attribute.relationship.map { entity.relationships[$0].target().name }
    }
}

/// The table of a relationship, from its owner's end.
package struct StoredJoin: Codable, Hashable, Sendable {
    package var name: String
    package var ownEntity: String
    package var ownColumn: String
    package var otherEntity: String
    package var otherColumn: String
    package var order: String?

    init?(_ link: RelationshipLink, of entity: EntityDescription) {
        guard case .join(let table) = link.storage, table.isOwner else { return nil }
        name = table.name
        ownEntity = entity.name
        ownColumn = table.ownColumn
        otherEntity = link.target.name
        otherColumn = table.otherColumn
        order = table.order
    }
}

package struct StoredIndex: Codable, Hashable, Sendable {
    package var attributes: [String]
    package var isUnique: Bool

    var title: String { (isUnique ? "unique " : "index on ") + attributes.joined(separator: ", ") }
}
