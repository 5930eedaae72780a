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
            case .update(let session, let updates): try update(updates, session.plan)
            case .insert(let session, let objects): try insert(objects, session.plan)
            case .unpair(let session, let pairs): try write(pairs, session.plan) { $0.deletePair }
            case .pair(let session, let pairs): try write(pairs, session.plan) { $0.insertPair }
            case .order(let session, let orders): for order in orders { try write(order, session.plan) }
            }
        }
    }

    func insert(_ object: any Entity, _ plan: EntityPlan) throws {
        let statement = try connection.borrow(plan.sql.insert)
        defer { connection.giveBack(statement) }
        try insert(object, statement, plan)
    }

    func update(_ object: any Entity, _ attributes: AttributeSet, _ plan: EntityPlan) throws {
        let statement = try connection.borrow(channel.update(plan, attributes))
        defer { connection.giveBack(statement) }
        try write(object, attributes, statement, plan)
    }

    private func insert(_ objects: [any Entity], _ plan: EntityPlan) throws {
        let statement = try connection.borrow(plan.sql.insert)
        defer { connection.giveBack(statement) }
        for object in objects { try insert(object, statement, plan) }
    }

    private func insert(_ object: some Entity, _ statement: Statement, _ plan: EntityPlan) throws {
        statement.rewind()
        statement.bind(integer: object.row)
        for attribute in plan.stored { try bind(object, attribute, statement, plan) }
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

    // MARK: Pairs and orders

    private func write(
        _ pairs: [JoinChanges.Pair], _ plan: EntityPlan, _ text: (RelationshipSQL) -> SQLText?
    ) throws {
        for pair in pairs {
            guard let text = text(plan.relationships[pair.relationship].sql) else { continue }
            _ = try connection.run(text) { statement in
                statement.bind(integer: pair.own)
                statement.bind(integer: pair.other)
            }
        }
    }

    private func write(_ order: OrderChange, _ plan: EntityPlan) throws {
        let sql = plan.relationships[order.relationship].sql
        guard let select = sql.selectOrder, let update = sql.updateOrder, let rows = order.wanted else { return }
        let owner = order.object.row
        var places: [Int64: Int64] = [:]
        try connection.rows(select) {
            $0.bind(integer: owner)
        } each: { row in
            row.base = 0
            places[try row.integer(0)] = try row.integer(1)
        }
        for change in OrderPlaces.changes(rows, places) {
            _ = try connection.run(update) { statement in
                statement.bind(integer: owner)
                statement.bind(integer: change.place)
                statement.bind(integer: change.row)
            }
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
        statement.bind(integer: object.row)
        try statement.run()
    }

    private func park(_ update: FlushPlan.Update, _ plan: EntityPlan) throws {
        var parked = AttributeSet()
        for group in plan.uniqueGroups {
            if let attribute = group.first(where: update.attributes.contains) { parked.insert(attribute) }
        }
        guard !parked.isEmpty else { return }
        _ = try connection.run(SQLText(plan.parkSQL(parked))) { $0.bind(integer: update.object.row) }
    }
}

extension Connection {
    /// Deletes rows by their ids.
    func delete(_ rows: [Int64], _ plan: EntityPlan) throws {
        // One statement, so that a failure leaves all rows.
        if rows.count == 1 {
            _ = try run(plan.sql.deleteRow) { $0.bind(integer: rows[0]) }
        } else {
            _ = try run(plan.sql.deleteRows) { $0.bind(list: ValueList(integers: rows)) }
        }
    }
}
