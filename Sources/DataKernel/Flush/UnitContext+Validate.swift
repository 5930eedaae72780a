internal import KernelSQL

extension UnitContext {
    /// Asks objects that are to be saved what is wrong with them. Writes nothing.
    func validate() throws {
        try channel.calling(.validate) { try collectIssues() }
        // A relationship that could not be read, or was set there.
        try throwFailure()
    }

    private func collectIssues() throws {
        var issues: [ValidationIssue] = []
        for session in openSessions where session.hasPending {
            // Most entities have nothing to ask, which the first object says.
            if session.plan.leavesOut(.validate), session.plan.validators.isEmpty { continue }
            guard let first = session.firstChanged else { continue }
            validate(first, session.plan, &issues)
            if session.plan.leavesOut(.validate), session.plan.validators.isEmpty { continue }
            for object in session.changedObjects where object !== first { validate(object, session.plan, &issues) }
        }
        guard issues.isEmpty else { throw KernelError.validationFailed(issues) }
    }

    /// Calls `willSave` of the objects that were not told before. False when there are none.
    func letPrepare(_ told: inout Set<ObjectIdentifier>) throws -> Bool {
        var isTold = false
        for session in openSessions where session.hasPending && !session.plan.leavesOut(.willSave) {
            guard let first = session.firstChanged else { continue }
            if told.insert(ObjectIdentifier(first)).inserted {
                channel.calling(.willSave) { first.willSave() }
                isTold = true
            }
            if session.plan.leavesOut(.willSave) { continue }
            for object in session.changedObjects where told.insert(ObjectIdentifier(object)).inserted {
                // One before it may have removed it.
                if object.status == .removed { continue }
                channel.calling(.willSave) { object.willSave() }
                isTold = true
            }
        }
        try throwFailure()
        return isTold
    }

    private func validate(_ object: some Entity, _ plan: EntityPlan, _ issues: inout [ValidationIssue]) {
        // Built for what is wrong only.
        var name: String { "\(plan.name)/\(object.row)" }
        var last: (attribute: Int, value: StoredValue?)?
        for (attribute, validator) in plan.validators {
            if last?.attribute != attribute {
                let binder = ValueBinder()
                // What cannot be stored at all is said by the flush.
                let isStorable = (try? object.kernelBind(attribute, to: binder)) != nil
                last = (attribute, isStorable ? binder.values.first : nil)
            }
            guard let value = last?.value, let reason = validator.issue(value) else { continue }
            issues.append(ValidationIssue(ValidationIssue(plan.entity.attributes[attribute].name, reason), of: name))
        }
        do {
            try object.validate()
        } catch let issue as ValidationIssue {
            issues.append(ValidationIssue(issue, of: name))
        } catch let several as ValidationIssues {
            for issue in several.issues { issues.append(ValidationIssue(issue, of: name)) }
        } catch {
            issues.append(ValidationIssue(ValidationIssue(nil, "\(error)"), of: name, underlying: error))
        }
    }
}

extension Session {
    /// One of the objects that the next commit writes.
    fileprivate var firstChanged: (any Entity)? {
        first(flushed.inserts, .inserted) ?? first(unflushed.inserts, .inserted)
            ?? first(flushed.updates, .stored) ?? first(unflushed.updates, .stored)
            ?? first(incompleteInserts, .inserted) ?? first(incompleteUpdates, .stored)
    }

    @inline(never)
    private func first(_ objects: [any Entity], _ status: ObjectStatus) -> (any Entity)? {
        for object in objects where object.status == status && object.hasChanges { return object }
        return nil
    }

    /// The objects that the next commit writes.
    fileprivate var changedObjects: [any Entity] { insertedObjects + updatedObjects }
}
