/// The key of a to-one relationship among an object's values: the row at the other end.
public struct KernelLink: AttributeValue, Hashable, Sendable {
    /// 0: nil.
    public var row: Int64

    @inlinable
    public init(row: Int64 = 0) { self.row = row }

    public static var storageClass: StorageClass { .integer }
    public static var isOptional: Bool { true }

    public init(row: Row, attribute: Int) throws {
        if row.isNull(attribute) {
            self.row = 0
        } else {
            self.row = try row.integer(attribute)
            guard self.row > 0 else { throw ValueIssue("holds a number that is no row's") }
        }
    }

    public func bind(to binder: Binder) {
        if row == 0 { binder.bindNull() } else { binder.bind(integer: row) }
    }

    public func isStored(equalTo other: KernelLink) -> Bool { row == other.row }
}
