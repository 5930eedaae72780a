internal import Synchronization

/// Rows of one entity that other contexts have to read again.
struct Touched: Sendable {
    var rows: [Int64] = []
    /// Any row may have changed.
    var isAll = false
    var isEmpty: Bool { rows.isEmpty && !isAll }
}

/// What a commit changed, by the entity's index.
struct ChangeSet: Sendable {
    var entities: [Int: Touched] = [:]
    /// Relationships that are not what they were, and whose.
    var relationships: [RelationshipRef: StaleOwners] = [:]
    /// Another process wrote: anything may have changed.
    var isAll = false
    var isEmpty: Bool { entities.isEmpty && relationships.isEmpty && !isAll }

    mutating func add(_ touched: Touched, _ entity: Int) {
        if !touched.isEmpty { add(entity, touched) }
    }

    mutating func add(_ other: ChangeSet) {
        isAll = isAll || other.isAll
        relationships.merge(other.relationships) { $0.union($1) }
        for (entity, touched) in other.entities { add(entity, touched) }
    }

    private mutating func add(_ entity: Int, _ touched: Touched) {
        entities[entity, default: Touched()].rows.append(contentsOf: touched.rows)
        if touched.isAll { entities[entity]?.isAll = true }
        // A reader that does not come for its mail must not make it grow without end.
        if let count = entities[entity]?.rows.count, count > 200_000 { entities[entity] = Touched(isAll: true) }
    }
}

/// The objects whose relationship changed.
enum StaleOwners: Sendable {
    case some(Set<Int64>)
    case all

    /// More than these are not told apart.
    private static let limit = 10_000

    func union(_ other: StaleOwners) -> StaleOwners {
        guard case .some(let left) = self, case .some(let right) = other else { return .all }
        let both = left.union(right)
        return both.count > StaleOwners.limit ? .all : .some(both)
    }
}

/// Where a context's news waits until the context has time for it. Posted from any thread.
final class Inbox: Sendable {
    private let waiting = Mutex(ChangeSet())
    // Asked before every query, so that the lock is not.
    private let isWaiting = Atomic(false)

    var hasMail: Bool { isWaiting.load(ordering: .acquiring) }

    func post(_ changes: ChangeSet) {
        guard !changes.isEmpty else { return }
        waiting.withLock {
            $0.add(changes)
            isWaiting.store(true, ordering: .releasing)
        }
    }

    func take() -> ChangeSet? {
        guard hasMail else { return nil }
        return waiting.withLock { waiting in
            if waiting.isEmpty { return nil }
            defer { waiting = ChangeSet() }
            isWaiting.store(false, ordering: .releasing)
            return waiting
        }
    }
}
