internal import KernelSQL
internal import KernelSQLite

extension UnitContext {
    /// Brings the open transaction up to what the objects say. Runs no statement when they say nothing new.
    func flush() throws {
        guard openSessions.contains(where: \.needsFlush) else { return }
        var plan = FlushPlan(openSessions)
        if !plan.isEmpty {
            let began = try translating(nil) { try writer.begin(level) }
            // What others saved since may have changed what there is to do.
            if began { plan = FlushPlan(openSessions) }
            try run(plan)
        }
        for session in openSessions where session.needsFlush { session.noteFlushed() }
    }

    /// Runs the plan, the whole of it or nothing.
    private func run(_ plan: FlushPlan) throws {
        let depth = level + 1
        do {
            if !plan.isOneStatement { try connection.savepoint(depth: depth) }
            try FlushRunner(channel).run(plan)
            if !plan.isOneStatement { try connection.release(depth: depth) }
        } catch {
            if !connection.isInTransaction {
                writer.transactionLost()
            } else if !plan.isOneStatement {
                try? connection.rollback(toDepth: depth)
                try? connection.release(depth: depth)
            }
            throw explained(error, plan)
        }
    }

    /// The failure in the words of the entity that it happened to.
    private func explained(_ error: any Error, _ plan: FlushPlan) -> any Error {
        guard let failure = error as? DatabaseFailure else { return error }
        let entity = openSessions.first { ErrorMapper.concerns(failure, $0.plan) }
        return ErrorMapper.error(failure, entity?.plan, path: model.path)
    }
}

extension Session {
    /// The open transaction has all of this now.
    func noteFlushed() {
        if wipe == .unflushed { wipe = .flushed }
        removedRowsAreFlushed = true
        flushed.removals += unflushed.removals
        for object in unflushed.updates { noteUpdated(object) }
        for object in unflushed.inserts {
            if object.kernelState.status == .inserted {
                object.kernelState.isClean = true
                flushed.inserts.append(object)
            } else {
                dropped.append(object)
            }
        }
        unflushed = Changes()
    }

    private func noteUpdated(_ object: some Entity) {
        guard object.kernelState.status != .removed, let history = object.kernelState.history else { return }
        history.flushed.formUnion(object.kernelChanges())
        object.kernelState.isClean = true
        if history.flushed.isEmpty {
            // Set to the value that it had: no change, and nothing to keep.
            object.kernelState.history = nil
        } else {
            flushed.updates.append(object)
        }
    }
}
