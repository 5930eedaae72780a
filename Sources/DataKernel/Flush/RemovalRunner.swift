internal import KernelSQL
internal import KernelSQLite

extension UnitContext {
    /// Carries out a removal in the open transaction. Marks nothing.
    func execute(_ plan: RemovalPlan) throws {
        for entity in plan.wiped { _ = try connection.run(model.plans[entity].sql.deleteAll) }
        for (ref, rows) in plan.unpairedOwn { try run(relationship(ref).sql.unpairOwn, rows) }
        for (ref, rows) in plan.unpairedOther { try run(relationship(ref).sql.unpairOther, rows) }
        for (ref, rows) in plan.nullified { try run(relationship(ref).sql.nullify, rows) }
        for removed in plan.deleted { try connection.delete(removed.rows, model.plans[removed.entity]) }
    }

    private func run(_ text: SQLText?, _ rows: [Int64]) throws {
        guard let text else { return }
        _ = try connection.run(text) { $0.bind(list: ValueList(integers: rows)) }
    }

    @inline(never)
    func relationship(_ ref: RelationshipRef) -> RelationshipPlan {
        model.plans[ref.entity].relationships[ref.relationship]
    }

    /// Marks in memory what a removal did. `explicit` are the rows, by entity, whose objects know it already.
    func mark(_ plan: RemovalPlan, explicit: [Int: Set<Int64>]) throws {
        for denial in plan.denials { denials.append(denial) }
        for removed in plan.deleted {
            let session = try session(at: removed.entity)
            let known = explicit[removed.entity] ?? []
            let others = removed.rows.filter { !known.contains($0) }
            session.sweep(others)
            if !others.isEmpty { forgetInverses(of: session.plan) }
        }
        // What was never written has an object, which is all that there is of it.
        for removed in plan.removed {
            guard let session = openSession(at: removed.entity),
                !session.unflushed.inserts.isEmpty || session.incomplete?.isEmpty == false
            else { continue }
            for row in removed.rows { session.sweep(row) }
        }
        for (ref, rows) in plan.nullified { try markNullified(ref, rows, isStored: !plan.isInMemory) }
        // Pairs that are not written yet go with the object at one of their ends, like those that are.
        for (ref, rows) in plan.unpairedOwn {
            let relationship = relationship(ref)
            if relationship.join?.isOwner == true { try dropPairs(ref, rows, areOwn: true) }
            // A symmetric relationship has the rows at both ends.
            if let back = relationship.back { try dropPairs(back, rows, areOwn: false) }
        }
        for (ref, rows) in plan.unpairedOther { try dropPairs(ref, rows, areOwn: false) }
    }

    @inline(never)
    private func dropPairs(_ ref: RelationshipRef, _ rows: [Int64], areOwn: Bool) throws {
        let session = try session(at: ref.entity)
        if !session.joins.isEmpty { session.joins.drop(ref.relationship, Set(rows), areOwn: areOwn) }
    }

    private func markNullified(_ ref: RelationshipRef, _ rows: [Int64], isStored: Bool) throws {
        let relationship = relationship(ref)
        let holder = model.keyHolder(ref)
        let session = try session(at: holder)
        if isStored { session.touchedRows += rows }
        let own = relationship.key != nil ? relationship.index : relationship.inverse
        guard let own, let attribute = session.plan.relationships[own].key else { return }
        for row in rows {
            guard let object = session.objects[row] as? any Entity, object.status != .removed else {
                continue
            }
            clearKey(object, session, session.plan.relationships[own], attribute)
        }
    }

    /// What is loaded at the other ends may have objects of the entity that are gone.
    func forgetInverses(of plan: EntityPlan) {
        for relationship in plan.relationships {
            if let back = relationship.back { forget(back) }
        }
        for reference in model.oneWay[plan.index] { forget(reference) }
    }

    // MARK: Asked when it is saved

    /// Throws when something is still related to what was removed.
    func checkDenials() throws {
        for denial in denials {
            switch denial {
            case .members(let ref, let rows):
                let relationship = relationship(ref)
                // The one that holds, and the removed one.
                let found = try connection.integers(relationship.sql.selectHolder, columns: 2, rows)
                if !found.isEmpty { throw denied(relationship, ref.entity, found[1], relationship.target, found[0]) }
            case .target(let ref, let rows, let targets):
                let relationship = relationship(ref)
                let found = try connection.integers(model.plans[relationship.target].sql.selectExisting, targets)
                if let holder = found.first, let index = targets.firstIndex(of: holder) {
                    throw denied(relationship, ref.entity, rows[index], relationship.target, holder)
                }
            case .referrers(let ref, let rows):
                let relationship = relationship(ref)
                let found = try connection.integers(relationship.sql.selectHolder, columns: 2, rows)
                if !found.isEmpty { throw denied(relationship, relationship.target, found[1], ref.entity, found[0]) }
            }
        }
    }

    @inline(never)
    private func denied(
        _ relationship: RelationshipPlan, _ entity: Int, _ row: Int64, _ holder: Int, _ holderRow: Int64
    ) -> KernelError {
        .deleteDenied(
            "\(model.plans[entity].name)/\(row)", heldBy: "\(model.plans[holder].name)/\(holderRow)",
            relationship: "\(model.plans[relationship.ref.entity].name).\(relationship.name)")
    }
}
