internal import KernelSQL
internal import KernelSQLite

extension UnitContext {
    /// Brings the open transaction up to what the objects say. Runs no statement when they say nothing new.
    func flush(isForSave: Bool = false) throws {
        guard openSessions.contains(where: \.needsFlush) else { return }
        var plan = FlushPlan(openSessions, isForSave: isForSave)
        let removes = openSessions.contains(where: \.hasRemovals)
        if removes || !plan.isEmpty {
            let began = try translating(nil) { try writer.begin(level) }
            let removal = removes ? try translating(nil, pendingRemoval) : nil
            // What others saved since may have changed what there is to do.
            if began, !removes { plan = FlushPlan(openSessions, isForSave: isForSave) }
            let isOneStatement = (removal?.0.statements ?? 0) + (removes ? 2 : 0) == 0 && plan.isOneStatement
            try atomically(isOneStatement) {
                if let (removal, explicit) = removal {
                    try execute(removal)
                    try mark(removal, explicit: explicit)
                    plan = FlushPlan(openSessions, isForSave: isForSave)
                }
                try FlushRunner(channel).run(plan)
            }
        }
        for session in openSessions where session.needsFlush { session.noteFlushed(isForSave: isForSave) }
    }

    /// What the objects that were removed take with them, and which rows those are.
    private func pendingRemoval() throws -> (RemovalPlan, Set<RowRef>) {
        var resolver = RemovalResolver(self)
        var explicit: Set<RowRef> = []
        for session in openSessions where session.hasRemovals {
            let entity = session.plan.index
            if session.wipe == .unflushed { try resolver.addAll(entity) }
            resolver.add(session.lostRows, entity)
            for row in session.lostRows { explicit.insert(RowRef(entity: entity, row: row)) }
            let rows = session.unflushed.removals.map { $0.row }
            resolver.add(rows, entity)
            for row in rows { explicit.insert(RowRef(entity: entity, row: row)) }
        }
        try resolver.resolve()
        return (resolver.plan, explicit)
    }

    /// Removes rows at once, with what the delete rules add.
    func remove(_ resolve: (inout RemovalResolver) throws -> Void) throws {
        var resolver = RemovalResolver(self)
        try translating(nil) {
            try resolve(&resolver)
            try resolver.resolve()
        }
        guard !resolver.plan.isEmpty else { return }
        try atomically(resolver.plan.statements == 1) { try execute(resolver.plan) }
        try mark(resolver.plan, explicit: [])
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
        guard let failure = error as? DatabaseFailure else { return error }
        let entity = openSessions.first { ErrorMapper.concerns(failure, $0.plan) }
        return ErrorMapper.error(failure, entity?.plan, path: model.path)
    }
}

extension Session {
    /// Whether the object has all the relationships that it must have.
    func isComplete(_ object: some Entity) -> Bool { plan.requiredKeys.allSatisfy { object.kernelLink($0) != 0 } }

    /// The open transaction has all of this now, but for what is not complete.
    func noteFlushed(isForSave: Bool) {
        var left = Changes()
        if wipe == .unflushed { wipe = .flushed }
        removedRows += lostRows
        lostRows = []
        flushed.removals += unflushed.removals
        for object in unflushed.updates {
            if isForSave || isComplete(object) { noteUpdated(object) } else { left.updates.append(object) }
        }
        for object in unflushed.inserts {
            if object.status != .inserted {
                dropped.append(object)
            } else if isForSave || isComplete(object) {
                object.isClean = true
                object.isFresh = false
                flushed.inserts.append(object)
            } else {
                left.inserts.append(object)
            }
        }
        unflushed = left
        if !joins.isEmpty { joins.noteFlushed() }
        var waiting: [OrderChange] = []
        for order in orders {
            // A member that is not written yet has no place yet either.
            if !isForSave, order.isIncomplete { waiting.append(order) }
            flushedOrders.append(
                OrderChange(object: order.object, relationship: order.relationship, written: order.wanted))
            order.object.links?.many(order.relationship)?.isReordered = false
        }
        for order in waiting { order.object.links?.many(order.relationship)?.isReordered = true }
        orders = waiting
    }

    private func noteUpdated(_ object: some Entity) {
        guard object.status != .removed, let history = object.history else { return }
        history.flushed.formUnion(object.kernelChanges())
        object.isClean = true
        if history.flushed.isEmpty {
            // Set to the value that it had: no change, and nothing to keep.
            object.history = nil
        } else {
            flushed.updates.append(object)
        }
    }
}
