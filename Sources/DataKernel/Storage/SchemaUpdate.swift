internal import KernelSQL
internal import KernelSQLite

/// Brings a store to the model: makes the tables of a new one, applies additions to an old one, refuses all else.
/// One transaction: a store is as it was, or as the model says.
struct SchemaUpdate {
    let connection: Connection
    let model: StoreModel
    let version: Int

    func run() throws {
        let wanted = StoredModel(entities)
        // Most openings end here, without a lock.
        let isMarked = try connection.hasLogMark()
        if isMarked, let (text, old) = try stored(), old == version, text == wanted.json() {
            return
        }
        connection.marksLogs = isMarked
        try connection.begin()
        do {
            try update(to: wanted)
            try connection.commit()
        } catch {
            try? connection.rollback()
            throw error
        }
    }

    private var entities: [EntityDescription] { model.plans.map { $0.entity } }

    private func plan(_ name: String) -> EntityPlan? {
        for plan in model.plans where plan.name == name { return plan }
        return nil
    }

    private func damaged(_ message: String) -> KernelError {
        .storeDamaged(path: model.path, DatabaseFailure(code: .corrupt, message: message))
    }

    /// The model and its version as the store has them, or nil for a store without the kernel's tables.
    private func stored() throws -> (String, Int)? {
        var names: [String] = []
        try connection.rows(SQLText("SELECT name FROM sqlite_schema WHERE type = 'table'")) { row in
            row.base = 0
            names.append(try row.text(0))
        }
        guard names.contains("kernel_meta") else {
            guard names.isEmpty else { throw KernelError.foreignStore(path: model.path, applicationID: 0) }
            return nil
        }
        var text: String?
        var version = 0
        try connection.rows(SQLText("SELECT key, value FROM kernel_meta")) { row in
            row.base = 0
            switch try row.text(0) {
            case "model": text = try row.text(1)
            case "version": version = Int(try row.integer(1))
            default: break
            }
        }
        guard let text else { throw damaged("kernel_meta holds no model") }
        return (text, version)
    }

    private func update(to wanted: StoredModel) throws {
        guard let (text, found) = try stored() else { return try create(wanted) }
        guard found <= version else { throw KernelError.storeNewer(found: found, supported: version) }
        let old: StoredModel
        do {
            old = try StoredModel(json: text)
        } catch {
            throw damaged("the model in kernel_meta cannot be read")
        }
        let difference = SchemaDifference(from: old, to: wanted, model: entities)
        // The rows are looked at only when the columns are what the additions say.
        let refusals = difference.refusals
        let conflicts = refusals.isEmpty ? try duplicates(difference.additions) + crowds(difference.additions) : []
        guard refusals.isEmpty, conflicts.isEmpty else {
            throw KernelError.modelMismatch(differences: refusals + conflicts)
        }
        if try !connection.hasLogMark() { try connection.makeLogMark(isNewStore: false) }
        for addition in difference.additions { try apply(addition, wanted) }
        try remember(wanted)
    }

    private func create(_ wanted: StoredModel) throws {
        try connection.makeLogMark(isNewStore: true)
        for sql in SchemaSQL.metadata { try connection.execute(sql) }
        for entity in wanted.entities { try createEntity(entity) }
        for entity in wanted.entities { for join in entity.joins ?? [] { try createJoin(join) } }
        try StoreFile.stamp(connection)
        try remember(wanted)
    }

    private func createEntity(_ entity: StoredEntity) throws {
        guard let plan = plan(entity.name) else { return }
        try connection.execute(SchemaSQL.createTable(plan.entity))
        for index in entity.indexes { try connection.execute(SchemaSQL.createIndex(index, on: entity.name)) }
        _ = try connection.run(SQLText("INSERT INTO kernel_id (entity, next) VALUES (?, 1)")) {
            $0.bind(text: entity.name)
        }
    }

    private func createJoin(_ join: StoredJoin) throws {
        for sql in SchemaSQL.createJoin(join) { try connection.execute(sql) }
    }

    private func remember(_ wanted: StoredModel) throws {
        let put = SQLText(
            "INSERT INTO kernel_meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        let text = wanted.json()
        _ = try connection.run(put) { statement in
            statement.bind(text: "model")
            statement.bind(text: text)
        }
        _ = try connection.run(put) { statement in
            statement.bind(text: "version")
            statement.bind(integer: Int64(version))
        }
    }

    // MARK: Additions

    private func apply(_ addition: SchemaDifference.Addition, _ wanted: StoredModel) throws {
        do {
            switch addition {
            case .entity(let name):
                for entity in wanted.entities where entity.name == name { try createEntity(entity) }
            case .attribute(let entity, let attribute):
                try add(attribute, entity)
            case .index(let entity, let index):
                try connection.execute(SchemaSQL.createIndex(index, on: entity))
            case .order(let entity, let column):
                try connection.execute(SchemaSQL.addOrderColumn(column, to: entity))
            case .join(let join):
                try createJoin(join)
            }
        } catch let failure as DatabaseFailure {
            throw KernelError.migrationFailed(step: "\(addition)", failure)
        }
    }

    /// Adds a column and gives its rows the attribute's initial value. An initial value that is another one each time,
    /// such as `UUID()`, is made anew for each row.
    private func add(_ attribute: String, _ entity: String) throws {
        guard let plan = plan(entity), let position = plan.entity.position(of: attribute) else { return }
        try connection.execute(SchemaSQL.addColumn(position, to: plan.entity))
        let first = try initialValue(plan.type, position, plan)
        let assignment = "UPDATE \(entity.sqlIdentifier) SET \(attribute.sqlIdentifier) = ?"
        if first == (try initialValue(plan.type, position, plan)) {
            if first != .null { _ = try connection.run(SQLText(assignment)) { $0.bind(stored: first) } }
            return
        }
        let id = ModelCheck.idColumn.sqlIdentifier
        let one = SQLText("\(assignment) WHERE \(id) = ?")
        for row in try rows(plan) {
            let value = try initialValue(plan.type, position, plan)
            _ = try connection.run(one) { statement in
                statement.bind(stored: value)
                statement.bind(integer: row)
            }
        }
    }

    private func initialValue<E: Entity>(_ type: E.Type, _ position: Int, _ plan: EntityPlan) throws -> StoredValue {
        let binder = ValueBinder()
        do {
            try E().kernelBind(position, to: binder)
        } catch let issue as ValueIssue {
            throw KernelError.invalidValue(
                entity: plan.name, attribute: plan.entity.attributes[position].name, reason: issue.reason)
        }
        return binder.values.first ?? .null
    }

    private func rows(_ plan: EntityPlan) throws -> [Int64] {
        let id = ModelCheck.idColumn.sqlIdentifier
        return try connection.integers(SQLText("SELECT \(id) FROM \(plan.name.sqlIdentifier)"))
    }

    // MARK: What cannot be added

    /// New unique indexes over attributes that are in the store already, where rows have the same values.
    private func duplicates(_ additions: [SchemaDifference.Addition]) throws -> [String] {
        var found: [String] = []
        for case .index(let entity, let index) in additions where index.isUnique {
            guard !index.attributes.contains(where: { additions.contains(.attribute(entity: entity, attribute: $0)) })
            else { continue }
            let rows = try connection.integers(SQLText(SchemaSQL.duplicates(index, in: entity)), columns: 2)
            for pair in 0..<rows.count / 2 {
                found.append(
                    "\(entity): rows \(rows[pair * 2]) and \(rows[pair * 2 + 1]) have the same "
                        + "\(index.attributes.joined(separator: ", ")), which the model says is unique")
            }
        }
        return found
    }

    /// New unique attributes whose initial value would be the same in every row.
    private func crowds(_ additions: [SchemaDifference.Addition]) throws -> [String] {
        var found: [String] = []
        for case .index(let entity, let index) in additions where index.isUnique && index.attributes.count == 1 {
            let name = index.attributes[0]
            guard additions.contains(.attribute(entity: entity, attribute: name)),
                let plan = plan(entity), let position = plan.entity.position(of: name), try rows(plan).count > 1
            else { continue }
            let first = try initialValue(plan.type, position, plan)
            if first != .null, first == (try initialValue(plan.type, position, plan)) {
                found.append(
                    "\(entity).\(name) is new and unique, and its initial value would be the same in every row")
            }
        }
        return found
    }
}
