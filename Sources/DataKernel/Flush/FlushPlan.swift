internal import KernelSQL

/// What a flush will do after removals, in the order in which it will: updates, inserts, pairs, orders. A value that a
/// test can print without a database.
///
/// Removals come first (``RemovalPlan``), so that a new object can take the primary key of a removed one; updates come
/// before inserts, so that a new object can take a value that another one gives up. Keys to rows that come later are
/// checked at the end of the transaction.
struct FlushPlan: CustomStringConvertible {
    enum Step {
        /// Each with the attributes that its history says are planned.
        case update(Session, [any Entity])
        case insert(Session, [any Entity])
        case unpair(Session, [JoinChanges.Pair])
        case pair(Session, [JoinChanges.Pair])
        case order(Session, [OrderChange])
    }

    private(set) var steps: [Step] = []
    var isEmpty: Bool { steps.isEmpty }

    /// Whether it is one statement, which is undone as a whole without a savepoint.
    var isOneStatement: Bool {
        guard steps.count == 1 else { return false }
        return switch steps[0] {
        case .insert(_, let objects): objects.count == 1
        // Nothing else of the flush can be in the way of one update, so it is not parked.
        case .update(_, let objects): objects.count == 1
        case .pair(_, let pairs), .unpair(_, let pairs): pairs.count == 1
        case .order: false
        }
    }

    init(_ sessions: [Session]) {
        for session in sessions where !session.unflushed.updates.isEmpty {
            let changed = session.unflushed.updates.kept {
                $0.status != .removed && !FlushPlan.plannedAttributes($0, without: session.missingKeys).isEmpty
            }
            if !changed.isEmpty { steps.append(.update(session, changed)) }
        }
        for session in sessions where !session.unflushed.inserts.isEmpty {
            let created = session.unflushed.inserts.kept { $0.status == .inserted }
            if !created.isEmpty { steps.append(.insert(session, created)) }
        }
        for session in sessions where !session.joins.unflushed.isEmpty {
            let gone = session.joins.pairs(adding: false)
            if !gone.isEmpty { steps.append(.unpair(session, gone)) }
            let added = session.joins.pairs(adding: true)
            if !added.isEmpty { steps.append(.pair(session, added)) }
        }
        for session in sessions where !session.orders.isEmpty {
            // Set back to what the store has: no change. (The transaction may have another one.)
            let orders = session.flushedOrders.isEmpty ? session.orders.filter(session.isChanged) : session.orders
            if !orders.isEmpty { steps.append(.order(session, orders)) }
        }
    }

    /// What an update of the object has to write: all that differs from what the store has, and what the transaction
    /// has already, which may have been set back. But for relationships that it needs and lacks.
    static func plannedAttributes(
        _ object: some Entity, without missing: [ObjectIdentifier: AttributeSet]? = nil
    ) -> AttributeSet {
        guard let history = object.history else { return AttributeSet() }
        var attributes = object.kernelChanges()
        if !history.flushed.isEmpty { attributes.formUnion(history.flushed) }
        if let keys = missing?[ObjectIdentifier(object)] { attributes.subtract(keys) }
        history.planned = attributes
        return attributes
    }

    var description: String { steps.map { $0.description }.joined(separator: "\n") }
}

extension [any Entity] {
    /// Like `filter`, but the array itself and no copy where nothing is left out: of a million objects, copies take a fifth
    /// of what the kernel has to do for a save.
    // Not inlined, and without slices: a copy for each caller took the compiler 5 of 50 seconds.
    @inline(never)
    func kept(_ isKept: (any Entity) -> Bool) -> [any Entity] {
        var result: [any Entity] = []
        var isWhole = true
        for index in indices {
            if isKept(self[index]) {
                if !isWhole { result.append(self[index]) }
            } else if isWhole {
                isWhole = false
                for before in 0..<index { result.append(self[before]) }
            }
        }
        return isWhole ? self : result
    }
}

extension FlushPlan.Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .insert(let session, let objects): "insert \(objects.count) \(session.plan.name)"
        case .update(let session, let objects): "update \(session.plan.name): " + FlushPlan.summary(session, objects)
        case .unpair(let session, let pairs): "delete \(pairs.count) pairs of \(session.plan.name)"
        case .pair(let session, let pairs): "insert \(pairs.count) pairs of \(session.plan.name)"
        case .order(let session, let orders): "order \(orders.count) relationships of \(session.plan.name)"
        }
    }
}

extension FlushPlan {
    /// How many objects get which attributes written, in the order of their first object.
    private static func summary(_ session: Session, _ objects: [any Entity]) -> String {
        var kinds: [String] = []
        var counts: [Int] = []
        for object in objects {
            let attributes = object.history?.planned.positions ?? []
            let names = attributes.map { session.plan.entity.attributes[$0].name }.joined(separator: " ")
            if let index = kinds.firstIndex(of: names) {
                counts[index] += 1
            } else {
                kinds.append(names)
                counts.append(1)
            }
        }
        return kinds.indices.map { "\(counts[$0]) × (\(kinds[$0]))" }.joined(separator: ", ")
    }
}
