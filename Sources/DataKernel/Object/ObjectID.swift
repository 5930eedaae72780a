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
        throw ValueIssue("is an ObjectID, which is not stored as an attribute; declare a relationship")
    }
    public func bind(to binder: Binder) { binder.bind(integer: row) }
    public func isStored(equalTo other: ObjectID) -> Bool { self == other }
}
