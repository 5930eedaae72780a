internal import Synchronization

/// Rows of one entity, by its index in the model: those that other contexts have to read again, or that a removal takes.
struct EntityRows: Sendable {
    let entity: Int
    var rows: [Int64] = []
    /// Any row may have changed.
    var isAll = false
    var isEmpty: Bool { rows.isEmpty && !isAll }

    /// A reader that does not come for its mail must not make it grow without end.
    fileprivate mutating func limit() {
        if rows.count > 200_000 { self = EntityRows(entity: entity, isAll: true) }
    }
}

/// What a commit changed.
struct ChangeSet: Sendable {
    /// Each entity once. Mostly one or two, which are looked through faster than a table is made.
    private var entities: [EntityRows] = []
    /// Relationships that are not what they were, and whose.
    private(set) var relationships: [RelationshipRef: StaleOwners] = [:]
    /// Another process wrote: anything may have changed.
    var isAll = false
    var isEmpty: Bool { entities.isEmpty && relationships.isEmpty && !isAll }

    init(isAll: Bool = false) { self.isAll = isAll }

    init(_ rows: EntityRows) { add(rows) }

    /// What changed of one entity.
    subscript(entity: Int) -> EntityRows? {
        for rows in entities where rows.entity == entity { return rows }
        return nil
    }

    mutating func add(_ added: EntityRows) {
        if added.isEmpty { return }
        for index in entities.indices where entities[index].entity == added.entity {
            entities[index].rows.append(contentsOf: added.rows)
            if added.isAll { entities[index].isAll = true }
            entities[index].limit()
            return
        }
        entities.append(added)
        entities[entities.count - 1].limit()
    }

    // Not inlined, like the next: looking up and merging is more code than its callers.
    @inline(never)
    mutating func add(_ owners: StaleOwners, of relationship: RelationshipRef) {
        relationships[relationship, default: StaleOwners()].formUnion(owners)
    }

    @inline(never)
    mutating func add(_ owner: Int64, of relationship: RelationshipRef) {
        relationships[relationship, default: StaleOwners()].insert(owner)
    }

    mutating func add(_ other: ChangeSet) {
        isAll = isAll || other.isAll
        for (relationship, owners) in other.relationships { add(owners, of: relationship) }
        for rows in other.entities { add(rows) }
    }
}

/// The objects whose relationship changed.
struct StaleOwners: Sendable {
    private(set) var rows: Set<Int64> = []
    private(set) var isAll = false

    static var all: StaleOwners { StaleOwners(isAll: true) }

    /// More than these are not told apart.
    private static let limit = 10_000

    init(_ rows: Set<Int64> = [], isAll: Bool = false) {
        self.rows = rows
        self.isAll = isAll
    }

    mutating func insert(_ row: Int64) {
        if !isAll { rows.insert(row) }
    }

    mutating func formUnion(_ other: StaleOwners) {
        if isAll { return }
        if other.isAll || rows.isEmpty {
            self = other
            return
        }
        for row in other.rows { rows.insert(row) }
        if rows.count > StaleOwners.limit { self = .all }
    }
}

/// Where a context's news waits until the context has time for it. Posted from any thread.
final class Inbox: Sendable {
    private let waiting = Mutex(ChangeSet())
    // Asked before every query, so that the lock is not.
    private let isWaiting = Atomic(false)

    var hasMail: Bool { isWaiting.load(ordering: .acquiring) }

    @inline(never)
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
