internal import KernelSQL
internal import KernelSQLite

extension UnitContext {
    /// Carries out a removal in the open transaction. Marks nothing.
    func execute(_ plan: RemovalPlan) throws {
        for entity in plan.wiped { _ = try connection.run(model.plans[entity].sql.deleteAll) }
        for (ref, rows) in plan.unpairedOwn { try run(relationship(ref).sql.unpairOwn, rows) }
        for (ref, rows) in plan.unpairedOther { try run(relationship(ref).sql.unpairOther, rows) }
        for (ref, rows) in plan.nullified { try run(relationship(ref).sql.nullify, rows) }
        for (entity, rows) in plan.removed { try connection.delete(rows, model.plans[entity]) }
    }

    private func run(_ text: SQLText?, _ rows: [Int64]) throws {
        guard let text else { return }
        _ = try connection.run(text) { $0.bind(list: ValueList(integers: rows)) }
    }

    func relationship(_ ref: RelationshipRef) -> RelationshipPlan {
        model.plans[ref.entity].relationships[ref.relationship]
    }

    /// Marks in memory what a removal did. `isExplicit` says of which rows the objects know it already.
    func mark(_ plan: RemovalPlan, explicit: Set<RowRef>) throws {
        denials += plan.denials
        for (entity, rows) in plan.removed {
            let session = try session(at: entity)
            let others = rows.filter { !explicit.contains(RowRef(entity: entity, row: $0)) }
            session.removedRows += others
            for row in others { session.sweep(row) }
            if !others.isEmpty { forgetInverses(of: session.plan) }
        }
        for (ref, rows) in plan.nullified { try markNullified(ref, rows) }
        for (ref, rows) in plan.unpairedOwn { try dropPairs(ref, Set(rows)) }
        for (ref, rows) in plan.unpairedOther {
            try session(at: ref.entity).joins.drop(ref.relationship, other: Set(rows))
        }
    }

    /// Pairs that are not written yet go with the object at one of their ends, like those that are.
    private func dropPairs(_ ref: RelationshipRef, _ rows: Set<Int64>) throws {
        let relationship = relationship(ref)
        if relationship.join?.isOwner == true {
            try session(at: ref.entity).joins.drop(ref.relationship, own: rows)
        }
        // A symmetric relationship has the rows at both ends.
        if let inverse = relationship.inverse {
            try session(at: relationship.target).joins.drop(inverse, other: rows)
        }
    }

    private func markNullified(_ ref: RelationshipRef, _ rows: [Int64]) throws {
        let relationship = relationship(ref)
        let holder = model.keyHolder(ref)
        let session = try session(at: holder)
        session.touchedRows += rows
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
            if let inverse = relationship.inverse {
                forget(RelationshipRef(entity: relationship.target, relationship: inverse))
            }
        }
        for reference in model.oneWay[plan.index] {
            forget(RelationshipRef(entity: reference.entity, relationship: reference.relationship))
        }
    }

    // MARK: Asked when it is saved

    /// Throws when something is still related to what was removed.
    func checkDenials() throws {
        for denial in denials {
            switch denial {
            case .members(let ref, let rows):
                let relationship = relationship(ref)
                guard let (holder, held) = try pair(relationship.sql.selectHolder, rows) else { continue }
                throw denied(ref, held, relationship.target, holder)
            case .target(let ref, let pairs):
                let relationship = relationship(ref)
                let target = model.plans[relationship.target]
                guard let holder = try pair(target.sql.selectExisting, pairs.map(\.target))?.0,
                    let held = pairs.first(where: { $0.target == holder })
                else { continue }
                throw denied(ref, held.row, relationship.target, holder)
            case .referrers(let ref, let rows):
                let relationship = relationship(ref)
                guard let (holder, held) = try pair(relationship.sql.selectHolder, rows) else { continue }
                throw KernelError.deleteDenied(
                    "\(model.plans[relationship.target].name)/\(held)",
                    heldBy: "\(model.plans[ref.entity].name)/\(holder)",
                    relationship: "\(model.plans[ref.entity].name).\(relationship.name)")
            }
        }
    }

    private func denied(_ ref: RelationshipRef, _ row: Int64, _ holder: Int, _ holderRow: Int64) -> KernelError {
        let entity = model.plans[ref.entity]
        return .deleteDenied(
            "\(entity.name)/\(row)", heldBy: "\(model.plans[holder].name)/\(holderRow)",
            relationship: "\(entity.name).\(entity.relationships[ref.relationship].name)")
    }

    private func pair(_ text: SQLText, _ rows: [Int64]) throws -> (Int64, Int64)? {
        var found: (Int64, Int64)?
        try connection.rows(text) {
            $0.bind(list: ValueList(integers: rows))
        } each: { row in
            row.base = 0
            if found == nil { found = (try row.integer(0), try row.integer(1)) }
        }
        return found
    }
}

/// A row of an entity, by the entity's index.
struct RowRef: Hashable {
    let entity: Int
    let row: Int64
}
