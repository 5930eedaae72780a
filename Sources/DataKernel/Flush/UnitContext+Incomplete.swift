internal import KernelSQL

// What is not complete stays out of the transaction before a query: the program may be about to set what is missing.
// Only a save writes it, and is refused.
extension UnitContext {
    /// Lets objects wait that lack a required relationship, and those that require one of them: the store could not hold
    /// these either. Of objects in a ring that lack nothing, none waits. An object that has a row keeps the relationship
    /// that it had, and gets its other changes: another one may have taken over its unique values.
    func holdIncomplete() {
        guard model.requiresObjects else { return }
        forgetMissingKeys()
        var isAny = false
        for session in openSessions where !session.plan.requiredKeys.isEmpty {
            if session.holdLacking() { isAny = true }
        }
        // Updates that lack something hold nobody back.
        guard isAny else { return }
        holdDependents()
        for session in openSessions where session.incomplete != nil { session.dropIncomplete() }
    }

    /// Follows required relationships backwards, from objects that wait to those that need them.
    private func holdDependents() {
        var dependents: [ObjectIdentifier: [(object: any Entity, key: Int)]] = [:]
        var found: [any Entity] = []
        for session in openSessions where !session.plan.requiredKeys.isEmpty {
            for object in session.candidates {
                for (target, key) in unwrittenTargets(of: object, session) {
                    let id = ObjectIdentifier(target)
                    if dependents[id] == nil, target.session?.isIncomplete(target) == true { found.append(target) }
                    dependents[id, default: []].append((object, key))
                }
            }
        }
        while let target = found.popLast() {
            for (object, key) in dependents[ObjectIdentifier(target)] ?? [] {
                guard let session = object.session, !session.isIncomplete(object) else { continue }
                target.session?.incomplete?.add(dependent: object, of: target.row)
                if session.hasRow(object) {
                    session.noteMissing(key, of: object)
                } else {
                    session.hold(object)
                    found.append(object)
                }
            }
        }
    }

    private func forgetMissingKeys() {
        for session in openSessions where session.missingKeys != nil { session.missingKeys = nil }
    }

    /// The objects that an object needs and that the transaction does not have, with the keys that lead to them.
    private func unwrittenTargets(of object: some Entity, _ session: Session) -> [(any Entity, Int)] {
        var found: [(any Entity, Int)] = []
        for relationship in session.plan.relationships where !relationship.link.description.isOptional {
            guard let key = relationship.key, let targets = openSession(at: relationship.target),
                let target = targets.objects[object.kernelLink(key)] as? any Entity, !targets.hasRow(target)
            else { continue }
            found.append((target, key))
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
        forgetMissingKeys()
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
        for object in unflushed.updates where object.status != .removed && !isComplete(object) {
            for key in plan.requiredKeys where object.kernelLink(key) == 0 { noteMissing(key, of: object) }
        }
        return incomplete?.isEmpty == false
    }

    fileprivate func noteMissing(_ key: Int, of object: any Entity) {
        var keys = missingKeys ?? [:]
        missingKeys = nil
        keys[ObjectIdentifier(object), default: AttributeSet()].insert(key)
        missingKeys = keys
    }
}
