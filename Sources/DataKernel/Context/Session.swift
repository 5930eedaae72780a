/// One entity in one context: its objects and what was done to them since the last save.
///
/// Every change is in one of two states: *unflushed* (only the objects know it) or *flushed* (the open transaction
/// has it too). A commit settles both; a transaction that is lost makes all of them unflushed again.
final class Session {
    let plan: EntityPlan
    /// False once the context is over. The session does not hold its context: an object that outlives the context
    /// must not keep its connection open.
    private(set) var isOpen = true
    let isReadOnly: Bool
    /// Whether objects may end on another thread than the context's.
    private let isShared: Bool
    /// How many objects have this session while it is open: the context holds it then, so that they need not, which
    /// would cost two atomic operations for each. When the session closes, each gets a reference of its own. Where
    /// objects may end on any thread, which a plain number does not bear, each has one from the beginning.
    @exclusivity(unchecked)
    private var holders = 0
    // Proof: set to nil in close(), which the context calls when it ends at the latest.
    private(set) unowned(unsafe) var core: ContextCore?

    // Not checked for overlapping accesses at run time, like the others below that every query looks at: no call that
    // changes one of them calls anything that could come back to it.
    @exclusivity(unchecked)
    var objects: IdentityMap
    @exclusivity(unchecked)
    var unflushed = Changes()
    @exclusivity(unchecked)
    var flushed = Changes()
    /// All rows were deleted, and whether the open transaction has it.
    @exclusivity(unchecked)
    var wipe = BatchState.none
    /// Rows deleted by requests since the last save: to be told to other contexts, and to be deleted again should the
    /// transaction get lost.
    var removedRows: [Int64] = []
    /// Those of a transaction that was lost.
    @exclusivity(unchecked)
    var lostRows: [Int64] = []
    /// Rows that lost a key with the removal of what it led to: to be told to other contexts.
    var touchedRows: [Int64] = []
    /// Those of a transaction that was lost: an object that was read in it shows no key.
    var lostTouchedRows: [Int64] = []
    /// Rows at the other ends of keys that were set or taken away, by relationship.
    var movedOwners: [Int: Set<Int64>] = [:]
    /// Pairs of many-to-many relationships that this entity owns.
    @exclusivity(unchecked)
    var joins = JoinChanges()
    /// Orders to be written, and those that the open transaction has.
    @exclusivity(unchecked)
    var orders: [OrderChange] = []
    var flushedOrders: [OrderChange] = []
    /// The orders as they were before they were first changed.
    var orderBases: [OrderChange.Key: [Int64]] = [:]
    /// How many of the rows and objects that are listed as removed were created since the last save: together, that is
    /// no change.
    var undone = 0
    /// What waits until it is complete. nil for most entities.
    @exclusivity(unchecked)
    var incomplete: IncompleteObjects?
    /// Of edited objects that the present flush writes in part: the relationships that it leaves out. nil for none.
    @exclusivity(unchecked)
    var missingKeys: [ObjectIdentifier: AttributeSet]?
    /// Orders of which a member waits, so that it has no place yet.
    var incompleteOrders: [OrderChange] = []
    /// Objects that a wipe or a removal by request marked as removed.
    var swept: [any Entity] = []
    /// Objects that were created and removed again before a flush: only a rollback has to know them.
    var dropped: [any Entity] = []
    /// Rows that this context is about to remove and another one has removed: a rollback does not bring them back.
    var vanished: Set<Int64> = []

    /// Objects that were changed, each list in the order of the changes.
    struct Changes {
        var inserts: [any Entity] = []
        var updates: [any Entity] = []
        var removals: [any Entity] = []
        var isEmpty: Bool { inserts.isEmpty && updates.isEmpty && removals.isEmpty }

        /// Adds lists, which become those of this where it has none.
        @inline(never)
        mutating func add(updates: [any Entity], inserts: [any Entity]) {
            if self.updates.isEmpty { self.updates = updates } else { self.updates += updates }
            if self.inserts.isEmpty { self.inserts = inserts } else { self.inserts += inserts }
        }
    }

    enum BatchState { case none, unflushed, flushed }

    init(plan: EntityPlan, core: ContextCore) {
        self.plan = plan
        isReadOnly = core.isReadOnly
        isShared = core.holding != .unowned
        self.core = core
        objects = IdentityMap(core.holding)
    }

    var hasRemovals: Bool { !unflushed.removals.isEmpty || wipe == .unflushed || !lostRows.isEmpty }
    var needsFlush: Bool { !unflushed.isEmpty || hasRemovals || !joins.unflushed.isEmpty || !orders.isEmpty }
    var hasPending: Bool {
        needsFlush || !flushed.isEmpty || wipe != .none || !removedRows.isEmpty || !touchedRows.isEmpty
            || !joins.isEmpty || !flushedOrders.isEmpty || incomplete?.isEmpty == false || !incompleteOrders.isEmpty
    }

    /// Whether the open transaction has anything of this context.
    var hasFlushed: Bool {
        !flushed.isEmpty || wipe == .flushed || !removedRows.isEmpty || !touchedRows.isEmpty || !joins.flushed.isEmpty
    }
    /// Whether a save that found nothing to write has something to forget.
    var hasLeftovers: Bool { hasPending || !dropped.isEmpty || !swept.isEmpty }

    // Not inlined: putting lists together is more code than what is done with them.

    /// All objects that were created since the last save.
    @inline(never)
    var created: [any Entity] { flushed.inserts + unflushed.inserts + incompleteInserts }

    /// All that were edited, some of them twice.
    @inline(never)
    var edited: [any Entity] { flushed.updates + unflushed.updates + incompleteUpdates }

    /// All that were removed.
    @inline(never)
    var removed: [any Entity] { swept + flushed.removals + unflushed.removals }

    /// The removed objects that the store has: what was created and removed again is nothing.
    var removedObjects: [any Entity] {
        if undone == 0, swept.isEmpty { return removed }
        let new = Set((created + dropped).lazy.map { $0.row })
        return removed.filter { !new.contains($0.row) }
    }

    /// The created objects that the next commit writes.
    var insertedObjects: [any Entity] { created.filter { $0.status == .inserted } }

    /// The edited objects that the next commit writes, each once.
    var updatedObjects: [any Entity] {
        var seen: Set<ObjectIdentifier> = []
        return edited.filter {
            $0.status == .stored && $0.hasChanges && seen.insert(ObjectIdentifier($0)).inserted
        }
    }

    /// Whether there is anything that a save would write: what was done and undone is nothing.
    var hasChanges: Bool {
        wipe != .none || hasWritten(flushed) || hasWritten(unflushed)
            || unflushed.removals.count + flushed.removals.count + removedRows.count + lostRows.count > undone
            || joins.hasChanges || orders.contains(where: isChanged) || flushedOrders.contains(where: isChanged)
            || incompleteOrders.contains(where: isChanged)
            || incomplete?.hasChanges == true
    }

    /// Whether an object that was created since the last save is to be removed by the next flush.
    var hasUndone: Bool { undone > 0 && !unflushed.removals.isEmpty }

    /// Whether an order differs from what it was before its first change.
    func isChanged(_ order: OrderChange) -> Bool {
        guard let wanted = order.wanted else { return false }
        guard let base = orderBases[order.key] else { return true }
        if wanted == base { return false }
        let targets = core?.openSession(at: plan.relationships[order.relationship].target)
        return wanted.filter { (targets?.objects[$0] as? any Entity)?.status != .removed } != base
    }

    /// Called before an order is noted as changed for the first time since it was flushed.
    func noteOrderBase(_ order: OrderChange, _ rows: @autoclosure () -> [Int64]) {
        if !order.object.isFresh, orderBases[order.key] == nil { orderBases[order.key] = rows() }
    }

    /// Whether one of the created or edited objects is to be written. The first one that is ends the search: programs ask
    /// in loops.
    private func hasWritten(_ changes: Changes) -> Bool {
        for object in changes.inserts where object.status == .inserted { return true }
        for object in changes.updates where object.status == .stored && object.hasChanges { return true }
        return false
    }

    /// Whether each object that has this session holds a reference of its own to it.
    private var isHeldByObjects: Bool { isShared || !isOpen }

    /// Called by an object that has this session from now on.
    func gain() {
        if isHeldByObjects { _ = Unmanaged.passRetained(self) } else { holders += 1 }
    }

    /// Called by an object that has this session no more. Returns whether it has a reference to release. An object that
    /// ends gives the row to take it out of the table by, unless that was done before.
    func lose(_ row: Int64? = nil) -> Bool {
        // A table whose objects may end anywhere does without being told.
        if isHeldByObjects { return true }
        if let row { objects.remove(row) }
        holders -= 1
        return false
    }

    /// Lets go of the objects that nobody else refers to, in a table that keeps them.
    func letGo() {
        var rows: [Int64] = []
        var others: [WeakObject] = []
        do {
            let taken = objects.takeAll()
            rows = taken.rows
            // One that somebody has a weak reference to is never known to be the only one: whether it ends tells.
            for object in taken.others { others.append(WeakObject(object: object)) }
        }
        for index in rows.indices {
            if let object = others[index].object { objects.insert(object, at: rows[index]) }
        }
    }

    private struct WeakObject {
        weak var object: AnyObject?
    }

    /// Ends the session: objects that live on belong to no context.
    func close() {
        isOpen = false
        for _ in 0..<holders { _ = Unmanaged.passRetained(self) }
        core = nil
        objects.removeAll()
        unflushed = Changes()
        flushed = Changes()
        incomplete = nil
        clearBatches()
    }
}

// MARK: Registering

extension Session {
    /// Takes a new object in.
    func insert(_ object: some Entity, row: Int64) {
        object.session = self
        object.row = row
        object.status = .inserted
        object.isClean = false
        object.isFresh = true
        object.history = nil
        objects.insert(object, at: row)
        unflushed.inserts.append(object)
    }

    /// Called before the first write to an object that the store has as it is.
    func noteChange(_ object: some Entity) {
        checkWritable()
        if incomplete != nil, isIncomplete(object) { return release(object) }
        unflushed.updates.append(object)
    }

    /// Stops the program when objects of the context must not be changed.
    func checkWritable() {
        guard isOpen else {
            Misuse.stop(
                "\(plan.name) was changed outside its unit of work: the context that it belongs to is gone. "
                    + "Change objects inside perform, and carry them over by their objectID.")
        }
        guard !isReadOnly else {
            Misuse.stop(
                "\(plan.name) was changed in a context that is for reading. Change it inside perform: "
                    + "context.object(with: object.objectID).")
        }
    }

    /// Marks an object as removed; its row goes with the next flush.
    func remove(_ object: some Entity) {
        if isIncomplete(object) { release(object) }
        // Nothing is to be deleted for an object that the transaction does not have either.
        let hasRow = hasRow(object)
        let isNew = object.status == .inserted
        object.status = .removed
        // What is related to it is to be found by the delete rules, row or not.
        guard hasRow || core?.model.hasRules(plan.index) == true else { return }
        unflushed.removals.append(object)
        if isNew { undone += 1 }
    }

    /// Takes an object out whose row somebody else removed. It may live on, and another one come to have its row.
    func takeOut(_ object: some Entity) {
        objects.remove(object.row)
        object.kernelState.isTakenOut = true
        // The end of the context comes by the table to what keeps objects alive, and would not find this one. A removed
        // object shows no relationships.
        object.links = nil
        object.group = nil
    }

    /// Marks the object of a row, if there is one, as removed by a batch.
    @inline(never)
    func sweep(_ row: Int64) {
        guard let object = objects[row] as? any Entity, object.status != .removed else { return }
        if isIncomplete(object) { release(object) }
        object.status = .removed
        swept.append(object)
    }

    /// Notes rows that went with others, and marks their objects.
    func sweep(_ rows: [Int64]) {
        removedRows += rows
        for row in rows {
            if let object = objects[row] as? any Entity, object.status == .inserted { undone += 1 }
            sweep(row)
        }
    }
}
