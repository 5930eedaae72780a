/// The key of a to-one relationship, as it stands among an entity's attributes: the row id of the object at the other
/// end, 0 for none. Not for use by hand; `@Entity` keeps one for each to-one relationship.
///
/// ```sql
/// "owner" INTEGER REFERENCES "Person"("_id") DEFERRABLE INITIALLY DEFERRED
/// ```
public struct KernelLink: AttributeValue, Hashable, Sendable {
    /// 0 is no row's id, so it costs no Optional to say that there is none.
    public var row: Int64 = 0

    public init() {}

    public init(row: Int64) { self.row = row }

    public static var storageClass: StorageClass { .integer }
    public static var isOptional: Bool { true }

    /// Throws ``ValueIssue`` for what is neither NULL nor a row's id.
    public init(row: Row, attribute: Int) throws {
        guard let target = try row.integerIfAny(attribute) else { return }
        self.row = target
        // 0 would be taken for NULL from here on, and the next save would write nothing over it.
        guard self.row > 0 else { throw ValueIssue("holds an integer that is no row's id") }
    }

    public func bind(to binder: Binder) {
        if row == 0 {
            binder.bindNull()
        } else {
            binder.bind(integer: row)
        }
    }

    public func queryValue() -> StoredValue { row == 0 ? .null : .integer(row) }

    public func isStored(equalTo other: KernelLink) -> Bool { row == other.row }
}
