/// One relationship of an entity: to whom, how many, and what a removal does along it.
public struct RelationshipDescription: Sendable {
    public let name: String
    public let isToMany: Bool
    /// Whether a to-one may be nil. A to-many may always be empty.
    public let isOptional: Bool
    /// Whether a to-many keeps its order.
    public let isOrdered: Bool
    /// What removing an object does to the objects at the other end.
    public let deleteRule: DeleteRule
    /// What the relationship was called in earlier versions of the model.
    public let originalName: String?
    /// Where the key of a to-one stands among the entity's attributes.
    public let attribute: Int?
    /// The entity at the other end.
    public let target: @Sendable () -> EntityDescription
    /// The same without making its description.
    let targetID: ObjectIdentifier

    // Proof for both: what is read of a key path (its equality) is immutable, and a literal of a property captures
    // nothing.
    nonisolated(unsafe) let path: AnyKeyPath
    nonisolated(unsafe) let inversePath: AnyKeyPath?
}

extension EntityBuilder {
    /// A to-one relationship that may be nil. Its key takes the next number among the attributes.
    ///
    /// ```swift
    /// entity.relationship("owner", \Car.owner, .nullify, inverse: \Person.cars)
    /// ```
    public mutating func relationship<T: DescribedEntity>(
        _ name: String, _ path: KeyPath<E, T?>, _ rule: DeleteRule = .nullify, inverse: PartialKeyPath<T>? = nil,
        originalName: String? = nil
    ) {
        addKey(name, path, T.self, rule, inverse, isOptional: true, originalName)
    }

    /// A to-one relationship that every object has. Its key takes the next number among the attributes.
    public mutating func relationship<T: DescribedEntity>(
        _ name: String, _ path: KeyPath<E, T>, _ rule: DeleteRule = .nullify, inverse: PartialKeyPath<T>? = nil,
        originalName: String? = nil
    ) {
        addKey(name, path, T.self, rule, inverse, isOptional: false, originalName)
    }

    /// A to-many relationship. It takes no number among the attributes.
    public mutating func relationship<T: DescribedEntity>(
        _ name: String, _ path: KeyPath<E, [T]>, _ rule: DeleteRule = .nullify, inverse: PartialKeyPath<T>? = nil,
        ordered: Bool = false, originalName: String? = nil
    ) {
        relationships.append(
            RelationshipDescription(
                name: name, isToMany: true, isOptional: true, isOrdered: ordered, deleteRule: rule,
                originalName: originalName, attribute: nil, target: describing(T.self),
                targetID: ObjectIdentifier(T.self),
                path: path, inversePath: inverse))
    }

    private mutating func addKey<T: DescribedEntity>(
        _ name: String, _ path: PartialKeyPath<E>, _ target: T.Type, _ rule: DeleteRule, _ inverse: AnyKeyPath?,
        isOptional: Bool, _ originalName: String?
    ) {
        relationships.append(
            RelationshipDescription(
                name: name, isToMany: false, isOptional: isOptional, isOrdered: false, deleteRule: rule,
                originalName: originalName, attribute: attributes.count, target: describing(T.self),
                targetID: ObjectIdentifier(T.self), path: path, inversePath: inverse))
        paths[path] = attributes.count
        attributes.append(
            AttributeDescription(
                name: name, storageClass: .integer, isOptional: isOptional, isText: false, isPrimaryKey: false,
                isUnique: false, isIndexed: true, originalName: originalName, relationship: relationships.count - 1))
    }
}

/// The description of a class, to be asked for later.
private func describing(_ type: any DescribedEntity.Type) -> @Sendable () -> EntityDescription {
    { type.entity }
}

#if compiler(>=6.2)
    /// What lets an entity's type cross into a unit of work. Earlier compilers send every type without being told.
    public typealias SendableType = SendableMetatype
#else
    /// Nothing: this compiler sends every type.
    public typealias SendableType = Any
#endif

/// A class that has an entity's description. ``Entity`` in the module above refines it.
public protocol DescribedEntity: AnyObject, SendableType {
    /// Name, attributes, relationships and indexes.
    static var entity: EntityDescription { get }
}
