internal import KernelSQL
internal import KernelSQLite

extension UnitContext {
    /// Brings the open transaction up to what the objects say. Runs no statement when they say nothing new.
    ///
    /// Before a query, what is not complete waits. A save writes it, too, and the store refuses it.
    func flush(isForSave: Bool = false) throws {
        if isForSave { releaseIncomplete() }
        guard needsFlush else { return }
        // The values' own code is called in here.
        try channel.calling(.encoding) { try flushChanges(isForSave) }
    }

    private func flushChanges(_ isForSave: Bool) throws {
        if !isForSave { holdIncomplete() }
        if try flushOne(isForSave) { return }
        var removes = openSessions.contains { $0.hasRemovals }
        if removes, try removeInMemory() {
            removes = false
            if !isForSave { holdIncomplete() }
        }
        var plan = FlushPlan(openSessions)
        if removes || !plan.isEmpty {
            let began = try begin()
            // A transaction that was lost leaves nothing waiting.
            if began, !isForSave { holdIncomplete() }
            let removal = removes ? try pendingRemoval() : nil
            // What others saved since may have changed what there is to do.
            if began, !removes { plan = FlushPlan(openSessions) }
            let isOneStatement = (removal?.0.statements ?? 0) + (removes ? 2 : 0) == 0 && plan.isOneStatement
            var unstorable: [any Entity] = []
            try atomically(isOneStatement) {
                if let (removal, explicit) = removal {
                    try execute(removal)
                    try mark(removal, explicit: explicit)
                    // What lost a relationship by it may have waited before.
                    if !isForSave { holdIncomplete() }
                    plan = FlushPlan(openSessions)
                }
                unstorable = try FlushRunner(channel, skipsUnstorable: !isForSave).run(plan)
            }
            hold(unstorable)
        }
        for session in openSessions where session.needsFlush { session.noteFlushed() }
    }

    /// The same for one object that was created or changed, which is what a loop of `acquire` has each time: without
    /// the plan's lists. False when there is more to do, or nothing.
    private func flushOne(_ isForSave: Bool) throws -> Bool {
        // What was set back, or removed again, begins no transaction.
        guard let session = onlyChange, session.missingKeys == nil, writer.isBegun(level) || session.hasOneToWrite,
            try !begin()
        else {
            return false
        }
        let runner = FlushRunner(channel)
        if let object = session.unflushed.inserts.first {
            guard object.status == .inserted else { return false }
            guard try write(object, isForSave, { try runner.insert(object, session.plan) }) else { return true }
            session.unflushed.inserts.remove(at: 0)
            session.noteInserted(object)
            session.flushed.inserts.append(object)
        } else if let object = session.unflushed.updates.first {
            guard object.status != .removed else { return false }
            let attributes = FlushPlan.plannedAttributes(object)
            guard !attributes.isEmpty else { return false }
            guard try write(object, isForSave, { try runner.update(object, attributes, session.plan) }) else {
                return true
            }
            session.unflushed.updates.remove(at: 0)
            if session.noteUpdated(object) { session.flushed.updates.append(object) }
        }
        return true
    }

    /// Writes one object. False when it has a value that cannot be stored, and waits now.
    private func write(_ object: any Entity, _ isForSave: Bool, _ body: () throws -> Void) throws -> Bool {
        do {
            try atomically(true, body)
            return true
        } catch KernelError.invalidValue where !isForSave {
            hold([object])
            return false
        }
    }

    /// The session of the only object that is to be flushed, if nothing else is.
    private var onlyChange: Session? {
        var only: Session?
        for session in openSessions where session.needsFlush {
            guard only == nil, session.hasOneChange else { return nil }
            only = session
        }
        return only
    }

    /// Carries removals out that concern only objects that were never written: by rules, in memory, without a
    /// statement. False when there are others, or when the transaction may have something that leads to them.
    private func removeInMemory() throws -> Bool {
        for session in openSessions where session.hasFlushed { return false }
        for session in openSessions where session.hasRemovals {
            guard session.wipe != .unflushed, session.lostRows.isEmpty else { return false }
            let unwritten = session.unwritten
            for object in session.unflushed.removals where !unwritten.contains(object.row) { return false }
        }
        let (plan, explicit) = try pendingRemoval(readsStore: false)
        guard plan.isInMemory else { return false }
        try mark(plan, explicit: explicit)
        for session in openSessions where session.hasRemovals { session.noteFlushedRemovals() }
        return true
    }

    /// Called before it is told what has changed: what only new objects had to do with a removed one is nothing.
    func settleRemovalsInMemory() {
        guard openSessions.contains(where: { $0.hasUndone }) else { return }
        // Nothing is read, so nothing is thrown.
        _ = try? removeInMemory()
    }

    /// What the objects that were removed take with them, and which rows those are.
    private func pendingRemoval(readsStore: Bool = true) throws -> (RemovalPlan, [Int: Set<Int64>]) {
        let resolver = RemovalResolver(self, readsStore: readsStore)
        var explicit: [Int: Set<Int64>] = [:]
        for session in openSessions where session.hasRemovals {
            let entity = session.plan.index
            if session.wipe == .unflushed { try translating(nil) { try resolver.addAll(entity) } }
            let rows = session.lostRows + session.unflushed.removals.map { $0.row }
            resolver.add(rows, entity)
            explicit[entity] = Set(rows)
        }
        try translating(nil) { try resolver.resolve() }
        return (resolver.plan, explicit)
    }

    /// Removes rows of an entity at once (nil: all), with what the delete rules add. Returns how many of the entity.
    @discardableResult
    func remove(_ rows: [Int64]?, of entity: Int) throws -> Int {
        let resolver = RemovalResolver(self)
        try translating(nil) {
            if let rows { resolver.add(rows, entity) } else { try resolver.addAll(entity) }
            try resolver.resolve()
        }
        let plan = resolver.plan
        guard !plan.isEmpty else { return 0 }
        try atomically(plan.statements == 1) { try execute(plan) }
        try mark(plan, explicit: [:])
        return plan.count(entity)
    }

    /// Runs statements, all of them or none.
    private func atomically(_ isOneStatement: Bool, _ body: () throws -> Void) throws {
        let depth = level + 1
        do {
            if !isOneStatement { try connection.savepoint(depth: depth) }
            try body()
            if !isOneStatement { try connection.release(depth: depth) }
        } catch {
            if !connection.isInTransaction {
                writer.transactionLost()
            } else if !isOneStatement {
                try? connection.rollback(toDepth: depth)
                try? connection.release(depth: depth)
            }
            throw explained(error)
        }
    }

    /// The failure in the words of the entity that it happened to.
    private func explained(_ error: any Error) -> any Error {
        if let issue = error as? ValueIssue { return ErrorMapper.error(issue, nil, path: model.path) }
        guard let failure = error as? DatabaseFailure else { return error }
        let entity = openSessions.first { ErrorMapper.concerns(failure, $0.plan) }
        return ErrorMapper.error(failure, entity?.plan, path: model.path)
    }
}

extension Session {
    /// Whether there is one object to flush, and nothing of another kind.
    fileprivate var hasOneChange: Bool {
        unflushed.inserts.count + unflushed.updates.count == 1 && !hasRemovals && joins.unflushed.isEmpty
            && orders.isEmpty
    }

    /// Of one object to flush: whether there is anything to write of it.
    fileprivate var hasOneToWrite: Bool {
        if let object = unflushed.inserts.first { return object.status == .inserted }
        guard let object = unflushed.updates.first else { return false }
        return object.status != .removed && !FlushPlan.plannedAttributes(object).isEmpty
    }

    /// The open transaction has all of this now.
    func noteFlushed() {
        if wipe == .unflushed { wipe = .flushed }
        removedRows += lostRows
        lostRows = []
        noteFlushedRemovals()
        let updates = unflushed.updates.kept { noteUpdated($0) }
        let inserts = unflushed.inserts.kept { object in
            if object.status == .inserted {
                noteInserted(object)
                return true
            }
            dropped.append(object)
            return false
        }
        unflushed = Changes()
        flushed.add(updates: updates, inserts: inserts)
        if !joins.isEmpty { joins.noteFlushed() }
        for order in orders {
            // A member that is not written yet has no place yet either.
            let isIncomplete = order.isIncomplete
            if isIncomplete { incompleteOrders.append(order) }
            flushedOrders.append(
                OrderChange(object: order.object, relationship: order.relationship, written: order.wanted))
            order.object.links?.many(order.relationship)?.isReordered = isIncomplete
        }
        orders = []
        missingKeys = nil
    }

    fileprivate func noteInserted(_ object: some Entity) {
        object.isClean = true
        object.isFresh = false
    }

    /// Returns whether the open transaction has something of the object.
    fileprivate func noteUpdated(_ object: some Entity) -> Bool {
        guard object.status != .removed, let history = object.history else { return false }
        if let keys = missingKeys?[ObjectIdentifier(object)] { return noteInPart(object, history, without: keys) }
        history.flushed = history.planned
        object.isClean = true
        if !history.flushed.isEmpty { return true }
        // Set to the value that it had: no change, and nothing to keep.
        object.history = nil
        return false
    }

    /// The same for one that was written but for relationships that it needs and lacks: it waits.
    private func noteInPart(
        _ object: some Entity, _ history: KernelHistory, without missing: AttributeSet
    ) -> Bool {
        // What the transaction had of those it still has.
        var written = history.flushed
        history.flushed.subtract(missing)
        written.subtract(history.flushed)
        history.flushed = history.planned
        history.flushed.formUnion(written)
        hold(object)
        return !history.flushed.isEmpty
    }
}
