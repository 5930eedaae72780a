internal import Synchronization

/// The description of an entity: what `@Entity` derives from the class, and what the store's table is made from.
///
/// A class that conforms by hand writes it like this; the order of the attributes is the order in which its
/// `kernelBind` and `init(row:)` count them:
///
/// ```swift
/// static let entity = EntityDescription(Car.self, name: "Car") { entity in
///     entity.attribute("model", \Car.model, .primaryKey)
///     entity.attribute("year", \Car.year)
/// }
/// ```
public final class EntityDescription: Sendable {
    /// The entity's name, which is also its table's.
    public let name: String
    /// The attributes, and among them the keys of to-one relationships, in the order of their declaration.
    public let attributes: [AttributeDescription]
    public let relationships: [RelationshipDescription]
    /// Groups of attributes whose values together are unique.
    public let unique: [[String]]
    /// Groups of attributes that have an index together.
    public let indexes: [[String]]
    /// Whether objects tell the Observation framework of reads and writes.
    public let isObservable: Bool
    /// The position of the primary-key attribute.
    public let primaryKey: Int?
    /// The class, by identity.
    public let typeID: ObjectIdentifier

    // Proof: the table is filled in init and never changed afterwards, and what is read of a key path (its hash
    // and equality) is immutable; key path literals of stored and computed properties capture nothing.
    private nonisolated(unsafe) let positionsByPath: [AnyKeyPath: Int]
    /// The key paths that were looked up before, each by its identity.
    private let knownPaths = KnownPaths()
    private let positionsByName: [String: Int]
    /// How the relationships are stored, once that was asked for.
    let resolution = Mutex<EntityLinks?>(nil)
    /// What is wrong with the description in itself; reported when a store is opened with it.
    public let issues: [String]

    public init<E: AnyObject>(
        _ type: E.Type, name: String, unique: [[String]] = [], indexes: [[String]] = [], observable: Bool = false,
        _ describe: (inout EntityBuilder<E>) -> Void
    ) {
        var builder = EntityBuilder<E>()
        describe(&builder)
        self.name = name
        self.attributes = builder.attributes
        self.relationships = builder.relationships
        self.unique = unique
        self.indexes = indexes
        self.isObservable = observable
        self.typeID = ObjectIdentifier(type)
        self.primaryKey = builder.attributes.firstIndex { $0.isPrimaryKey }
        self.positionsByPath = builder.paths
        self.positionsByName = firstPositions(of: builder.attributes.map(\.name))
        self.issues =
            ModelCheck.issues(
                entity: name, attributes: builder.attributes, relationships: builder.relationships, unique: unique,
                indexes: indexes)
            + builder.nestedOptionals.map { ModelCheck.nestedOptional(entity: name, attribute: $0) }
    }

    /// The attribute's position, or nil when the entity has none of that name.
    public func position(of name: String) -> Int? { positionsByName[name] }

    /// The attribute's position, or nil when the key path is no attribute's. About 5 ns for a literal that was looked
    /// up before, 50 ns for any other.
    public func position(of path: AnyKeyPath) -> Int? {
        if let position = knownPaths.position(of: path) { return position }
        guard let position = positionsByPath[path] else { return nil }
        knownPaths.add(path, position)
        return position
    }

    /// The relationship's index, or nil when the entity has none of that name.
    public func relationship(named name: String) -> Int? { relationships.firstIndex { $0.name == name } }

    /// The relationship's index, or nil when the key path is no relationship's.
    public func relationship(at path: AnyKeyPath) -> Int? { relationships.firstIndex { $0.path == path } }
}

/// Where each of the names stands first.
func firstPositions(of names: [String]) -> [String: Int] {
    var positions: [String: Int] = [:]
    for (position, name) in names.enumerated() where positions[name] == nil { positions[name] = position }
    return positions
}

/// Collects an entity's attributes, in order.
public struct EntityBuilder<E: AnyObject> {
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    var paths: [AnyKeyPath: Int] = [:]
    var nestedOptionals: [String] = []

    public mutating func attribute<V: AttributeValue>(
        _ name: String, _ path: KeyPath<E, V>, _ options: AttributeOption..., originalName: String? = nil
    ) {
        if let type = V.self as? any OptionalAttribute.Type, type.wrapsOptional { nestedOptionals.append(name) }
        var (isPrimaryKey, isUnique, isIndexed) = (false, false, false)
        var validations: [AttributeValidation] = []
        for option in options {
            switch option.kind {
            case .primaryKey: isPrimaryKey = true
            case .unique: isUnique = true
            case .indexed: isIndexed = true
            case .validation(let validation): validations.append(validation)
            }
        }
        paths[path] = attributes.count
        attributes.append(
            AttributeDescription(
                name: name, storageClass: V.storageClass, isOptional: V.isOptional,
                isText: V.self is any TextAttribute.Type, isPrimaryKey: isPrimaryKey, isUnique: isUnique,
                isIndexed: isIndexed, originalName: originalName, relationship: nil, validations: validations))
    }
}
