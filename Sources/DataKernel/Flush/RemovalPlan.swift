internal import KernelSQL

/// What a removal does to the store, with everything that delete rules add to it. A value that a test can print.
struct RemovalPlan {
    /// All rows of these entities, which no relationship leads to or from.
    var wiped: [Int] = []
    /// The rows to delete, each entity once, in the order in which they were found.
    private(set) var removed: [EntityRows] = []
    /// Those of them that there is a row of, once the plan is finished.
    private(set) var deleted: [EntityRows] = []
    private var known: [Int: Set<Int64>] = [:]
    /// The rows whose keys are taken away.
    private(set) var nullified: [RelationshipRef: [Int64]] = [:]
    /// The rows whose pairs are taken away, at the relationship's own end and at the other.
    private(set) var unpairedOwn: [RelationshipRef: [Int64]] = [:]
    private(set) var unpairedOther: [RelationshipRef: [Int64]] = [:]
    /// What must not be there any more when it is saved.
    var denials: [Denial] = []

    var isEmpty: Bool { removed.isEmpty && wiped.isEmpty }
    /// Whether nothing has to be done in the store, or asked of it.
    var isInMemory: Bool { deleted.isEmpty && wiped.isEmpty && denials.isEmpty }

    /// How many statements it takes.
    var statements: Int {
        wiped.count + deleted.count + nullified.count + unpairedOwn.count + unpairedOther.count
    }

    /// Adds rows, and returns those that are new.
    mutating func add(_ rows: [Int64], _ entity: Int) -> [Int64] {
        var new: [Int64] = []
        for row in rows where known[entity, default: []].insert(row).inserted { new.append(row) }
        if new.isEmpty { return new }
        for index in removed.indices where removed[index].entity == entity {
            removed[index].rows += new
            return new
        }
        removed.append(EntityRows(entity: entity, rows: new))
        return new
    }

    /// How many rows of an entity are to be deleted.
    func count(_ entity: Int) -> Int { known[entity]?.count ?? 0 }

    mutating func nullify(_ relationship: RelationshipRef, _ rows: [Int64]) {
        if !rows.isEmpty { nullified[relationship, default: []] += rows }
    }

    mutating func unpairOwn(_ relationship: RelationshipRef, _ rows: [Int64]) {
        unpairedOwn[relationship, default: []] += rows
    }

    mutating func unpairOther(_ relationship: RelationshipRef, _ rows: [Int64]) {
        unpairedOther[relationship, default: []] += rows
    }

    /// Leaves out what is removed itself and needs nothing else done, and deletions of what was never written.
    mutating func finish(_ model: StoreModel, unwritten: [Int: Set<Int64>]) {
        deleted = removed
        for index in removed.indices {
            guard let none = unwritten[removed[index].entity] else { continue }
            deleted[index].rows = removed[index].rows.filter { !none.contains($0) }
        }
        deleted = deleted.filter { !$0.isEmpty }
        let all = nullified
        nullified = [:]
        for (relationship, rows) in all {
            let removed = known[model.keyHolder(relationship)] ?? []
            nullify(relationship, rows.filter { !removed.contains($0) })
        }
    }
}

/// A removal that a rule forbids as long as something is related to what is removed. Asked when it is saved: in which
/// order the two are removed makes no difference.
enum Denial {
    /// Removed rows that nothing may be at the other end of.
    case members(RelationshipRef, [Int64])
    /// Removed rows, and for each the target that must not be there.
    case target(RelationshipRef, [Int64], targets: [Int64])
    /// Removed rows that the relationship of another entity must not lead to.
    case referrers(RelationshipRef, [Int64])
}
