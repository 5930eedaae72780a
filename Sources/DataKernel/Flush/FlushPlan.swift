internal import KernelSQL

/// What a flush will do after removals, in the order in which it will: updates, inserts, pairs, orders. A value that a
/// test can print without a database.
///
/// Removals come first (``RemovalPlan``), so that a new object can take the primary key of a removed one; updates come
/// before inserts, so that a new object can take a value that another one gives up. Keys to rows that come later are
/// checked at the end of the transaction.
struct FlushPlan: CustomStringConvertible {
    enum Step {
        case update(Session, [Update])
        case insert(Session, [any Entity])
        case unpair(Session, [JoinChanges.Pair])
        case pair(Session, [JoinChanges.Pair])
        case order(Session, [OrderChange])
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
        case .insert(_, let objects): objects.count == 1
        // Nothing else of the flush can be in the way of one update, so it is not parked.
        case .update(_, let updates): updates.count == 1
        case .pair(_, let pairs), .unpair(_, let pairs): pairs.count == 1
        case .order: false
        }
    }

    /// `isForSave`: what lacks a required relationship is written too, and refused by the store. Before a query it
    /// waits: the program may be about to set it.
    init(_ sessions: [Session], isForSave: Bool) {
        var inserts: [Step] = []
        var pairs: [Step] = []
        var orders: [Step] = []
        for session in sessions where session.needsFlush {
            let changed = FlushPlan.updates(session, isForSave)
            if !changed.isEmpty { steps.append(.update(session, changed)) }
            let created = session.unflushed.inserts.filter {
                $0.status == .inserted && (isForSave || session.isComplete($0))
            }
            if !created.isEmpty { inserts.append(.insert(session, created)) }
            let gone = session.joins.pairs(adding: false)
            if !gone.isEmpty { pairs.append(.unpair(session, gone)) }
            let added = session.joins.pairs(adding: true)
            if !added.isEmpty { pairs.append(.pair(session, added)) }
            if !session.orders.isEmpty { orders.append(.order(session, session.orders)) }
        }
        steps += inserts + pairs + orders
    }

    private static func updates(_ session: Session, _ isForSave: Bool) -> [Update] {
        var result: [Update] = []
        result.reserveCapacity(session.unflushed.updates.count)
        for object in session.unflushed.updates where object.status != .removed {
            guard isForSave || session.isComplete(object) else { continue }
            let attributes = plannedAttributes(object)
            if !attributes.isEmpty { result.append(Update(object: object, attributes: attributes)) }
        }
        return result
    }

    /// What an update of the object has to write: all that differs from what the store has, and what the transaction
    /// has already, which may have been set back.
    static func plannedAttributes(_ object: some Entity) -> AttributeSet {
        guard let history = object.history else { return AttributeSet() }
        history.planned = object.kernelChanges().union(history.flushed)
        return history.planned
    }

    var description: String { steps.map(\.description).joined(separator: "\n") }
}

extension FlushPlan.Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .insert(let session, let objects): "insert \(objects.count) \(session.plan.name)"
        case .update(let session, let updates): "update \(session.plan.name): " + FlushPlan.summary(session, updates)
        case .unpair(let session, let pairs): "delete \(pairs.count) pairs of \(session.plan.name)"
        case .pair(let session, let pairs): "insert \(pairs.count) pairs of \(session.plan.name)"
        case .order(let session, let orders): "order \(orders.count) relationships of \(session.plan.name)"
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
