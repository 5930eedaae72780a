internal import KernelSQL

extension Session {
    /// The relationships that the pending changes make other contexts' memory of stale. Asked before they are settled.
    var staleRelationships: Set<RelationshipRef> {
        guard hasPending, core?.model.hasRules(plan.index) == true else { return [] }
        var stale: Set<RelationshipRef> = []
        let removes = wipe != .none || !removedRows.isEmpty || !flushed.removals.isEmpty
        var keys = AttributeSet()
        for object in flushed.updates {
            if let flushed = object.kernelState.history?.flushed { keys.formUnion(flushed) }
        }
        for relationship in plan.relationships {
            guard let inverse = relationship.inverse else { continue }
            let isStale =
                removes
                || relationship.key.map { key in
                    !touchedRows.isEmpty || keys.contains(key)
                        || flushed.inserts.contains { $0.kernelLink(key) != 0 }
                } ?? false
            if isStale { stale.insert(RelationshipRef(entity: relationship.target, relationship: inverse)) }
        }
        for index in joins.relationships + flushedOrders.map(\.relationship) {
            stale.insert(RelationshipRef(entity: plan.index, relationship: index))
            let relationship = plan.relationships[index]
            if let inverse = relationship.inverse {
                stale.insert(RelationshipRef(entity: relationship.target, relationship: inverse))
            }
        }
        if removes {
            for reference in core?.model.oneWay[plan.index] ?? [] {
                stale.insert(RelationshipRef(entity: reference.entity, relationship: reference.relationship))
            }
        }
        return stale
    }
}
