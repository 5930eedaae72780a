internal import KernelSQL

extension Session {
    /// Notes that the object of a row is not at the other end of one of this entity's keys any more, or is now.
    func noteOwner(_ row: Int64, _ relationship: RelationshipPlan) {
        if row != 0, relationship.inverse != nil { movedOwners[relationship.index, default: []].insert(row) }
    }

    /// The relationships that the pending changes make other contexts' memory of stale. Asked before they are settled.
    var staleRelationships: [RelationshipRef: StaleOwners] {
        guard hasPending, let model = core?.model, model.hasRules(plan.index) else { return [:] }
        var stale: [RelationshipRef: StaleOwners] = [:]
        func add(_ ref: RelationshipRef, _ owners: StaleOwners) { stale[ref] = stale[ref]?.union(owners) ?? owners }
        // Of rows that went by a rule, a request or a wipe it is not known whom they belonged to.
        let isUnknown = wipe != .none || !removedRows.isEmpty || !touchedRows.isEmpty
        for relationship in plan.relationships {
            guard let inverse = relationship.inverse else { continue }
            let back = RelationshipRef(entity: relationship.target, relationship: inverse)
            if isUnknown || (relationship.join != nil && !flushed.removals.isEmpty) {
                add(back, .all)
            } else if let owners = movedOwners[relationship.index] {
                add(back, .some(owners))
            }
        }
        // Gathered first: a union for each pair or order would copy what is there already, again and again.
        var known: [RelationshipRef: Set<Int64>] = [:]
        for pair in joins.pairs {
            let relationship = plan.relationships[pair.relationship]
            known[RelationshipRef(entity: plan.index, relationship: pair.relationship), default: []].insert(pair.own)
            if let inverse = relationship.inverse {
                let back = RelationshipRef(entity: relationship.target, relationship: inverse)
                known[back, default: []].insert(pair.other)
            }
        }
        for order in flushedOrders {
            let ref = RelationshipRef(entity: plan.index, relationship: order.relationship)
            known[ref, default: []].insert(order.object.row)
        }
        for (ref, owners) in known { add(ref, .some(owners)) }
        if wipe != .none || !removedRows.isEmpty || !flushed.removals.isEmpty {
            for reference in model.oneWay[plan.index] {
                add(RelationshipRef(entity: reference.entity, relationship: reference.relationship), .all)
            }
        }
        return stale
    }
}
