internal import KernelSQL

extension Session {
    /// Notes that the object of a row is not at the other end of one of this entity's keys any more, or is now.
    func noteOwner(_ row: Int64, _ relationship: RelationshipPlan) {
        if row != 0, relationship.inverse != nil { movedOwners[relationship.index, default: []].insert(row) }
    }

    /// Adds the relationships that the pending changes make other contexts' memory of stale. Called before they are
    /// settled.
    func noteStaleRelationships(in changes: inout ChangeSet) {
        guard hasPending, let model = core?.model, model.hasRules(plan.index) else { return }
        // Of rows that went by a rule, a request or a wipe it is not known whom they belonged to.
        let isUnknown = wipe != .none || !removedRows.isEmpty || !touchedRows.isEmpty
        for relationship in plan.relationships {
            guard let back = relationship.back else { continue }
            if isUnknown || (relationship.join != nil && !flushed.removals.isEmpty) {
                changes.add(.all, of: back)
            } else if let owners = movedOwners[relationship.index] {
                changes.add(StaleOwners(owners), of: back)
            }
        }
        for pair in joins.pairs {
            changes.add(pair.own, of: RelationshipRef(entity: plan.index, relationship: pair.relationship))
            if let back = plan.relationships[pair.relationship].back { changes.add(pair.other, of: back) }
        }
        for order in flushedOrders {
            changes.add(order.object.row, of: RelationshipRef(entity: plan.index, relationship: order.relationship))
        }
        if wipe != .none || !removedRows.isEmpty || !flushed.removals.isEmpty {
            for reference in model.oneWay[plan.index] { changes.add(.all, of: reference) }
        }
    }
}
