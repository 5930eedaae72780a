internal import KernelSQL
internal import KernelSQLite

// How a context learns what others saved. The cost is in proportion to the objects that it holds.
extension ContextCore {
    func merge(_ changes: ChangeSet) throws {
        for session in openSessions where session.objects.count > 0 {
            let changed = changes[session.plan.index]
            // A row that cannot be read leaves its object as it was: it must not keep all others from being read.
            if changes.isAll || changed?.isAll == true {
                try reload(session.objects.rows, session, skipsUndecodable: true)
            } else if let rows = changed?.rows, !rows.isEmpty {
                try reload(held(rows, session), session, skipsUndecodable: true)
            }
        }
        for session in openSessions where session.objects.count > 0 {
            for relationship in session.plan.relationships {
                let ref = RelationshipRef(entity: session.plan.index, relationship: relationship.index)
                if changes.isAll {
                    forget(ref)
                } else if let owners = changes.relationships[ref] {
                    forget(ref, of: owners)
                }
            }
        }
    }

    /// Those of the rows that the session has objects of; the cheaper way round.
    private func held(_ rows: [Int64], _ session: Session) -> [Int64] {
        // Reading all that is held again costs less than looking for each row that was saved.
        if session.objects.count * 4 < rows.count { return session.objects.rows }
        return rows.filter { session.objects[$0] != nil }
    }

    /// Reads rows again. Those that are gone mark their objects as deleted.
    func reload(_ rows: [Int64], _ session: Session, skipsUndecodable: Bool = false) throws {
        guard !rows.isEmpty else { return }
        var missing = Set(rows)
        try translating(session.plan) {
            let statement = try connection.borrow(session.plan.sql.selectRows)
            defer { connection.giveBack(statement) }
            statement.bind(list: ValueList(integers: rows))
            statement.row.base = 1
            while try statement.step() {
                let id = try statement.row.integer(-1)
                missing.remove(id)
                guard let object = session.objects[id] as? any Entity else { continue }
                statement.row.id = id
                do {
                    try load(object, statement.row, session.plan)
                } catch KernelError.undecodable where skipsUndecodable {
                    continue
                }
            }
        }
        for row in missing { vanish(row, session) }
    }

    private func load(_ object: some Entity, _ row: Row, _ plan: EntityPlan) throws {
        do {
            guard plan.entity.isObservable else { return try channel.calling(.decoding) { try object.kernelLoad(row) } }
            let changes = try channel.calling(.decoding) { try difference(object, row, plan) }
            guard !changes.isEmpty else { return }
            announcing { object.kernelWillChange(changes) }
            defer { announcing { object.kernelDidChange(changes) } }
            try channel.calling(.decoding) { try object.kernelLoad(row) }
        } catch let issue as ValueIssue {
            throw plan.undecodable(row, issue)
        }
    }

    /// Which attributes a row has other values for. Observers are told of these and no others.
    private func difference<E: Entity>(_ object: E, _ row: Row, _ plan: EntityPlan) throws -> AttributeSet {
        let fresh = try E(row: row)
        var changes = AttributeSet()
        for attribute in plan.entity.attributes.indices {
            let old = ValueBinder()
            let new = ValueBinder()
            try object.kernelBind(attribute, to: old)
            try fresh.kernelBind(attribute, to: new)
            if old.values != new.values { changes.insert(attribute) }
        }
        return changes
    }

    /// Somebody else removed the row. Not for objects that this context has still to insert.
    private func vanish(_ row: Int64, _ session: Session) {
        guard let object = session.objects[row] as? any Entity else { return }
        switch object.status {
        case .stored:
            object.status = .removed
            session.takeOut(object)
        case .removed:
            // Unless it is gone because this context removed it.
            if !session.hasFlushedRemovals { session.vanished.insert(row) }
        case .inserted, .detached: break
        }
    }
}
