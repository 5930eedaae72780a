public import KernelSQL

/// What the kernel knows of one object: its row, its context and whether it is to be told of the next write.
///
/// It is a stored property of every entity. Being noncopyable, it ends with its object, and so tells the context
/// that the object is gone without an allocation or a weak reference.
public struct KernelState: ~Copyable {
    /// Whether the next write to an attribute has to be announced by `kernelTrack`.
    public internal(set) var isClean = false
    var status = ObjectStatus.detached
    var row: Int64 = 0
    var session: Session?
    /// The values before the first unsaved edit, and what was flushed of them.
    public internal(set) var history: KernelHistory?
    /// Created in its context, which has all there is of its relationships until the first flush.
    var isFresh = false
    var links: ObjectLinks?
    var group: FetchGroup?

    /// The state of an object that no context knows.
    public init() {}

    /// The state of an object that is being made from a row.
    public init(_ row: Row) {
        guard let owner = row.owner else { return }
        self.row = row.id
        session = unsafeDowncast(owner, to: Session.self)
        status = .stored
        isClean = true
    }

    deinit {
        if let session { session.forget(row) }
    }
}

enum ObjectStatus: UInt8 {
    /// No context knows the object.
    case detached
    /// Created or inserted; its row is not committed yet.
    case inserted
    /// Its row is in the store.
    case stored
    /// Removed, here or elsewhere. For ever.
    case removed
}

/// The values before the first unsaved edit. A subclass of the conformance's own keeps the values.
open class KernelHistory {
    /// Attributes that the open transaction already has other values for.
    @usableFromInline final var flushed = AttributeSet()
    public init() {}
}

/// The history of an entity whose attributes are kept in a struct.
public final class KernelOriginal<Values: EntityValues>: KernelHistory {
    @usableFromInline var values: Values
    @inlinable
    public init(_ values: Values) {
        self.values = values
        super.init()
    }
}
