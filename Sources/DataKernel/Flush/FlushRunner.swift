internal import KernelSQL
internal import KernelSQLite

/// Carries out a flush plan in the open transaction: one cached statement for each group.
struct FlushRunner {
    let channel: Channel
    private var connection: Connection { channel.connection }

    init(_ channel: Channel) { self.channel = channel }

    func run(_ plan: FlushPlan) throws {
        for step in plan.steps {
            switch step {
            case .wipe(let session): _ = try connection.run(session.plan.deleteAll) { _ in }
            case .removeRows(let session, let rows): try connection.delete(rows, session.plan)
            case .delete(let session, let objects):
                try connection.delete(objects.map { $0.kernelState.row }, session.plan)
            case .update(let session, let updates): try update(updates, session.plan)
            case .insert(let session, let objects): try insert(objects, session.plan)
            }
        }
    }

    private func insert(_ objects: [any Entity], _ plan: EntityPlan) throws {
        let statement = try connection.borrow(plan.insert)
        defer { connection.giveBack(statement) }
        let count = plan.entity.attributes.count
        for object in objects { try insert(object, count, statement, plan) }
    }

    private func insert(_ object: some Entity, _ count: Int, _ statement: Statement, _ plan: EntityPlan) throws {
        statement.rewind()
        statement.bind(integer: object.kernelState.row)
        for attribute in 0..<count { try bind(object, attribute, statement, plan) }
        try statement.run()
    }

    private func bind(_ object: some Entity, _ attribute: Int, _ statement: Statement, _ plan: EntityPlan) throws {
        do {
            try object.kernelBind(attribute, to: statement)
        } catch let issue as ValueIssue {
            throw KernelError.invalidValue(
                entity: plan.name, attribute: plan.entity.attributes[attribute].name, reason: issue.reason)
        }
    }

    // MARK: Updates: try, park, write

    /// SQLite checks unique values row by row, so two objects that swap theirs are in each other's way. Those updates
    /// that fail are tried again after each of their unique attributes was given a value that is in nobody's way.
    /// What fails then is a real duplicate.
    private func update(_ updates: [FlushPlan.Update], _ plan: EntityPlan) throws {
        var blocked: [FlushPlan.Update] = []
        try write(updates, plan) { update, failure in
            guard case .constraintUnique = failure.code, updates.count > 1 else { throw failure }
            blocked.append(update)
        }
        guard !blocked.isEmpty else { return }
        for update in blocked { try park(update, plan) }
        try write(blocked, plan) { _, failure in throw failure }
    }

    private func write(
        _ updates: [FlushPlan.Update], _ plan: EntityPlan,
        failed: (FlushPlan.Update, DatabaseFailure) throws -> Void
    ) throws {
        var current: (attributes: AttributeSet, statement: Statement)?
        defer { if let current { connection.giveBack(current.statement) } }
        for update in updates {
            if current?.attributes != update.attributes {
                if let old = current { connection.giveBack(old.statement) }
                current = nil
                current = (update.attributes, try connection.borrow(channel.update(plan, update.attributes)))
            }
            guard let statement = current?.statement else { continue }
            do {
                try write(update.object, update.attributes, statement, plan)
            } catch let failure as DatabaseFailure {
                statement.reset()
                try failed(update, failure)
            }
        }
    }

    private func write(
        _ object: some Entity, _ attributes: AttributeSet, _ statement: Statement, _ plan: EntityPlan
    ) throws {
        statement.rewind()
        try attributes.forEach { try bind(object, $0, statement, plan) }
        statement.bind(integer: object.kernelState.row)
        try statement.run()
    }

    private func park(_ update: FlushPlan.Update, _ plan: EntityPlan) throws {
        var parked = AttributeSet()
        for group in plan.uniqueGroups {
            if let attribute = group.first(where: update.attributes.contains) { parked.insert(attribute) }
        }
        guard !parked.isEmpty else { return }
        _ = try connection.run(SQLText(plan.parkSQL(parked))) { $0.bind(integer: update.object.kernelState.row) }
    }
}

extension Connection {
    /// Deletes rows by their ids.
    func delete(_ rows: [Int64], _ plan: EntityPlan) throws {
        // One statement, so that a failure leaves all rows.
        if rows.count == 1 {
            _ = try run(plan.deleteRow) { $0.bind(integer: rows[0]) }
        } else {
            _ = try run(plan.deleteRows) { $0.bind(list: ValueList(integers: rows)) }
        }
    }
}
