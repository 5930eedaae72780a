internal import KernelSQL
internal import KernelSQLite

/// Finds what a removal takes with it: follows the delete rules from row to row until nothing new is found.
///
/// It works on sets of rows, one statement for each relationship and step, so that a chain of any length is a loop and
/// no recursion. Objects with unsaved changes are taken as they are in memory. (Collecting ids here and not in
/// temporary tables: the changes need not be written first, and other contexts are told the ids anyway.)
final class RemovalResolver {
    private let context: UnitContext
    private(set) var plan = RemovalPlan()
    private var frontier: [EntityRows] = []
    private var edits: [RelationshipRef: Edits] = [:]
    /// False: only what is in memory is followed. Enough for objects that were never written, as long as the transaction
    /// has nothing that leads to them.
    private let readsStore: Bool

    /// Keys as objects in memory have them, where the store may have others.
    private struct Edits {
        /// 0 for an object that leads nowhere.
        var targets: [Int64: Int64] = [:]
        var referrers: [Int64: [Int64]] = [:]
    }

    private var connection: Connection { context.connection }
    private var model: StoreModel { context.model }

    init(_ context: UnitContext, readsStore: Bool = true) {
        self.context = context
        self.readsStore = readsStore
    }

    /// Removes rows.
    func add(_ rows: [Int64], _ entity: Int) {
        let new = plan.add(rows, entity)
        if !new.isEmpty, model.hasRules(entity) { frontier.append(EntityRows(entity: entity, rows: new)) }
    }

    /// Removes all rows of an entity.
    func addAll(_ entity: Int) throws {
        guard model.hasRules(entity) else { return plan.wiped.append(entity) }
        add(try connection.integers(model.plans[entity].sql.selectAllRows), entity)
    }

    func resolve() throws {
        while let next = frontier.last {
            frontier.remove(at: frontier.count - 1)
            for relationship in model.plans[next.entity].relationships { try follow(relationship, next.rows) }
            for reference in model.oneWay[next.entity] { try followBack(reference, next.rows) }
        }
        var unwritten: [Int: Set<Int64>] = [:]
        for removed in plan.removed { unwritten[removed.entity] = context.openSession(at: removed.entity)?.unwritten }
        plan.finish(model, unwritten: unwritten)
    }

    private func integers(_ text: SQLText, columns: Int = 1, _ rows: [Int64]) throws -> [Int64] {
        readsStore ? try connection.integers(text, columns: columns, rows) : []
    }

    // MARK: One step

    private func follow(_ relationship: RelationshipPlan, _ rows: [Int64]) throws {
        let (ref, rule) = (relationship.ref, relationship.rule)
        if let attribute = relationship.key {
            if relationship.isSymmetric, rule == .nullify, let select = relationship.sql.selectReferrers {
                // The other one has a key, too.
                plan.nullify(ref, try referrers(to: rows, select, ref, attribute))
            }
            guard rule == .cascade || rule == .deny else { return }
            let (owners, targets) = try targets(of: rows, relationship, attribute)
            if rule == .cascade {
                add(targets, relationship.target)
            } else if !targets.isEmpty {
                plan.denials.append(.target(ref, owners, targets: targets))
            }
        } else if let attribute = relationship.inverseKey {
            guard rule != .noAction, let back = relationship.back else { return }
            let isRequired = !relationship.link.target.attributes[attribute].isOptional
            if rule == .deny || (rule == .nullify && isRequired) {
                return try deny(.members(ref, rows), to: rows, relationship.sql.selectRelated, back, attribute)
            }
            let children = try referrers(to: rows, relationship.sql.selectRelated, back, attribute)
            if rule == .cascade { add(children, relationship.target) } else { plan.nullify(ref, children) }
        } else {
            if rule == .deny {
                let isFree = readsStore ? false : try partners(of: rows, relationship).isEmpty
                if !isFree { plan.denials.append(.members(ref, rows)) }
            }
            guard rule == .nullify || rule == .cascade else { return }
            // Each pair of a symmetric one stands there both ways round.
            if relationship.isSymmetric { plan.unpairOther(ref, rows) }
            plan.unpairOwn(ref, rows)
            if rule == .cascade { add(try partners(of: rows, relationship), relationship.target) }
        }
    }

    /// A relationship that leads here and has no inverse: an object that refers to a removed one loses it, or forbids
    /// the removal when it needs it.
    private func followBack(_ ref: RelationshipRef, _ rows: [Int64]) throws {
        let relationship = context.relationship(ref)
        if relationship.join != nil {
            plan.unpairOther(ref, rows)
        } else if let attribute = relationship.key, let select = relationship.sql.selectReferrers {
            if relationship.link.description.isOptional {
                plan.nullify(ref, try referrers(to: rows, select, ref, attribute))
            } else {
                try deny(.referrers(ref, rows), to: rows, select, ref, attribute)
            }
        }
    }

    /// Notes what the save has to ask. What was never written is held by nothing but what is in memory.
    private func deny(
        _ denial: Denial, to rows: [Int64], _ select: SQLText, _ holder: RelationshipRef, _ attribute: Int
    ) throws {
        let isFree = readsStore ? false : try referrers(to: rows, select, holder, attribute).isEmpty
        if !isFree { plan.denials.append(denial) }
    }

    // MARK: What is related

    /// The rows that have a target, and their targets.
    private func targets(
        of rows: [Int64], _ relationship: RelationshipPlan, _ attribute: Int
    ) throws -> (rows: [Int64], targets: [Int64]) {
        let edits = edits(relationship.ref, attribute)
        var found: (rows: [Int64], targets: [Int64]) = ([], [])
        let stored = try integers(relationship.sql.selectRelated, columns: 2, rows)
        for index in 0..<stored.count / 2 where edits.targets[stored[index * 2]] == nil {
            found.rows.append(stored[index * 2])
            found.targets.append(stored[index * 2 + 1])
        }
        for row in rows {
            guard let target = edits.targets[row], target != 0 else { continue }
            found.rows.append(row)
            found.targets.append(target)
        }
        return found
    }

    private func referrers(
        to rows: [Int64], _ select: SQLText, _ holder: RelationshipRef, _ attribute: Int
    ) throws -> [Int64] {
        let edits = edits(holder, attribute)
        var found = try integers(select, rows)
        guard !edits.targets.isEmpty else { return found }
        found = found.filter { edits.targets[$0] == nil }
        for row in rows { found += edits.referrers[row] ?? [] }
        return found
    }

    private func edits(_ holder: RelationshipRef, _ attribute: Int) -> Edits {
        if let known = edits[holder] { return known }
        var found = Edits()
        if let session = context.openSession(at: holder.entity) {
            var changes = session.unflushed
            changes.add(updates: session.incompleteUpdates, inserts: session.incompleteInserts)
            // After a lost transaction, what a batch removed is asked again, too.
            let again = session.lostRows.isEmpty ? [] : session.swept
            // A key that was not changed is the store's. (It may have been read in a transaction that is lost.) One that was
            // set back is so, too, but the transaction has another.
            let changed = (changes.updates + changes.removals + again).filter {
                $0.kernelChanges().contains(attribute) || $0.history?.flushed.contains(attribute) == true
            }
            for object in changes.inserts + changed {
                let (row, target) = (object.row, object.kernelLink(attribute))
                guard found.targets[row] == nil else { continue }
                found.targets[row] = target
                // What goes itself refers to nothing any more; what it takes along is what it had in memory.
                if target != 0, object.status != .removed {
                    found.referrers[target, default: []].append(row)
                }
            }
        }
        edits[holder] = found
        return found
    }

    /// The rows that are paired with others, as the store and the pairs that are not written yet have it.
    private func partners(of rows: [Int64], _ relationship: RelationshipPlan) throws -> [Int64] {
        guard let table = relationship.join, let owner = table.isOwner ? relationship.ref : relationship.back else {
            return []
        }
        let pending = context.openSession(at: owner.entity)?.joins.unflushed ?? [:]
        var found: [Int64] = []
        let stored = try integers(relationship.sql.selectRelated, columns: 2, rows)
        for index in 0..<stored.count / 2 {
            let (other, own) = (stored[index * 2], stored[index * 2 + 1])
            let pair = JoinChanges.Pair(
                relationship: owner.relationship, own: table.isOwner ? own : other, other: table.isOwner ? other : own)
            if pending[pair] != false { found.append(other) }
        }
        guard !pending.isEmpty else { return found }
        let wanted = Set(rows)
        var added: [Int64] = []
        for (pair, isThere) in pending where isThere && pair.relationship == owner.relationship {
            let (own, other) = table.isOwner ? (pair.own, pair.other) : (pair.other, pair.own)
            if wanted.contains(own) { added.append(other) }
        }
        added.sort()
        return found + added
    }
}
