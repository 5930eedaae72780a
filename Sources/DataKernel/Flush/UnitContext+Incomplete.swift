internal import KernelSQL

// What is not complete stays out of the transaction before a query: the program may be about to set what is missing.
// Only a save writes it, and is refused.
extension UnitContext {
    /// Lets objects wait that lack a required relationship, and those that require one of them: the store could not hold
    /// these either. Of objects in a ring that lack nothing, none waits.
    func holdIncomplete() {
        guard model.requiresObjects else { return }
        var isAny = false
        for session in openSessions where !session.plan.requiredKeys.isEmpty {
            if session.holdLacking() { isAny = true }
        }
        guard isAny else { return }
        holdDependents()
        for session in openSessions where session.incomplete != nil { session.dropIncomplete() }
    }

    /// Follows required relationships backwards, from objects that wait to those that need them.
    private func holdDependents() {
        var dependents: [ObjectIdentifier: [any Entity]] = [:]
        var found: [any Entity] = []
        for session in openSessions where !session.plan.requiredKeys.isEmpty {
            for object in session.candidates {
                for target in unwrittenTargets(of: object, session) {
                    let id = ObjectIdentifier(target)
                    if dependents[id] == nil, target.session?.isIncomplete(target) == true { found.append(target) }
                    dependents[id, default: []].append(object)
                }
            }
        }
        while let target = found.popLast() {
            for object in dependents[ObjectIdentifier(target)] ?? [] {
                guard let session = object.session, !session.isIncomplete(object) else { continue }
                session.hold(object)
                target.session?.incomplete?.add(dependent: object, of: target.row)
                found.append(object)
            }
        }
    }

    /// The objects that an object needs and that the transaction does not have.
    private func unwrittenTargets(of object: some Entity, _ session: Session) -> [any Entity] {
        var found: [any Entity] = []
        for relationship in session.plan.relationships where !relationship.link.description.isOptional {
            guard let key = relationship.key, let targets = openSession(at: relationship.target),
                let target = targets.objects[object.kernelLink(key)] as? any Entity, !targets.hasRow(target)
            else { continue }
            found.append(target)
        }
        return found
    }

    /// Lets objects wait whose values cannot be stored.
    func hold(_ unstorable: [any Entity]) {
        guard !unstorable.isEmpty else { return }
        for object in unstorable { object.session?.hold(object) }
        for session in openSessions where session.incomplete != nil { session.dropIncomplete() }
    }

    /// All that waits is to be written.
    func releaseIncomplete() {
        for session in openSessions where session.incomplete != nil { session.releaseAll() }
    }
}

extension Session {
    /// The objects whose rows a flush would write.
    fileprivate var candidates: [any Entity] {
        (unflushed.inserts + unflushed.updates).filter { $0.status != .removed && !isIncomplete($0) }
    }

    /// Lets objects wait that lack a relationship. Whether any waits, now or from before.
    fileprivate func holdLacking() -> Bool {
        for object in unflushed.inserts where object.status == .inserted && !isComplete(object) { hold(object) }
        for object in unflushed.updates where object.status != .removed && !isComplete(object) { hold(object) }
        return incomplete?.isEmpty == false
    }
}
