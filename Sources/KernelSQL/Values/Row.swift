public import Foundation

/// One row of a result while it is being read: what an entity's `init(row:)` takes its attributes from.
///
/// Attributes are counted from 0 in the order of the entity's description; `base` is where they begin among the
/// columns. A driver subclasses this and answers for its own statement. Every reader throws ``ValueIssue`` when
/// the column holds something else than asked for, which a file edited by another program can bring about.
open class Row {
    @usableFromInline
    struct Fields {
        @usableFromInline var id: Int64 = 0
        @usableFromInline var base = 0
        @usableFromInline var lastRead = 0
        @usableFromInline var owner: Unmanaged<AnyObject>?
        @usableFromInline var group: AnyObject?
    }

    // Proof: allocated and initialised in init, freed in deinit, and reached only through the accessors below, each of
    // which is over before the next begins. As stored properties these would be checked for overlapping accesses at
    // run time, in every module but this one: a fifth of a fetch.
    @usableFromInline let fields: UnsafeMutablePointer<Fields>

    public init() {
        fields = .allocate(capacity: 1)
        fields.initialize(to: Fields())
    }

    deinit {
        fields.deinitialize(count: 1)
        fields.deallocate()
    }

    /// The row's id in its entity's table.
    @inlinable
    public final var id: Int64 {
        get { fields.pointee.id }
        set { fields.pointee.id = newValue }
    }

    /// The column that attribute 0 stands in.
    @inlinable
    public final var base: Int {
        get { fields.pointee.base }
        set { fields.pointee.base = newValue }
    }

    /// The attribute that was asked for last; after a throw, the one that could not be read.
    @inlinable
    public final var lastRead: Int {
        get { fields.pointee.lastRead }
        set { fields.pointee.lastRead = newValue }
    }

    /// Whom the object that is being made from this row belongs to. Set by the loader, which keeps it alive meanwhile,
    /// and taken by `KernelState`. Not counted: each object would count it up and down.
    @inlinable
    public final var owner: Unmanaged<AnyObject>? {
        get { fields.pointee.owner }
        set { fields.pointee.owner = newValue }
    }

    /// What the objects of one result have in common, if they have anything. Set and taken like `owner`.
    @inlinable
    public final var group: AnyObject? {
        get { fields.pointee.group }
        set { fields.pointee.group = newValue }
    }

    open func isNull(_ attribute: Int) -> Bool { true }
    open func integer(_ attribute: Int) throws -> Int64 { throw ValueIssue("the row has no columns") }
    open func real(_ attribute: Int) throws -> Double { throw ValueIssue("the row has no columns") }
    open func text(_ attribute: Int) throws -> String { throw ValueIssue("the row has no columns") }
    open func blob(_ attribute: Int) throws -> Data { throw ValueIssue("the row has no columns") }

    // The value, or nil for NULL. A driver that finds its columns by a call overrides these with one.
    open func integerIfAny(_ attribute: Int) throws -> Int64? { isNull(attribute) ? nil : try integer(attribute) }
    open func realIfAny(_ attribute: Int) throws -> Double? { isNull(attribute) ? nil : try real(attribute) }
    open func textIfAny(_ attribute: Int) throws -> String? { isNull(attribute) ? nil : try text(attribute) }

    /// The value of one attribute. What the code made by `@Entity` calls, once for each attribute.
    @inlinable
    public final func value<V: AttributeValue>(_ attribute: Int) throws -> V {
        try V(row: self, attribute: attribute)
    }
}
