public import KernelSQL
public import Synchronization

/// What the kernel knows of one object: its row, its context and whether it is to be told of the next write.
///
/// It is a stored `let` of every entity. Being noncopyable, it ends with its object, and so tells the context of a unit
/// that the object is gone without an allocation or a weak reference.
///
/// Its fields can be changed although it is a `let`: they are atomic, which says that they have an address of their own,
/// and relaxed, which makes each access a plain one. (An object belongs to one thread at a time; nothing here orders
/// threads.) As a `var` of plain fields it would be copied out, with an allocation, and checked for overlapping accesses
/// each time the kernel looks at it through the protocol: a tenth of what saving a changed object took.
public struct KernelState: ~Copyable {
    @usableFromInline let cleanField: Atomic<Bool>
    private let freshField: Atomic<Bool>
    private let takenOutField: Atomic<Bool>
    private let statusField: Atomic<ObjectStatus>
    private let rowField: Atomic<Int64>
    private let sessionField: Atomic<Unmanaged<Session>?>
    @usableFromInline let historyField: Atomic<Unmanaged<KernelHistory>?>
    private let linksField: Atomic<Unmanaged<ObjectLinks>?>
    private let groupField: Atomic<Unmanaged<FetchGroup>?>

    /// The state of an object that no context knows.
    public init() {
        cleanField = Atomic(false)
        freshField = Atomic(false)
        takenOutField = Atomic(false)
        statusField = Atomic(.detached)
        rowField = Atomic(0)
        sessionField = Atomic(nil)
        historyField = Atomic(nil)
        linksField = Atomic(nil)
        groupField = Atomic(nil)
    }

    /// Makes it the state of an object that is being made from a row. Does nothing for one that has a context.
    public func take(_ row: Row) {
        guard let owner = row.owner, sessionField.load(ordering: .relaxed) == nil else { return }
        self.row = row.id
        // Proof: the loader sets nothing else than a session, and keeps it while it reads.
        let session = Unmanaged<Session>.fromOpaque(owner.toOpaque())
        sessionField.store(session, ordering: .relaxed)
        session._withUnsafeGuaranteedRef { $0.gain() }
        if let shared = row.group { group = unsafeDowncast(shared, to: FetchGroup.self) }
        status = .stored
        isClean = true
    }

    deinit {
        if let session = sessionField.load(ordering: .relaxed) {
            let isHeld = session._withUnsafeGuaranteedRef {
                $0.lose(isTakenOut ? nil : rowField.load(ordering: .relaxed))
            }
            if isHeld { session.release() }
        }
        historyField.load(ordering: .relaxed)?.release()
        linksField.load(ordering: .relaxed)?.release()
        groupField.load(ordering: .relaxed)?.release()
    }
}

extension KernelState {
    /// Whether the next write to an attribute has to be announced by `kernelTrack`.
    public internal(set) var isClean: Bool {
        @inlinable get { cleanField.load(ordering: .relaxed) }
        nonmutating set { cleanField.store(newValue, ordering: .relaxed) }
    }

    /// Created in its context, which has all there is of its relationships until the first flush.
    var isFresh: Bool {
        get { freshField.load(ordering: .relaxed) }
        nonmutating set { freshField.store(newValue, ordering: .relaxed) }
    }

    /// Its context's table does not have it any more, and may have another object of its row.
    var isTakenOut: Bool {
        get { takenOutField.load(ordering: .relaxed) }
        nonmutating set { takenOutField.store(newValue, ordering: .relaxed) }
    }

    var status: ObjectStatus {
        get { statusField.load(ordering: .relaxed) }
        nonmutating set { statusField.store(newValue, ordering: .relaxed) }
    }

    var row: Int64 {
        get { rowField.load(ordering: .relaxed) }
        nonmutating set { rowField.store(newValue, ordering: .relaxed) }
    }
}

// Proof of the references' counts: each of the four has one count of its own, which its setter (and `take`, where there is
// no session yet) takes and gives back and the deinit gives back; nothing else writes them, and the state cannot be copied.
// The session counts for itself: it
// is held by its context while it is open, and closes, which turns its number into references, before it could end.
extension KernelState {
    var session: Session? {
        get { sessionField.object() }
        nonmutating set {
            let old = sessionField.load(ordering: .relaxed)
            sessionField.store(newValue.map { .passUnretained($0) }, ordering: .relaxed)
            newValue?.gain()
            if let old, old._withUnsafeGuaranteedRef({ $0.lose() }) { old.release() }
        }
    }

    /// The values before the first unsaved edit, and what was flushed of them.
    public internal(set) var history: KernelHistory? {
        @inlinable get { historyField.load(ordering: .relaxed)?.takeUnretainedValue() }
        nonmutating set { historyField.replace(newValue) }
    }

    var links: ObjectLinks? {
        get { linksField.object() }
        nonmutating set { linksField.replace(newValue) }
    }

    var group: FetchGroup? {
        get { groupField.object() }
        nonmutating set { groupField.replace(newValue) }
    }
}

extension Atomic {
    fileprivate func object<T: AnyObject>() -> T? where Value == Unmanaged<T>? {
        load(ordering: .relaxed)?.takeUnretainedValue()
    }

    fileprivate func replace<T: AnyObject>(_ object: T?) where Value == Unmanaged<T>? {
        let old = load(ordering: .relaxed)
        store(object.map { .passRetained($0) }, ordering: .relaxed)
        // Last: what ends with it may look at this state.
        old?.release()
    }
}

// What the kernel asks objects for. (Where an object is known as `any Entity`, its noncopyable state cannot be reached
// in one step.)
extension Entity {
    var isClean: Bool {
        get { kernelState.isClean }
        set { kernelState.isClean = newValue }
    }
    var isFresh: Bool {
        get { kernelState.isFresh }
        set { kernelState.isFresh = newValue }
    }
    var status: ObjectStatus {
        get { kernelState.status }
        set { kernelState.status = newValue }
    }
    var row: Int64 {
        get { kernelState.row }
        set { kernelState.row = newValue }
    }
    var session: Session? {
        get { kernelState.session }
        set { kernelState.session = newValue }
    }
    var history: KernelHistory? {
        get { kernelState.history }
        set { kernelState.history = newValue }
    }
    var links: ObjectLinks? {
        get { kernelState.links }
        set { kernelState.links = newValue }
    }
    var group: FetchGroup? {
        get { kernelState.group }
        set { kernelState.group = newValue }
    }
}

enum ObjectStatus: UInt8, AtomicRepresentable {
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
    // Proof that the two need no check of overlapping accesses at run time, which would be made for each object of a save:
    // each is read or set as a whole, and what is set is known before.
    /// Attributes that the open transaction already has other values for.
    @exclusivity(unchecked)
    @usableFromInline final var flushed = AttributeSet()
    /// Attributes that the flush in progress writes: found when it is planned, noted when it is done.
    @exclusivity(unchecked)
    final var planned = AttributeSet()
    public init() {}
}

/// The history of an entity whose attributes are kept in a struct.
public final class KernelOriginal<Values: EntityValues>: KernelHistory {
    /// The values as they were.
    public var values: Values
    @inlinable
    public init(_ values: Values) {
        self.values = values
        super.init()
    }
}

extension KernelHistory {
    /// The history of an entity with those values. (`as?` walks through the classes, at each save twice an object.)
    @inlinable
    func original<Values: EntityValues>(_ type: Values.Type) -> KernelOriginal<Values>? {
        guard Swift.type(of: self) == KernelOriginal<Values>.self else { return nil }
        return unsafeDowncast(self, to: KernelOriginal<Values>.self)
    }
}
