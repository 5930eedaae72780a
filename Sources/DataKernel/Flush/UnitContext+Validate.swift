internal import KernelSQL

extension UnitContext {
    /// Lets objects know that they are to be saved, and asks what is wrong with them. Writes nothing.
    func validate() throws {
        try letPrepare()
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

    /// Calls `willSave` once for each object, also for those that become changed by it.
    private func letPrepare() throws {
        var told: Set<ObjectIdentifier> = []
        var isDone = false
        while !isDone {
            isDone = true
            for session in openSessions where session.hasPending && !session.plan.leavesOut(.willSave) {
                guard let first = session.firstChanged else { continue }
                if told.insert(ObjectIdentifier(first)).inserted {
                    first.willSave()
                    isDone = false
                }
                if session.plan.leavesOut(.willSave) { continue }
                for object in session.changedObjects where told.insert(ObjectIdentifier(object)).inserted {
                    object.willSave()
                    isDone = false
                }
            }
        }
    }

    private func validate(_ object: some Entity, _ plan: EntityPlan, _ issues: inout [ValidationIssue]) {
        // Built for what is wrong only.
        var name: String { "\(plan.name)/\(object.row)" }
        for (attribute, validators) in plan.validators {
            let binder = ValueBinder()
            // What cannot be stored at all is said by the flush.
            guard (try? object.kernelBind(attribute, to: binder)) != nil, let value = binder.values.first else {
                continue
            }
            for validator in validators {
                guard let reason = validator.issue(value) else { continue }
                issues.append(
                    ValidationIssue(ValidationIssue(plan.entity.attributes[attribute].name, reason), of: name))
            }
        }
        do {
            try object.validate()
        } catch let issue as ValidationIssue {
            issues.append(ValidationIssue(issue, of: name))
        } catch let several as ValidationIssues {
            issues += several.issues.map { ValidationIssue($0, of: name) }
        } catch {
            issues.append(ValidationIssue(ValidationIssue(nil, "\(error)"), of: name, underlying: error))
        }
    }
}

extension Session {
    /// One of the objects that the next commit writes.
    fileprivate var firstChanged: (any Entity)? {
        func isInserted(_ object: any Entity) -> Bool { object.status == .inserted }
        func isChanged(_ object: any Entity) -> Bool { object.status == .stored && object.hasChanges }
        return flushed.inserts.first(where: isInserted) ?? unflushed.inserts.first(where: isInserted)
            ?? flushed.updates.first(where: isChanged) ?? unflushed.updates.first(where: isChanged)
    }

    /// The objects that the next commit writes.
    fileprivate var changedObjects: [any Entity] {
        var seen: Set<ObjectIdentifier> = []
        let inserted = (flushed.inserts + unflushed.inserts).filter { $0.status == .inserted }
        let updated = (flushed.updates + unflushed.updates).filter {
            $0.status == .stored && $0.hasChanges && seen.insert(ObjectIdentifier($0)).inserted
        }
        return inserted + updated
    }
}
