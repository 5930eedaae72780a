internal import KernelSQL
internal import KernelSQLite

/// Carries out a flush plan in the open transaction: one cached statement for each group.
struct FlushRunner {
    let channel: Channel
    /// Whether a list leaves out objects with values that cannot be stored, and gives them back.
    private let skipsUnstorable: Bool
    private var connection: Connection { channel.connection }

    init(_ channel: Channel, skipsUnstorable: Bool = false) {
        self.channel = channel
        self.skipsUnstorable = skipsUnstorable
    }

    /// Returns the objects that were left out.
    func run(_ plan: FlushPlan) throws -> [any Entity] {
        var unstorable: [any Entity] = []
        for step in plan.steps {
            switch step {
            case .update(let session, let objects): try update(objects, session.plan, &unstorable)
            case .insert(let session, let objects): try insert(objects, session.plan, &unstorable)
            case .unpair(let session, let pairs): try write(pairs, adding: false, session.plan)
            case .pair(let session, let pairs): try write(pairs, adding: true, session.plan)
            case .order(let session, let orders): for order in orders { try write(order, session.plan) }
            }
        }
        return unstorable
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

    private func insert(_ objects: [any Entity], _ plan: EntityPlan, _ unstorable: inout [any Entity]) throws {
        let statement = try connection.borrow(plan.sql.insert)
        defer { connection.giveBack(statement) }
        for object in objects {
            do {
                try insert(object, statement, plan)
            } catch KernelError.invalidValue where skipsUnstorable {
                unstorable.append(object)
            }
        }
    }

    private func insert(_ object: some Entity, _ statement: Statement, _ plan: EntityPlan) throws {
        statement.rewind()
        statement.bind(integer: object.row)
        for attribute in plan.stored { try bind(object, attribute, statement, plan) }
        do {
            try statement.run()
        } catch let failure as DatabaseFailure where failure.code == .constraintNotNull {
            throw missing(object, plan, failure)
        }
    }

    /// SQLite names the first of several.
    private func missing(_ object: some Entity, _ plan: EntityPlan, _ failure: DatabaseFailure) -> any Error {
        let keys = plan.requiredKeys.filter { object.kernelLink($0) == 0 }
        guard keys.count > 1 else { return failure }
        let names = keys.map { plan.entity.attributes[$0].name }
        return KernelError.missingValue(entity: plan.name, attribute: names.joined(separator: " and "), failure)
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

    private func write(_ pairs: [JoinChanges.Pair], adding: Bool, _ plan: EntityPlan) throws {
        for pair in pairs {
            let sql = plan.relationships[pair.relationship].sql
            guard let text = adding ? sql.insertPair : sql.deletePair else { continue }
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
            // What is no number is no place, and gets one.
            guard let place = try? row.integer(1) else { return }
            places[try row.integer(0)] = place
        }
        let wanted = OrderPlaces.places(rows, places)
        for index in rows.indices where places[rows[index]] != wanted[index] {
            _ = try connection.run(update) { statement in
                statement.bind(integer: owner)
                statement.bind(integer: wanted[index])
                statement.bind(integer: rows[index])
            }
        }
    }

    // MARK: Updates: try, park, write

    /// SQLite checks unique values row by row, so two objects that swap theirs are in each other's way. Those updates
    /// that fail are tried again after each of their unique attributes was given a value that is in nobody's way.
    /// What fails then is a real duplicate.
    private func update(_ objects: [any Entity], _ plan: EntityPlan, _ unstorable: inout [any Entity]) throws {
        let blocked = try write(objects, plan, canWait: objects.count > 1, &unstorable)
        guard !blocked.isEmpty else { return }
        for object in blocked { try park(object, plan) }
        _ = try write(blocked, plan, canWait: false, &unstorable)
    }

    /// Returns those that a unique value of another row is in the way of, if they can wait.
    private func write(
        _ objects: [any Entity], _ plan: EntityPlan, canWait: Bool, _ unstorable: inout [any Entity]
    ) throws -> [any Entity] {
        var blocked: [any Entity] = []
        var current: (attributes: AttributeSet, statement: Statement)?
        defer { if let current { connection.giveBack(current.statement) } }
        for object in objects {
            guard let attributes = object.history?.planned else { continue }
            if current?.attributes != attributes {
                if let old = current { connection.giveBack(old.statement) }
                current = nil
                current = (attributes, try connection.borrow(channel.update(plan, attributes)))
            }
            guard let statement = current?.statement else { continue }
            do {
                try write(object, attributes, statement, plan)
            } catch let failure as DatabaseFailure {
                statement.reset()
                guard canWait, case .constraintUnique = failure.code else { throw failure }
                blocked.append(object)
            } catch KernelError.invalidValue where skipsUnstorable {
                unstorable.append(object)
            }
        }
        return blocked
    }

    private func write(
        _ object: some Entity, _ attributes: AttributeSet, _ statement: Statement, _ plan: EntityPlan
    ) throws {
        statement.rewind()
        try attributes.forEach { try bind(object, $0, statement, plan) }
        statement.bind(integer: object.row)
        try statement.run()
    }

    private func park(_ object: any Entity, _ plan: EntityPlan) throws {
        guard let attributes = object.history?.planned else { return }
        var parked = AttributeSet()
        for group in plan.uniqueGroups {
            if let attribute = group.first(where: { attributes.contains($0) }) { parked.insert(attribute) }
        }
        guard !parked.isEmpty else { return }
        let row = object.row
        _ = try connection.run(SQLText(plan.parkSQL(parked))) { $0.bind(integer: row) }
    }
}

extension Connection {
    /// The integers in the first columns of all rows, one row's behind the other's, of a statement that has a list of
    /// rows if one is given.
    // Not inlined: it is called in ten places.
    @inline(never)
    func integers(_ text: SQLText, columns: Int = 1, _ rows: [Int64]? = nil) throws -> [Int64] {
        var found: [Int64] = []
        try self.rows(text) { statement in
            if let rows { statement.bind(list: ValueList(integers: rows)) }
        } each: { row in
            row.base = 0
            for column in 0..<columns { found.append(try row.integer(column)) }
        }
        return found
    }

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
