internal import KernelSQL

// What is loaded of relationships refers to objects on both sides, so that objects keep one another alive. All of it can
// be loaded again, and is let go when others changed it, when it has become much, and at the end.
extension ContextCore {
    static let smallestTrimLimit = 20_000

    /// Lets go of one relationship as it is loaded: somebody changed it in the store.
    func forget(_ relationship: RelationshipRef, of owners: StaleOwners = .all) {
        guard let session = openSession(at: relationship.entity) else { return }
        forget(relationship.relationship, session, session.plan.type, owners)
    }

    private func forget<E: Entity>(_ relationship: Int, _ session: Session, _ type: E.Type, _ owners: StaleOwners) {
        let plan = session.plan
        var garbage: [AnyObject] = []
        var told: [E] = []
        func forget(_ object: AnyObject) {
            let object = unsafeDowncast(object, to: E.self)
            if let group = object.group { group.forget(relationship) }
            guard let links = object.links, let slot = links.slots[relationship],
                !object.isFresh, plan.relationships[relationship].key == nil,
                !unsafeDowncast(slot, to: ToMany.self).isReordered
            else { return }
            garbage.append(slot)
            links.slots[relationship] = nil
            if plan.entity.isObservable { told.append(object) }
        }
        if owners.isAll { session.objects.forEach(forget) }
        for row in owners.rows {
            if let object = session.objects[row] { forget(object) }
        }
        var changes = AttributeSet()
        changes.insert(plan.entity.attributes.count + relationship)
        if let attribute = plan.entity.relationships[relationship].attribute { changes.insert(attribute) }
        if told.isEmpty { return }
        announcing {
            for object in told {
                object.kernelWillChange(changes)
                object.kernelDidChange(changes)
            }
        }
    }

    /// Lets go of all that is loaded of relationships, but for what is not written yet. What only this kept alive ends
    /// with the result.
    // Not inlined: it is called in eight places.
    @inline(never)
    func forgetRelationships(unwritten: Bool = false) -> [AnyObject] {
        var garbage: [AnyObject] = []
        for session in openSessions where !session.plan.relationships.isEmpty {
            forgetAll(session, session.plan.type, unwritten || isClosed, &garbage)
        }
        return garbage
    }

    private func forgetAll<E: Entity>(
        _ session: Session, _ type: E.Type, _ unwritten: Bool, _ garbage: inout [AnyObject]
    ) {
        let plan = session.plan
        session.objects.forEach { object in
            let object = unsafeDowncast(object, to: E.self)
            if let group = object.group {
                garbage.append(group)
                group.forget(&garbage)
            }
            guard let links = object.links, unwritten || !object.isFresh else { return }
            for index in links.slots.indices {
                guard let slot = links.slots[index] else { continue }
                if !unwritten, plan.relationships[index].key == nil,
                    unsafeDowncast(slot, to: ToMany.self).isReordered
                {
                    continue
                }
                garbage.append(slot)
                links.slots[index] = nil
            }
        }
    }

    /// Objects that nobody else has, and that live only because their relationships were loaded, go when there have
    /// become many. Each time costs as much as has come since the last.
    func trim() {
        guard needsTrim else { return }
        channel.calling(.ending) {
            do {
                let garbage = forgetRelationships()
                withExtendedLifetime(garbage) {}
            }
            for session in openSessions { session.objects.purge() }
        }
        trimLimit = max(ContextCore.smallestTrimLimit, objectCount * 2)
    }

    var needsTrim: Bool { objectCount > trimLimit }

    private var objectCount: Int {
        var count = 0
        for session in openSessions { count += session.objects.count }
        return count
    }
}
