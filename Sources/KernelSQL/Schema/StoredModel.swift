internal import Foundation

/// A model as the store remembers it: what the tables were made from.
package struct StoredModel: Decodable, Equatable, Sendable {
    package let entities: [StoredEntity]

    package init(_ model: [EntityDescription]) {
        entities = model.map(StoredEntity.init).sorted(byText: { $0.name })
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

package struct StoredEntity: Decodable, Equatable, Sendable {
    package let name: String
    package let attributes: [StoredAttribute]
    package let indexes: [StoredIndex]
    /// The tables of the relationships that this entity is the owner of. nil for none, as stores from before there were
    /// relationships have it.
    package let joins: [StoredJoin]?
    /// Columns of places in ordered relationships of others. nil for none.
    package let orders: [String]?

    init(_ entity: EntityDescription) {
        let links = entity.links
        name = entity.name
        attributes = links.storedAttributes.map { StoredAttribute($0, of: entity) }.sorted(byText: { $0.name })
        let joins = links.relationships.compactMap { StoredJoin($0, of: entity) }.sorted(byText: { $0.name })
        self.joins = joins.isEmpty ? nil : joins
        orders = links.orderColumns.isEmpty ? nil : links.orderColumns.sorted(byText: { $0 })
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
        var indexes: [StoredIndex] = []
        for index in found where !indexes.contains(index) { indexes.append(index) }
        self.indexes = indexes
    }
}

package struct StoredAttribute: Decodable, Equatable, Sendable {
    package let name: String
    package let storage: StorageClass
    package let isOptional: Bool
    /// The entity whose rows the key of a relationship names.
    package let references: String?

    init(_ position: Int, of entity: EntityDescription) {
        let attribute = entity.attributes[position]
        name = attribute.name
        storage = attribute.storageClass
        isOptional = attribute.isOptional
        references = attribute.relationship.map { entity.relationships[$0].target().name }
    }
}

/// The table of a relationship, from its owner's end.
package struct StoredJoin: Decodable, Equatable, Sendable {
    package let name: String
    package let ownEntity: String
    package let ownColumn: String
    package let otherEntity: String
    package let otherColumn: String
    package let order: String?

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

package struct StoredIndex: Decodable, Equatable, Sendable {
    package let attributes: [String]
    package let isUnique: Bool

    var title: String { (isUnique ? "unique " : "index on ") + attributes.joined(separator: ", ") }
}
