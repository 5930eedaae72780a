internal import KernelSQL

// After a commit, a rollback, a lost transaction.
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

    /// Nothing was changed in the end, and the open transaction has nothing of it either.
    func settleNothing() {
        for object in edited where object.status == .stored {
            object.history = nil
            object.isClean = true
        }
        for order in orders + incompleteOrders { order.object.links?.many(order.relationship)?.isReordered = false }
        unflushed = Changes()
        flushed = Changes()
        clearBatches()
    }

    /// The open transaction is gone, and with it all that was flushed: it is unflushed again.
    func transactionLost() {
        releaseAll()
        if undone > 0 { forgetUndone() }
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

    /// What was created and removed again in a transaction that is lost has no row to be deleted.
    private func forgetUndone() {
        var rows: Set<Int64> = []
        for object in created where object.status == .removed { rows.insert(object.row) }
        flushed.removals = flushed.removals.filter { !rows.contains($0.row) }
        removedRows = removedRows.filter { !rows.contains($0) }
        undone = unflushed.removals.count { rows.contains($0.row) }
    }

    /// The rows of new objects that the transaction does not have, removed ones included.
    var unwritten: Set<Int64> { Set((unflushed.inserts + incompleteInserts).lazy.map { $0.row }) }

    /// Moves the removals that the flush carried out to what the transaction has. Those of objects that it never had
    /// are done with.
    func noteFlushedRemovals() {
        if unflushed.removals.isEmpty { return }
        defer { unflushed.removals = [] }
        var rows: Set<Int64> = []
        if undone > 0 { for object in unflushed.inserts where object.status == .removed { rows.insert(object.row) } }
        if rows.isEmpty {
            flushed.removals += unflushed.removals
        } else {
            let written = unflushed.removals.filter { !rows.contains($0.row) }
            undone -= unflushed.removals.count - written.count
            flushed.removals += written
        }
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

    func clearBatches() {
        wipe = .none
        removedRows = []
        lostRows = []
        touchedRows = []
        lostTouchedRows = []
        movedOwners = [:]
        joins.clear()
        orders = []
        flushedOrders = []
        incompleteOrders = []
        incomplete = nil
        missingKeys = nil
        orderBases = [:]
        undone = 0
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
            core?.announcing { object.kernelWillChange(changes) }
            object.kernelRevert()
            core?.announcing { object.kernelDidChange(changes) }
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
