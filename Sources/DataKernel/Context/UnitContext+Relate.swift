internal import KernelSQL

// Setting relationships: the key or the pair that says it, and what is in memory of both ends.
extension UnitContext {
    /// Sets a to-one, from whichever end.
    func set<E: Entity, T: Entity>(_ object: E, _ session: Session, _ plan: RelationshipPlan, _ target: T?) throws {
        if let target { try admit(target) }
        try setOne(object, session, plan, target)
    }

    private func setOne(
        _ object: some Entity, _ session: Session, _ plan: RelationshipPlan, _ target: (any Entity)?
    ) throws {
        guard let attribute = plan.key else { return try setFromOtherEnd(object, session, plan, target) }
        let old = object.kernelLink(attribute)
        let new = target?.row ?? 0
        if let target { links(of: object, session).slots[plan.index] = target } else { drop(object, plan) }
        if old == new { return }
        let targets = try self.session(at: plan.target)
        guard let inverse = plan.inverse else { return setKey(object, session, plan, attribute, new) }
        let back = targets.plan.relationships[inverse]
        // At most one object is at this end: whoever has the target now loses it.
        if !back.isToMany, let target, let holder = try current(target, targets, back), holder !== object {
            try setOne(holder, session, plan, nil)
        }
        setKey(object, session, plan, attribute, new)
        if back.key != nil {
            // The same relationship at both ends.
            if old != 0, let partner = try partner(old, object, targets, plan, attribute) {
                setKey(partner, targets, back, attribute, 0)
            }
            if let target { setKey(target, targets, back, attribute, object.row) }
            return
        }
        if old != 0, let owner = targets.objects[old] as? any Entity { unlink(object, from: owner, targets, back) }
        if let target { link(object, to: target, targets, back) }
    }

    private func partner(
        _ row: Int64, _ object: some Entity, _ targets: Session, _ plan: RelationshipPlan, _ attribute: Int
    ) throws -> (any Entity)? {
        let id = ObjectID(entityName: targets.plan.name, row: row)
        guard let partner = try anyObject(id, targets.plan.type) else { return nil }
        return partner.kernelLink(attribute) == object.row ? partner : nil
    }

    private func anyObject<T: Entity>(_ id: ObjectID, _ type: T.Type) throws -> (any Entity)? {
        try object(with: id, as: type)
    }

    private func setFromOtherEnd(
        _ object: some Entity, _ session: Session, _ plan: RelationshipPlan, _ target: (any Entity)?
    ) throws {
        guard let inverse = plan.inverse else { return }
        let old = try members(of: object, session, plan).objects.first as? any Entity
        if old === target { return }
        let targets = try self.session(at: plan.target)
        let back = targets.plan.relationships[inverse]
        if let old { try setOne(old, targets, back, nil) }
        if let target { try setOne(target, targets, back, object) }
    }

    /// Sets a to-many. Only what lies between a common beginning and a common end is looked at closely: appending one
    /// by one must not cost the whole each time.
    func set<E: Entity, T: Entity>(_ object: E, _ session: Session, _ plan: RelationshipPlan, _ new: [T]) throws {
        let many = try members(of: object, session, plan)
        many.dropRemoved(T.self)
        let old = many.objects
        var start = 0
        while start < min(old.count, new.count), old[start] === new[start] { start += 1 }
        var (oldEnd, newEnd) = (old.count, new.count)
        while oldEnd > start, newEnd > start, old[oldEnd - 1] === new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        if start == oldEnd, start == newEnd { return }
        let common = ObjectSet(old, without: start..<oldEnd)
        var gone: ContiguousArray<AnyObject> = []
        for index in start..<oldEnd { gone.append(old[index]) }
        var wanted: ContiguousArray<AnyObject> = []
        var seen: Set<ObjectIdentifier> = []
        for index in start..<newEnd where !common.contains(new[index]) {
            if newEnd - start == 1 || seen.insert(ObjectIdentifier(new[index])).inserted { wanted.append(new[index]) }
        }
        // All of it or nothing.
        for target in wanted { try admit(unsafeDowncast(target, to: T.self)) }
        let (before, after) = (ObjectSet(gone), ObjectSet(wanted))
        for target in gone where !after.contains(target) {
            try take(unsafeDowncast(target, to: T.self), from: object, session, plan)
        }
        for target in wanted where !before.contains(target) {
            try give(unsafeDowncast(target, to: T.self), to: object, session, plan)
        }
        // The context may have let go of what was loaded meanwhile.
        let current = object.links?.many(plan.index) ?? emptyMany(object, session, plan)
        telling(object, session, plan) {
            let isAppended = oldEnd == old.count && gone.isEmpty && current.objects.count == old.count + wanted.count
            guard !isAppended else { return }
            var objects: ContiguousArray<AnyObject> = []
            objects.reserveCapacity(start + wanted.count + old.count - oldEnd)
            for index in 0..<start { objects.append(old[index]) }
            for target in wanted { objects.append(target) }
            for index in oldEnd..<old.count { objects.append(old[index]) }
            current.objects = objects
        }
        if plan.isOrdered { noteOrder(object, session, plan, current, before: OrderChange.rows(old)) }
    }

    private func give(_ target: some Entity, to object: some Entity, _ session: Session, _ plan: RelationshipPlan)
        throws
    {
        let targets = try self.session(at: plan.target)
        if let table = plan.join {
            pair(object, target, plan, table, session, targets, adding: true)
            if let inverse = plan.inverse { link(object, to: target, targets, targets.plan.relationships[inverse]) }
        } else if let inverse = plan.inverse {
            try setOne(target, targets, targets.plan.relationships[inverse], object)
        }
    }

    private func take(_ target: some Entity, from object: some Entity, _ session: Session, _ plan: RelationshipPlan)
        throws
    {
        let targets = try self.session(at: plan.target)
        if let table = plan.join {
            pair(object, target, plan, table, session, targets, adding: false)
            if let inverse = plan.inverse { unlink(object, from: target, targets, targets.plan.relationships[inverse]) }
        } else if let inverse = plan.inverse {
            let back = targets.plan.relationships[inverse]
            guard let attribute = back.key, target.kernelLink(attribute) == object.row else { return }
            drop(target, back)
            setKey(target, targets, back, attribute, 0)
        }
    }

    private func pair(
        _ object: some Entity, _ target: some Entity, _ plan: RelationshipPlan, _ table: JoinTable,
        _ session: Session, _ targets: Session, adding: Bool
    ) {
        let (own, other) = (object.row, target.row)
        if table.isOwner {
            session.joins.note(plan.index, own, other, adding: adding)
            if table.isSymmetric { session.joins.note(plan.index, other, own, adding: adding) }
        } else if let inverse = plan.inverse {
            targets.joins.note(inverse, other, own, adding: adding)
        }
    }

    // MARK: In memory

    /// The one object that is at this end of the target, loaded if it has to be.
    private func current(_ target: any Entity, _ targets: Session, _ back: RelationshipPlan) throws -> (any Entity)? {
        if let attribute = back.key {
            let row = target.kernelLink(attribute)
            return row == 0 ? nil : try partner(row, target, targets, back, attribute)
        }
        return try anyMembers(of: target, targets, back).objects.first as? any Entity
    }

    private func anyMembers(of object: some Entity, _ session: Session, _ plan: RelationshipPlan) throws -> ToMany {
        try members(of: object, session, plan)
    }

    private func setKey(
        _ object: some Entity, _ session: Session, _ plan: RelationshipPlan, _ attribute: Int, _ row: Int64
    ) {
        session.noteOwner(object.kernelLink(attribute), plan)
        session.noteOwner(row, plan)
        telling(object, session, plan) { object.kernelSetLink(attribute, row) }
    }

    private func drop(_ object: some Entity, _ plan: RelationshipPlan) {
        object.links?.slots[plan.index] = nil
    }

    /// Adds an object to what is loaded at the other end.
    private func link(_ object: AnyObject, to owner: some Entity, _ session: Session, _ plan: RelationshipPlan) {
        let many: ToMany
        if let loaded = owner.links?.many(plan.index) {
            many = loaded
        } else if owner.isFresh {
            many = emptyMany(owner, session, plan)
        } else {
            return
        }
        telling(owner, session, plan) { many.append(object) }
        if plan.isOrdered {
            noteOrder(owner, session, plan, many, before: OrderChange.rows(many.objects.dropLast()))
        }
    }

    func unlink(_ object: AnyObject, from owner: some Entity, _ session: Session, _ plan: RelationshipPlan) {
        guard let many = owner.links?.many(plan.index) else { return }
        telling(owner, session, plan) { many.remove(object) }
    }

    private func noteOrder(
        _ object: some Entity, _ session: Session, _ plan: RelationshipPlan, _ many: ToMany,
        before rows: @autoclosure () -> [Int64]
    ) {
        guard !many.isReordered else { return }
        many.isReordered = true
        let order = OrderChange(object: object, relationship: plan.index)
        session.noteOrderBase(order, rows())
        session.orders.append(order)
    }

    /// Tells observers of a relationship that it changes.
    private func telling(_ object: some Entity, _ session: Session, _ plan: RelationshipPlan, _ change: () -> Void) {
        guard session.plan.entity.isObservable else { return change() }
        var changes = AttributeSet()
        changes.insert(session.plan.entity.attributes.count + plan.index)
        if let attribute = plan.link.description.attribute { changes.insert(attribute) }
        announcing { object.kernelWillChange(changes) }
        change()
        announcing { object.kernelDidChange(changes) }
    }

    /// Takes a key away that leads to a removed object.
    func clearKey(_ object: some Entity, _ session: Session, _ plan: RelationshipPlan, _ attribute: Int) {
        drop(object, plan)
        setKey(object, session, plan, attribute, 0)
    }

    /// Takes an object that is removed out of what is loaded at the other ends of its relationships.
    func leave(_ object: some Entity, _ session: Session) {
        for plan in session.plan.relationships {
            guard let inverse = plan.inverse, let targets = openSession(at: plan.target) else { continue }
            let back = targets.plan.relationships[inverse]
            if let attribute = plan.key {
                session.noteOwner(object.kernelLink(attribute), plan)
                if let owner = targets.objects[object.kernelLink(attribute)] as? any Entity, back.key == nil {
                    unlink(object, from: owner, targets, back)
                }
            } else if plan.join != nil {
                guard let many = object.links?.many(plan.index) else {
                    forget(back.ref)
                    continue
                }
                for case let other as any Entity in many.objects { unlink(object, from: other, targets, back) }
            }
        }
        object.links = nil
    }

    /// Takes an object in together with what it was related to while no context knew it.
    func adopt<E: Entity>(_ object: E, _ session: Session) throws {
        guard let links = object.links else { return }
        object.links = nil
        for plan in session.plan.relationships {
            guard let slot = links.slots[plan.index] else { continue }
            let targets = (slot as? ToMany)?.objects ?? [slot]
            for case let target as any Entity in targets { try adopt(target, object, session, plan) }
            // Some may have come from their own end meanwhile.
            guard plan.isOrdered, let many = object.links?.many(plan.index) else { continue }
            let own = ObjectSet(targets)
            let others = many.objects
            many.objects = targets
            for object in others where !own.contains(object) { many.append(object) }
        }
    }

    private func adopt(
        _ target: some Entity, _ object: some Entity, _ session: Session, _ plan: RelationshipPlan
    ) throws {
        try admit(target)
        if plan.isToMany {
            let many = try members(of: object, session, plan)
            guard !many.contains(target) else { return }
            try give(target, to: object, session, plan)
            if !many.contains(target) { many.append(target) }
            if plan.isOrdered {
                noteOrder(object, session, plan, many, before: OrderChange.rows(many.objects.dropLast()))
            }
        } else {
            try setOne(object, session, plan, target)
        }
    }

    // MARK: Who may be related

    /// Takes an object of no context in. Throws for one of another context and for a removed one.
    private func admit(_ target: some Entity) throws {
        try check()
        let session = try session(type(of: target))
        switch target.status {
        case .removed: throw KernelError.removedObject(entity: session.plan.name)
        case .detached: try insert(target)
        case .inserted, .stored:
            if target.session !== session {
                throw KernelError.otherContext(
                    entity: session.plan.name, its: target.session?.core?.title ?? "a context that is gone",
                    this: title)
            }
        }
    }
}
