internal import KernelSQL

// What the accessors of relationships call. `@Entity` writes them; a conformance by hand does the same.
extension Entity {
    /// The object of a to-one relationship, or nil. Loaded on first touch, for all objects of the same fetch by one
    /// statement. nil for a removed object and for a target that was removed.
    ///
    /// A load that fails gives nil, and the next call of the context that can throw does: a save never takes an object
    /// that could not be read for one that is not there.
    public func kernelToOne<T: Entity>(_ relationship: Int) -> T? {
        guard let object = toOne(relationship) else { return nil }
        let target = unsafeDowncast(object, to: T.self)
        return target.status == .removed ? nil : target
    }

    /// The object of a to-one relationship that every object has.
    ///
    /// Where there is none (a new object whose relationship was not set yet, an object that was removed, a load that
    /// failed) it is an empty one that is marked as deleted. A save of an object that still lacks it throws
    /// ``KernelError/missingValue(entity:attribute:_:)``.
    public func kernelRequired<T: Entity>(_ relationship: Int) -> T {
        if let object = toOne(relationship) { return unsafeDowncast(object, to: T.self) }
        let stand = T()
        stand.status = .removed
        return stand
    }

    /// The objects of a to-many relationship: in their order if it is an ordered one, else by row with those that were
    /// added last at the end. Loaded on first touch, for all objects of the same fetch by one statement.
    public func kernelToMany<T: Entity>(_ relationship: Int) -> [T] {
        guard let many = toMany(relationship) else { return [] }
        many.dropRemoved(T.self)
        return [T](many.objects, of: T.self)
    }

    /// Sets a to-one relationship, and the other end with it. An object of no context yet is inserted.
    ///
    /// What cannot be set stays as it was, and the next call of the context that can throw says why: a target of
    /// another context (``KernelError/otherContext(entity:its:this:)``) or a removed one
    /// (``KernelError/removedObject(entity:)``).
    ///
    /// Costs the same however many objects are at the other end, and loads nothing of a to-many there.
    public func kernelSetToOne<T: Entity>(_ relationship: Int, _ target: T?) {
        relate(relationship) { context, session, plan in
            try context.set(self, session, plan, target)
        } detached: {
            setDetached(relationship, target.map { [$0] } ?? [])
        } adopting: {
            target?.session
        }
    }

    /// Sets a to-many relationship, and the other ends with it: all of it or nothing. An object that is in the array
    /// twice counts once. What cannot be set is told as with ``kernelSetToOne(_:_:)``.
    ///
    /// Loads the relationship and compares the array with what is there, so it costs in proportion to both.
    public func kernelSetToMany<T: Entity>(_ relationship: Int, _ targets: [T]) {
        relate(relationship) { context, session, plan in
            try context.set(self, session, plan, targets)
        } detached: {
            setDetached(relationship, targets)
        } adopting: {
            for target in targets { if let session = target.session { return session } }
            return nil
        }
    }
}

// MARK: Reading

extension Entity {
    private func toOne(_ relationship: Int) -> AnyObject? {
        guard let session = kernelState.session else {
            guard kernelState.status == .detached, let slot = kernelState.links?.slots[relationship] else { return nil }
            return slot is ToMany ? (slot as? ToMany)?.objects.first : slot
        }
        if kernelState.status == .removed { return nil }
        let plan = session.plan.relationships[relationship]
        if let attribute = plan.key {
            let row = kernelLink(attribute)
            if row == 0 { return nil }
            guard let core = session.core else { return closed(session, plan) }
            if let known = core.openSession(at: plan.target)?.objects[row] { return known }
            return core.noting { try core.target(of: self, plan, attribute) } ?? nil
        }
        return toMany(relationship)?.objects.first
    }

    private func toMany(_ relationship: Int) -> ToMany? {
        guard let session = kernelState.session else {
            guard kernelState.status == .detached else { return nil }
            return kernelState.links?.many(relationship)
        }
        if kernelState.status == .removed { return nil }
        let plan = session.plan.relationships[relationship]
        if let many = kernelState.links?.many(relationship) { return many }
        guard let core = session.core else { return closed(session, plan) }
        return core.noting { try core.members(of: self, session, plan) }
    }

    private func closed<R>(_ session: Session, _ plan: RelationshipPlan) -> R? {
        Misuse.stop(
            "\(session.plan.name).\(plan.name) was read outside its unit of work: the context that it belongs to is "
                + "gone. Read relationships inside perform, and return values.")
    }
}

extension ContextCore {
    /// Keeps what cannot be thrown for the next call that can throw it.
    func noting<R>(_ body: () throws -> R) -> R? {
        do {
            return try body()
        } catch {
            if failure == nil { failure = error }
            return nil
        }
    }

    /// Throws what went wrong in an accessor before.
    func throwFailure() throws {
        guard let failure else { return }
        self.failure = nil
        throw failure
    }
}

// MARK: Writing

extension Entity {
    private func relate(
        _ relationship: Int, _ attached: (UnitContext, Session, RelationshipPlan) throws -> Void, detached: () -> Void,
        adopting: () -> Session?
    ) {
        if kernelState.status == .removed { return }
        if kernelState.session == nil {
            // An object that becomes related to one of a context becomes one of that context.
            guard let core = adopting()?.core as? UnitContext else { return detached() }
            guard core.noting({ try core.insert(self) }) != nil else { return }
        }
        guard let session = kernelState.session else { return detached() }
        session.checkWritable()
        guard let context = session.core as? UnitContext else { return }
        _ = context.noting {
            try context.channel.requireChanging("setting a relationship")
            try attached(context, session, session.plan.relationships[relationship])
        }
    }

    /// Objects of no context know one another directly. An object that stays keeps its place at the other end, where an
    /// order may have been set.
    private func setDetached(_ relationship: Int, _ targets: [some Entity]) {
        let link = Self.entity.links.relationships[relationship]
        let isKey = if case .key = link.storage { true } else { false }
        var new: ContiguousArray<AnyObject> = []
        for target in targets { new.append(target) }
        let wanted = ObjectSet(new)
        for old in detachedTargets(relationship) where !wanted.contains(old) { old.unlinkDetached(link.inverse, self) }
        unlinkAll(relationship)
        for target in targets {
            if isKey { unlinkAll(relationship) }
            linkDetached(relationship, isKey, target)
            if let inverse = link.inverse { target.linkInverse(inverse, self) }
        }
    }

    private func detachedTargets(_ relationship: Int) -> [any Entity] {
        guard let slot = kernelState.links?.slots[relationship] else { return [] }
        var targets: [any Entity] = []
        for case let target as any Entity in (slot as? ToMany)?.objects ?? [slot] { targets.append(target) }
        return targets
    }

    private func unlinkAll(_ relationship: Int) { kernelState.links?.slots[relationship] = nil }

    private func unlinkDetached(_ relationship: Int?, _ object: AnyObject) {
        guard let relationship, let links = kernelState.links else { return }
        if let many = links.slots[relationship] as? ToMany {
            many.remove(object)
        } else if links.slots[relationship] === object {
            links.slots[relationship] = nil
        }
    }

    private func linkInverse(_ relationship: Int, _ object: AnyObject) {
        guard kernelState.session == nil, kernelState.status == .detached else { return }
        let description = Self.entity.relationships[relationship]
        let isKey = if case .key = Self.entity.links.relationships[relationship].storage { true } else { false }
        if !description.isToMany {
            for old in detachedTargets(relationship) where old !== object {
                old.unlinkDetached(Self.entity.links.relationships[relationship].inverse, self)
            }
            unlinkAll(relationship)
        }
        linkDetached(relationship, isKey, object)
    }

    private func linkDetached(_ relationship: Int, _ isKey: Bool, _ object: AnyObject) {
        let links = kernelState.links ?? ObjectLinks(Self.entity.relationships.count)
        kernelState.links = links
        if isKey {
            links.slots[relationship] = object
        } else if let many = links.slots[relationship] as? ToMany {
            if !many.contains(object) { many.append(object) }
        } else {
            links.slots[relationship] = ToMany([object])
        }
    }
}
