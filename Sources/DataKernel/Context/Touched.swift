internal import Synchronization

/// Rows of one entity that other contexts have to read again.
struct Touched: Sendable {
    var rows: [Int64] = []
    /// Any row may have changed.
    var isAll = false
    var isEmpty: Bool { rows.isEmpty && !isAll }

    /// A reader that does not come for its mail must not make it grow without end.
    fileprivate var limited: Touched { rows.count > 200_000 ? Touched(isAll: true) : self }
}

/// What a commit changed.
struct ChangeSet: Sendable {
    /// By the entity's index, each once. Mostly one or two, which are looked through faster than a table is made.
    private var entities: [(entity: Int, touched: Touched)] = []
    /// Relationships that are not what they were, and whose.
    var relationships: [RelationshipRef: StaleOwners] = [:]
    /// Another process wrote: anything may have changed.
    var isAll = false
    var isEmpty: Bool { entities.isEmpty && relationships.isEmpty && !isAll }

    init(isAll: Bool = false) { self.isAll = isAll }

    init(_ touched: Touched, _ entity: Int) { add(touched, entity) }

    /// What changed of one entity.
    subscript(entity: Int) -> Touched? { entities.first { $0.entity == entity }?.touched }

    mutating func add(_ touched: Touched, _ entity: Int) {
        if touched.isEmpty { return }
        guard let index = entities.firstIndex(where: { $0.entity == entity }) else {
            return entities.append((entity, touched.limited))
        }
        entities[index].touched.rows.append(contentsOf: touched.rows)
        if touched.isAll { entities[index].touched.isAll = true }
        entities[index].touched = entities[index].touched.limited
    }

    mutating func add(_ other: ChangeSet) {
        isAll = isAll || other.isAll
        if !other.relationships.isEmpty { relationships.merge(other.relationships) { $0.union($1) } }
        for (entity, touched) in other.entities { add(touched, entity) }
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
