internal import KernelSQL

// Objects that are not complete are not written before a query: see ``holdIncomplete()``. What was loaded from the store
// does not know them, and is corrected by what they say themselves.
extension UnitContext {
    /// Called after a relationship was loaded for those owners.
    func correct(_ owners: [Int64], _ session: Session, _ plan: RelationshipPlan, _ targets: Session) {
        let inserts = (targets.unflushed.inserts + targets.incompleteInserts).filter { $0.status == .inserted }
        let updates = (targets.unflushed.updates + targets.incompleteUpdates).filter { $0.status != .removed }
        guard !inserts.isEmpty || !updates.isEmpty else { return }
        let wanted = Set(owners)
        if let attribute = plan.inverseKey {
            // Those have left their owners in memory, but not in the store.
            for object in updates {
                for owner in owners { loaded(owner, session, plan)?.remove(object) }
            }
            for object in inserts + updates {
                let owner = object.kernelLink(attribute)
                if wanted.contains(owner) { loaded(owner, session, plan)?.append(object) }
            }
        } else if let table = plan.join {
            // The pairs of new objects are written; only they themselves are not.
            let rows = Set(inserts.map { $0.row })
            let relationship = table.isOwner ? plan.index : plan.inverse
            for pair in (table.isOwner ? session : targets).joins.wanted where pair.relationship == relationship {
                let (own, other) = table.isOwner ? (pair.own, pair.other) : (pair.other, pair.own)
                guard wanted.contains(own), rows.contains(other), let object = targets.objects[other] else { continue }
                loaded(own, session, plan)?.append(object)
            }
        }
    }

    @inline(never)
    private func loaded(_ owner: Int64, _ session: Session, _ plan: RelationshipPlan) -> ToMany? {
        (session.objects[owner] as? any Entity)?.links?.many(plan.index)
    }
}
