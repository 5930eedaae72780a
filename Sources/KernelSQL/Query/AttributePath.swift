/// Where a value of a condition or a sort comes from: the request's own entity, or one that to-one relationships lead
/// to from there.
package struct AttributePath: Sendable, Hashable {
    package enum Leaf: UInt, Sendable {
        /// An attribute, the key of a to-one relationship among them.
        case attribute
        /// How many objects a to-many relationship has.
        case count
        /// The row's own id.
        case id
    }

    /// The indexes of the to-one relationships on the way. Empty, and then without memory of its own, for most paths.
    package let hops: [Int]
    /// The attribute's position, or the index of the relationship that is counted.
    package let position: Int
    package let leaf: Leaf

    /// An attribute of the entity itself.
    package init(_ position: Int) {
        hops = []
        leaf = .attribute
        self.position = position
    }

    package init(hops: [Int], leaf: Leaf = .attribute, _ position: Int = 0) {
        self.hops = hops
        self.leaf = leaf
        self.position = position
    }
}

/// A to-many relationship of the request's own entity, or of one that to-one relationships lead to.
package struct RelationPath: Sendable {
    package let hops: [Int]
    package let relationship: Int

    package init(hops: [Int] = [], _ relationship: Int) {
        self.hops = hops
        self.relationship = relationship
    }
}

extension EntityDescription {
    /// The entity that to-one relationships lead to.
    package func entity(through hops: [Int]) -> EntityDescription {
        hops.reduce(self) { $0.relationships[$1].target() }
    }

    /// The entity of the object that a path ends at, itself or by its id, or nil when it ends at a value.
    package func target(of path: AttributePath) -> EntityDescription? {
        let owner = entity(through: path.hops)
        if path.leaf == .id { return owner }
        guard path.leaf == .attribute, let index = owner.attributes[path.position].relationship else { return nil }
        return owner.relationships[index].target()
    }

    /// What stands at the end of a path. A path of more than one step has its name written with dots, as the user
    /// writes it.
    package func attribute(at path: AttributePath) -> AttributeDescription {
        let owner = entity(through: path.hops)
        let names = relationshipNames(path.hops)
        return switch path.leaf {
        case .attribute where path.hops.isEmpty: owner.attributes[path.position]
        case .attribute: owner.attributes[path.position].renamed(dotted(names + [owner.attributes[path.position].name]))
        case .count:
            AttributeDescription(
                name: dotted(names + [owner.relationships[path.position].name, "count"]), storageClass: .integer,
                isOptional: !path.hops.isEmpty, isText: false, isPrimaryKey: false, isUnique: false, isIndexed: false,
                originalName: nil, relationship: nil)
        case .id:
            AttributeDescription(
                name: dotted(names + [ModelCheck.idName]), storageClass: .integer, isOptional: !path.hops.isEmpty,
                isText: false, isPrimaryKey: false, isUnique: true, isIndexed: true, originalName: nil,
                relationship: nil)
        }
    }

    /// The names of relationships that follow one another.
    func relationshipNames(_ hops: [Int]) -> [String] {
        var entity = self
        return hops.map { hop in
            defer { entity = entity.relationships[hop].target() }
            return entity.relationships[hop].name
        }
    }

    /// The key of the last hop: nil there means that the way ends before it.
    package func keyPath(through hops: [Int]) -> AttributePath? {
        guard let last = hops.last else { return nil }
        let way = Array(hops.dropLast())
        return entity(through: way).relationships[last].attribute.map { AttributePath(hops: way, $0) }
    }

    private func dotted(_ names: [String]) -> String { names.joined(separator: ".") }
}

extension AttributeDescription {
    /// The same under another name, for what is said of it in errors.
    package func renamed(_ name: String) -> AttributeDescription {
        AttributeDescription(
            name: name, storageClass: storageClass, isOptional: isOptional, isText: isText, isPrimaryKey: isPrimaryKey,
            isUnique: isUnique, isIndexed: isIndexed, originalName: originalName, relationship: relationship)
    }
}
