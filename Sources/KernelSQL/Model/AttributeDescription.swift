/// What is special about an attribute. Given to `@Attribute`.
public struct AttributeOption: Sendable, Equatable {
    enum Kind: Equatable { case primaryKey, unique, indexed, validation(AttributeValidation) }
    let kind: Kind

    /// The attribute that `acquire` looks objects up by: unique, indexed, at most one in an entity.
    public static var primaryKey: AttributeOption { AttributeOption(kind: .primaryKey) }
    /// No two rows have the same value. Any number of rows may have nil.
    public static var unique: AttributeOption { AttributeOption(kind: .unique) }
    /// The store keeps an index, so that filters and sorts by this attribute need no scan.
    public static var indexed: AttributeOption { AttributeOption(kind: .indexed) }
}

/// One attribute of an entity: its name, which is also its column's, and how it is stored.
public struct AttributeDescription: Sendable, Equatable {
    public let name: String
    public let storageClass: StorageClass
    public let isOptional: Bool
    /// Whether filters on it may use text operators.
    public let isText: Bool
    public let isPrimaryKey: Bool
    public let isUnique: Bool
    public let isIndexed: Bool
    /// What the attribute was called in earlier versions of the model.
    public let originalName: String?
    /// The index of the relationship whose key this is.
    public let relationship: Int?
    /// What is asked of its values at each save.
    public var validations: [AttributeValidation] = []
}
