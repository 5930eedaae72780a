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
    private var lostTouchedRows: [Int64] = []
    /// Rows at the other ends of keys that were set or taken away, by relationship.
    var movedOwners: [Int: Set<Int64>] = [:]
    /// Pairs of many-to-many relationships that this entity owns.
    @exclusivity(unchecked)
    var joins = JoinChanges()
    /// Orders to be written, and those that the open transaction has.
    @exclusivity(unchecked)
    var orders: [OrderChange] = []
    var flushedOrders: [OrderChange] = []
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
            || !joins.isEmpty || !flushedOrders.isEmpty
    }

    // Not inlined: putting lists together is more code than what is done with them.

    /// All objects that were created since the last save.
    @inline(never)
    var created: [any Entity] { flushed.inserts + unflushed.inserts }

    /// All that were edited, some of them twice.
    @inline(never)
    var edited: [any Entity] { flushed.updates + unflushed.updates }

    /// All that were removed.
    @inline(never)
    var removed: [any Entity] { swept + flushed.removals + unflushed.removals }

    /// The created objects that the next commit writes.
    var insertedObjects: [any Entity] { created.filter { $0.status == .inserted } }

    /// The edited objects that the next commit writes, each once.
    var updatedObjects: [any Entity] {
        var seen: Set<ObjectIdentifier> = []
        return edited.filter {
            $0.status == .stored && $0.hasChanges && seen.insert(ObjectIdentifier($0)).inserted
        }
    }

    /// Whether there is anything that a save would write.
    var hasChanges: Bool {
        wipe != .none || !removedRows.isEmpty || !lostRows.isEmpty || !joins.isEmpty || !orders.isEmpty
            || !flushedOrders.isEmpty || !unflushed.removals.isEmpty || !flushed.removals.isEmpty
            || hasWritten(unflushed) || hasWritten(flushed)
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
        // Nothing is to be deleted for an object that the transaction does not have either.
        let hasRow =
            object.status != .inserted || object.isClean
            || object.history != nil
        object.status = .removed
        // What is related to it is to be found by the delete rules, row or not.
        if hasRow || core?.model.hasRules(plan.index) == true { unflushed.removals.append(object) }
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
        object.status = .removed
        swept.append(object)
    }
}

// MARK: After a commit, a rollback, a lost transaction

extension Session {
    /// All that is pending is in the store now. Returns what other contexts have to read again.
    func settle() -> EntityRows {
        var touched = EntityRows(entity: plan.index, rows: removedRows + touchedRows, isAll: wipe != .none)
        for object in flushed.removals { touched.rows.append(object.row) }
        for object in flushed.updates {
            touched.rows.append(object.row)
            object.history = nil
            object.isClean = true
        }
        for object in flushed.inserts where object.status == .inserted {
            object.status = .stored
            object.history = nil
            object.isClean = true
        }
        flushed = Changes()
        clearBatches()
        return touched
    }

    /// The open transaction is gone, and with it all that was flushed: it is unflushed again.
    func transactionLost() {
        for object in flushed.updates {
            object.history?.flushed = AttributeSet()
            // An object that was edited again after the flush stands in the other list already.
            if object.isClean, object.status == .stored {
                object.isClean = false
                unflushed.updates.append(object)
            }
        }
        for object in flushed.inserts where object.status == .inserted {
            object.history = nil
            object.isClean = false
        }
        // An insert writes all attributes, so its later updates are not needed.
        unflushed.updates = unflushed.updates.filter { $0.status == .stored }
        unflushed.inserts = created
        unflushed.removals = flushed.removals + unflushed.removals
        flushed = Changes()
        if wipe == .flushed { wipe = .unflushed }
        lostRows = removedRows + lostRows
        removedRows = []
        lostTouchedRows += touchedRows
        touchedRows = []
        joins.transactionLost()
        for order in orders { flushedOrders.append(order) }
        orders = flushedOrders
        flushedOrders = []
    }

    /// Undoes everything since the last commit.
    func discard() {
        let removed = removed
        for object in removed {
            if vanished.contains(object.row) {
                takeOut(object)
            } else {
                object.status = .stored
                objects.insert(object, at: object.row)
            }
        }
        // A removed object may have been edited before.
        for object in removed + edited where object.history != nil { revert(object) }
        for object in dropped + created { detach(object) }
        // An object that was read after its row had lost a key has nothing to go back to.
        var stale = EntityRows(entity: plan.index)
        for row in touchedRows + lostTouchedRows where objects[row] != nil { stale.rows.append(row) }
        core?.inbox.post(ChangeSet(stale))
        flushed = Changes()
        unflushed = Changes()
        clearBatches()
    }

    private func clearBatches() {
        wipe = .none
        removedRows = []
        lostRows = []
        touchedRows = []
        lostTouchedRows = []
        movedOwners = [:]
        joins.clear()
        orders = []
        flushedOrders = []
        swept = []
        dropped = []
        vanished = []
    }

    /// Whether the open transaction has removals of this context.
    var hasFlushedRemovals: Bool {
        !flushed.removals.isEmpty || wipe == .flushed || !removedRows.isEmpty
    }

    private func revert(_ object: some Entity) {
        if plan.entity.isObservable {
            let changes = object.kernelChanges()
            object.kernelWillChange(changes)
            object.kernelRevert()
            object.kernelDidChange(changes)
        } else {
            object.kernelRevert()
        }
        object.history = nil
        object.isClean = true
    }

    /// The object was never stored: it belongs to nobody again.
    private func detach(_ object: some Entity) {
        objects.remove(object.row)
        object.kernelState.isTakenOut = false
        object.session = nil
        object.row = 0
        object.status = .detached
        object.history = nil
        object.isClean = false
        object.isFresh = false
        object.links = nil
        object.group = nil
    }
}
