public import Foundation

/// One row of a result while it is being read: what an entity's `init(row:)` takes its attributes from.
///
/// Attributes are counted from 0 in the order of the entity's description; `base` is where they begin among the
/// columns. A driver subclasses this and answers for its own statement. Every reader throws ``ValueIssue`` when
/// the column holds something else than asked for, which a file edited by another program can bring about.
open class Row {
    // Each access to these is over before the next begins (none is passed inout), so the run-time check of overlapping
    // accesses finds nothing; it cost a tenth of a fetch.
    /// The row's id in its entity's table.
    @exclusivity(unchecked)
    public final var id: Int64 = 0
    /// The column that attribute 0 stands in.
    @exclusivity(unchecked)
    public final var base = 0
    /// The attribute that was asked for last; after a throw, the one that could not be read.
    @exclusivity(unchecked)
    public final var lastRead = 0
    /// Whom the object that is being made from this row belongs to. Set by the loader, taken by `KernelState`.
    @exclusivity(unchecked)
    public final var owner: AnyObject?

    public init() {}

    open func isNull(_ attribute: Int) -> Bool { true }
    open func integer(_ attribute: Int) throws -> Int64 { throw ValueIssue("the row has no columns") }
    open func real(_ attribute: Int) throws -> Double { throw ValueIssue("the row has no columns") }
    open func text(_ attribute: Int) throws -> String { throw ValueIssue("the row has no columns") }
    open func blob(_ attribute: Int) throws -> Data { throw ValueIssue("the row has no columns") }

    /// The value of one attribute. What the code made by `@Entity` calls, once for each attribute.
    @inlinable
    public final func value<V: AttributeValue>(_ attribute: Int) throws -> V {
        try V(row: self, attribute: attribute)
    }
}
