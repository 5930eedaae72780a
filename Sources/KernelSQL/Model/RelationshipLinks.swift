internal import Synchronization

/// How the relationships of an entity are stored. It follows from the descriptions of the entities at both ends, so it
/// is found when it is first asked for: two entities that refer to one another could not be described otherwise.
package struct EntityLinks: Sendable {
    /// In the order of the entity's relationships.
    package let relationships: [RelationshipLink]
    /// The attributes that have a column. The key of a one-to-one relationship stands at one end only.
    package let storedAttributes: [Int]
    /// Keys that no two rows share: those of one-to-one relationships.
    package let uniqueKeys: [Int]
    /// Columns beside the attributes': places in the ordered relationships of others.
    let orderColumns: [String]
    /// What is wrong with the relationships, in the model's words.
    let issues: [String]
}

/// One relationship with its other end.
package struct RelationshipLink: Sendable {
    package enum Storage: Sendable {
        /// A to-one whose key is this attribute.
        case key(attribute: Int)
        /// The other end's key, an attribute of the target, with the column that keeps the order if it is kept.
        case inverseKey(attribute: Int, order: String?)
        /// Pairs in a table of their own.
        case join(JoinTable)
    }

    package let index: Int
    package let description: RelationshipDescription
    package let target: EntityDescription
    /// The index of the relationship at the other end.
    package let inverse: Int?
    package let storage: Storage

    package var name: String { description.name }
}

/// The table of a many-to-many relationship, or of a to-many without an inverse, seen from one end.
package struct JoinTable: Sendable {
    package let name: String
    /// The column of the objects at this end.
    package let ownColumn: String
    /// The column of the objects at the other end.
    package let otherColumn: String
    /// The column of the order, if the relationship at this end keeps one.
    package let order: String?
    /// Whether the table is named by the relationship at this end. Exactly one of two ends is the owner.
    package let isOwner: Bool
    /// Whether the two ends are one relationship (friends of friends): each pair stands there both ways round.
    package let isSymmetric: Bool
}

extension EntityDescription {
    /// How the relationships are stored.
    package var links: EntityLinks {
        if let known = resolution.withLock({ $0 }) { return known }
        // Not under the lock: the other end may ask back.
        var resolver = LinkResolver(self)
        let found = resolver.links()
        resolution.withLock { $0 = found }
        return found
    }

    /// The attributes' columns as a SELECT names them, in the order of the attributes, with NULL for those that have
    /// none. `prefix` is a table's quoted name with its dot, or nothing.
    package func selectColumns(prefix: String = "") -> [String] {
        guard !relationships.isEmpty else { return attributes.map { prefix + $0.name.sqlIdentifier } }
        let stored = links.storedAttributes
        return attributes.indices.map { stored.contains($0) ? prefix + attributes[$0].name.sqlIdentifier : "NULL" }
    }
}

/// Finds the other ends of an entity's relationships.
private struct LinkResolver {
    let entity: EntityDescription
    private var issues: [String] = []

    init(_ entity: EntityDescription) { self.entity = entity }

    mutating func links() -> EntityLinks {
        var links: [RelationshipLink] = []
        for index in entity.relationships.indices { links.append(link(index)) }
        var virtual: [Int] = []
        var unique: [Int] = []
        var orders: [String] = []
        for link in links {
            guard let attribute = link.description.attribute else { continue }
            guard case .key = link.storage else {
                virtual.append(attribute)
                continue
            }
            guard let inverse = link.inverse else { continue }
            let other = link.target.relationships[inverse]
            if !other.isToMany { unique.append(attribute) }
            if other.isOrdered { orders.append(LinkResolver.orderColumn(link.name)) }
        }
        for order in orders where entity.attributes.contains(where: { $0.name.lowercased() == order.lowercased() }) {
            issues.note("\(entity.name).\(order): the store needs that name for the order of a relationship")
        }
        for group in entity.unique + entity.indexes {
            for name in group {
                guard let position = entity.position(of: name), virtual.contains(position) else { continue }
                issues.note("\(entity.name): an index names \(name), whose key is kept at the other end")
            }
        }
        return EntityLinks(
            relationships: links, storedAttributes: entity.attributes.indices.filter { !virtual.contains($0) },
            uniqueKeys: unique, orderColumns: orders, issues: issues)
    }

    static func orderColumn(_ name: String) -> String { name + "_position" }

    private mutating func link(_ index: Int) -> RelationshipLink {
        let own = entity.relationships[index]
        let target = own.target()
        let inverse = self.inverse(own, target)
        return RelationshipLink(
            index: index, description: own, target: target, inverse: inverse, storage: storage(index, target, inverse))
    }

    // MARK: The other end

    private mutating func inverse(_ own: RelationshipDescription, _ target: EntityDescription) -> Int? {
        let title = "\(entity.name).\(own.name)"
        guard let path = own.inversePath else { return impliedInverse(own, target, title) }
        guard let index = target.relationships.firstIndex(where: { $0.path == path }) else {
            issues.note("\(title): its inverse is no relationship of \(target.name)")
            return nil
        }
        let other = target.relationships[index]
        let otherTitle = "\(target.name).\(other.name)"
        guard other.targetID == entity.typeID else {
            issues.note("\(title): its inverse \(otherTitle) leads to \(other.target().name), not to \(entity.name)")
            return nil
        }
        if let back = other.inversePath, back != own.path {
            let named = entity.relationships.first { $0.path == back }.map { "\(entity.name).\($0.name)" }
            issues.note("\(title): its inverse \(otherTitle) names \(named ?? "another relationship") as its inverse")
            return nil
        }
        if own.isOrdered, other.isOrdered, (entity.name, own.name) < (target.name, other.name) {
            issues.note("\(title) and its inverse \(otherTitle) are both ordered; one end of a relationship can be")
        }
        let claims = LinkResolver.claims(on: index, of: target, by: entity)
        if claims.count > 1, other.inversePath == nil {
            issues.note(
                "\(title): \(otherTitle) is the inverse of \(claims.joined(separator: " and ")); it can be of one")
        }
        return index
    }

    /// A relationship that names no inverse has the one that names it.
    private mutating func impliedInverse(
        _ own: RelationshipDescription, _ target: EntityDescription, _ title: String
    ) -> Int? {
        let claims = target.relationships.indices.filter { target.relationships[$0].inversePath == own.path }
        return claims.first
    }

    private static func claims(on index: Int, of target: EntityDescription, by entity: EntityDescription) -> [String] {
        let path = target.relationships[index].path
        return entity.relationships.filter { $0.inversePath == path }.map { "\(entity.name).\($0.name)" }
    }

    // MARK: Storage

    private func storage(
        _ index: Int, _ target: EntityDescription, _ inverse: Int?
    ) -> RelationshipLink.Storage {
        let own = entity.relationships[index]
        let other = inverse.map { target.relationships[$0] }
        if let attribute = own.attribute {
            if let other, let key = other.attribute, !holdsKey(index, target, inverse) {
                return .inverseKey(attribute: key, order: nil)
            }
            return .key(attribute: attribute)
        }
        if let other, let key = other.attribute {
            return .inverseKey(attribute: key, order: own.isOrdered ? LinkResolver.orderColumn(other.name) : nil)
        }
        return .join(joinTable(index, target, inverse))
    }

    /// Which end of a one-to-one relationship has the key: the one that needs a value, else the first by name.
    private func holdsKey(_ index: Int, _ target: EntityDescription, _ inverse: Int?) -> Bool {
        guard let inverse else { return true }
        if target === entity, inverse == index { return true }
        let own = entity.relationships[index]
        let other = target.relationships[inverse]
        if own.isOptional != other.isOptional { return !own.isOptional }
        return (entity.name, own.name) < (target.name, other.name)
    }

    private func joinTable(_ index: Int, _ target: EntityDescription, _ inverse: Int?) -> JoinTable {
        let own = entity.relationships[index]
        let other = inverse.map { target.relationships[$0] }
        let isSymmetric = target === entity && inverse == index
        let isOwner: Bool
        if let other, !isSymmetric {
            isOwner =
                own.isOrdered != other.isOrdered
                ? own.isOrdered : (entity.name, own.name) < (target.name, other.name)
        } else {
            isOwner = true
        }
        // Each column is called as the relationship that leads to its objects.
        let (ownerEntity, ownerName) = isOwner ? (entity.name, own.name) : (target.name, other?.name ?? "")
        let toOther = isOwner ? own.name : ownerName
        var toOwner = (isSymmetric ? nil : isOwner ? other?.name : own.name) ?? ownerEntity
        while toOwner.lowercased() == toOther.lowercased() { toOwner += "_id" }
        var order = "position"
        while [toOwner, toOther].contains(where: { $0.lowercased() == order }) { order += "_" }
        return JoinTable(
            name: "\(ownerEntity)_\(ownerName)", ownColumn: isOwner ? toOwner : toOther,
            otherColumn: isOwner ? toOther : toOwner, order: own.isOrdered ? order : nil, isOwner: isOwner,
            isSymmetric: isSymmetric)
    }
}
