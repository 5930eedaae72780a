/// A model as the store remembers it: what the tables were made from.
package struct StoredModel: Decodable, Sendable {
    package let entities: [StoredEntity]

    package init(_ model: [EntityDescription]) {
        entities = order(of: model.map(\.name)).map { StoredEntity(model[$0]) }
    }

    /// Throws when the text was not written by ``json()``.
    package init(json: String) throws {
        self = try JSONText.decode(StoredModel.self, json)
    }

    /// The same text for the same model: what a JSONEncoder with sorted keys makes. Written by hand, because each opening
    /// of a store compares it, and the encoder takes most of an opening then.
    package func json() -> String {
        var writer = StoredModelWriter()
        writer.write(self)
        return writer.json
    }
}

package struct StoredEntity: Decodable, Sendable {
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
        let stored = links.storedAttributes
        attributes = order(of: stored.map { entity.attributes[$0].name }).map {
            StoredAttribute(stored[$0], of: entity)
        }
        let joins = links.relationships.compactMap { StoredJoin($0, of: entity) }
        self.joins = joins.isEmpty ? nil : order(of: joins.map(\.name)).map { joins[$0] }
        let orders = links.orderColumns
        self.orders = orders.isEmpty ? nil : order(of: orders).map { orders[$0] }
        var indexes: [StoredIndex] = []
        func add(_ attributes: [String], isUnique: Bool) {
            let index = StoredIndex(attributes: attributes, isUnique: isUnique)
            if !indexes.contains(index) { indexes.append(index) }
        }
        for position in stored {
            let attribute = entity.attributes[position]
            if attribute.isPrimaryKey || attribute.isUnique || links.uniqueKeys.contains(position) {
                add([attribute.name], isUnique: true)
            } else if attribute.isIndexed {
                add([attribute.name], isUnique: false)
            }
        }
        for group in entity.unique { add(group, isUnique: true) }
        for group in entity.indexes { add(group, isUnique: false) }
        self.indexes = indexes
    }
}

package struct StoredAttribute: Decodable, Sendable {
    let name: String
    let storage: StorageClass
    let isOptional: Bool
    /// The entity whose rows the key of a relationship names.
    let references: String?

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
    let name: String
    let ownEntity: String
    let ownColumn: String
    let otherEntity: String
    let otherColumn: String
    let order: String?

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
