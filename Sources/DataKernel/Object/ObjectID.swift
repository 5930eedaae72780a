public import KernelSQL

/// Names an object across contexts, tasks and launches: its entity and its row. Permanent from `create` on, and
/// never given to another object later.
public struct ObjectID: Sendable, Hashable, Codable {
    public let entityName: String
    public let row: Int64

    public init(entityName: String, row: Int64) {
        self.entityName = entityName
        self.row = row
    }
}

extension ObjectID: CustomStringConvertible {
    public var description: String { "\(entityName)/\(row)" }
}

extension ObjectID: AttributeValue {
    public static var storageClass: StorageClass { .integer }
    public init(row: Row, attribute: Int) throws {
        throw ObjectID.notStored
    }
    /// Always throws: what would be read back could not be told from an ordinary number.
    public func bind(to binder: Binder) throws { throw ObjectID.notStored }
    public func queryValue() throws -> StoredValue { .integer(row) }
    public func isStored(equalTo other: ObjectID) -> Bool { self == other }
}

extension ObjectID {
    private static let notStored = ValueIssue(
        "is an ObjectID, which is no attribute: keep the other object's primary key instead")
}
