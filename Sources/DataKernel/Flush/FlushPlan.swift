internal import KernelSQL

/// What a flush will do, in the order in which it will: deletes, updates, inserts. A value that a test can print
/// without a database.
///
/// Deletes come first, so that a new object can take the primary key of a removed one; updates come before inserts,
/// so that a new object can take a value that another one gives up.
struct FlushPlan: CustomStringConvertible {
    enum Step {
        /// All rows.
        case wipe(Session)
        /// Rows that a request removed, in a transaction that was lost since.
        case removeRows(Session, [Int64])
        case delete(Session, [any Entity])
        case update(Session, [Update])
        case insert(Session, [any Entity])
    }

    struct Update {
        let object: any Entity
        let attributes: AttributeSet
    }

    private(set) var steps: [Step] = []
    var isEmpty: Bool { steps.isEmpty }

    /// Whether it is one statement, which is undone as a whole without a savepoint.
    var isOneStatement: Bool {
        guard steps.count == 1 else { return false }
        return switch steps[0] {
        case .wipe, .removeRows: true
        case .delete(_, let objects), .insert(_, let objects): objects.count == 1
        // Nothing else of the flush can be in the way of one update, so it is not parked.
        case .update(_, let updates): updates.count == 1
        }
    }

    init(_ sessions: some Sequence<Session>) {
        var updates: [Step] = []
        var inserts: [Step] = []
        for session in sessions where session.needsFlush {
            if session.wipe == .unflushed { steps.append(.wipe(session)) }
            if !session.removedRowsAreFlushed { steps.append(.removeRows(session, session.removedRows)) }
            let removals = session.unflushed.removals
            if !removals.isEmpty { steps.append(.delete(session, removals)) }
            let changed = FlushPlan.updates(session)
            if !changed.isEmpty { updates.append(.update(session, changed)) }
            let created = session.unflushed.inserts.filter { $0.kernelState.status == .inserted }
            if !created.isEmpty { inserts.append(.insert(session, created)) }
        }
        steps += updates
        steps += inserts
    }

    private static func updates(_ session: Session) -> [Update] {
        var result: [Update] = []
        result.reserveCapacity(session.unflushed.updates.count)
        for object in session.unflushed.updates where object.kernelState.status != .removed {
            let attributes = object.kernelChanges().union(object.kernelState.history?.flushed ?? AttributeSet())
            if !attributes.isEmpty { result.append(Update(object: object, attributes: attributes)) }
        }
        return result
    }

    var description: String { steps.map(\.description).joined(separator: "\n") }
}

extension FlushPlan.Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .wipe(let session): "delete all \(session.plan.name)"
        case .removeRows(let session, let rows): "delete \(rows.count) \(session.plan.name) by row"
        case .delete(let session, let objects): "delete \(objects.count) \(session.plan.name)"
        case .insert(let session, let objects): "insert \(objects.count) \(session.plan.name)"
        case .update(let session, let updates): "update \(session.plan.name): " + FlushPlan.summary(session, updates)
        }
    }
}

extension FlushPlan {
    /// How many objects get which attributes written, in the order of their first object.
    private static func summary(_ session: Session, _ updates: [Update]) -> String {
        var order: [AttributeSet] = []
        var counts: [AttributeSet: Int] = [:]
        for update in updates {
            if counts[update.attributes] == nil { order.append(update.attributes) }
            counts[update.attributes, default: 0] += 1
        }
        return order.map { set in
            let names = set.positions.map { session.plan.entity.attributes[$0].name }.joined(separator: " ")
            return "\(counts[set] ?? 0) × (\(names))"
        }.joined(separator: ", ")
    }
}
