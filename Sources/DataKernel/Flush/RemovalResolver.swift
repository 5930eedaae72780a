internal import KernelSQL
internal import KernelSQLite

/// Finds what a removal takes with it: follows the delete rules from row to row until nothing new is found.
///
/// It works on sets of rows, one statement for each relationship and step, so that a chain of any length is a loop and
/// no recursion. Objects with unsaved changes are taken as they are in memory. (Collecting ids here and not in
/// temporary tables: the changes need not be written first, and other contexts are told the ids anyway.)
struct RemovalResolver {
    private let context: UnitContext
    private(set) var plan = RemovalPlan()
    private var frontier: [(entity: Int, rows: [Int64])] = []
    private var edits: [RelationshipRef: Edits] = [:]

    /// Keys as objects in memory have them, where the store may have others.
    private struct Edits {
        var rows: Set<Int64> = []
        var referrers: [Int64: [Int64]] = [:]
        var targets: [Int64: Int64] = [:]
    }

    private var connection: Connection { context.connection }
    private var model: StoreModel { context.model }

    init(_ context: UnitContext) { self.context = context }

    /// Removes rows.
    mutating func add(_ rows: some Sequence<Int64>, _ entity: Int) {
        let new = plan.add(rows, entity)
        if !new.isEmpty, model.hasRules(entity) { frontier.append((entity, new)) }
    }

    /// Removes all rows of an entity.
    mutating func addAll(_ entity: Int) throws {
        guard model.hasRules(entity) else { return plan.wiped.append(entity) }
        add(try rows(model.plans[entity].sql.selectAllRows), entity)
    }

    mutating func resolve() throws {
        while let (entity, rows) = frontier.popLast() {
            for relationship in model.plans[entity].relationships { try follow(relationship, entity, rows) }
            for reference in model.oneWay[entity] { try follow(reference, rows) }
        }
        // What is removed itself needs nothing else done.
        for (ref, rows) in plan.nullified {
            let entity = model.keyHolder(ref)
            let left = rows.filter { !plan.contains($0, entity) }
            plan.nullified[ref] = left.isEmpty ? nil : left
        }
    }

    // MARK: One step

    private mutating func follow(_ relationship: RelationshipPlan, _ entity: Int, _ rows: [Int64]) throws {
        let ref = RelationshipRef(entity: entity, relationship: relationship.index)
        switch relationship.link.storage {
        case .key(let attribute):
            if relationship.isSymmetric, relationship.rule == .nullify, let select = relationship.sql.selectReferrers {
                // The other one has a key, too.
                let partners = try referrers(to: rows, select, ref, attribute)
                if !partners.isEmpty { plan.nullified[ref, default: []] += partners }
            }
            guard relationship.rule == .cascade || relationship.rule == .deny else { return }
            let pairs = try targets(of: rows, relationship, ref, attribute)
            if relationship.rule == .cascade {
                add(pairs.map(\.target), relationship.target)
            } else if !pairs.isEmpty {
                plan.denials.append(.target(ref, pairs))
            }
        case .inverseKey(let attribute, _):
            guard relationship.rule != .noAction, let inverse = relationship.inverse else { return }
            let back = RelationshipRef(entity: relationship.target, relationship: inverse)
            let isRequired = !relationship.link.target.attributes[attribute].isOptional
            if relationship.rule == .deny || (relationship.rule == .nullify && isRequired) {
                plan.denials.append(.members(ref, rows))
                return
            }
            let children = try referrers(to: rows, relationship.sql.selectRelated, back, attribute)
            if relationship.rule == .cascade {
                add(children, relationship.target)
            } else if !children.isEmpty {
                plan.nullified[ref, default: []] += children
            }
        case .join:
            if relationship.isSymmetric, relationship.rule == .nullify || relationship.rule == .cascade {
                // Each pair stands there both ways round.
                plan.unpairedOther[ref, default: []] += rows
            }
            switch relationship.rule {
            case .noAction: return
            case .deny: plan.denials.append(.members(ref, rows))
            case .nullify: plan.unpairedOwn[ref, default: []] += rows
            case .cascade:
                plan.unpairedOwn[ref, default: []] += rows
                add(try partners(of: rows, relationship, entity), relationship.target)
            }
        }
    }

    /// A relationship that leads here and has no inverse: an object that refers to a removed one loses it, or forbids
    /// the removal when it needs it.
    private mutating func follow(_ reference: OneWayReference, _ rows: [Int64]) throws {
        let relationship = model.plans[reference.entity].relationships[reference.relationship]
        let ref = RelationshipRef(entity: reference.entity, relationship: reference.relationship)
        if relationship.join != nil {
            plan.unpairedOther[ref, default: []] += rows
        } else if let attribute = relationship.key, let select = relationship.sql.selectReferrers {
            guard relationship.link.description.isOptional else {
                plan.denials.append(.referrers(ref, rows))
                return
            }
            let found = try referrers(to: rows, select, ref, attribute)
            if !found.isEmpty { plan.nullified[ref, default: []] += found }
        }
    }

    // MARK: What is related

    private mutating func targets(
        of rows: [Int64], _ relationship: RelationshipPlan, _ ref: RelationshipRef, _ attribute: Int
    ) throws -> [(row: Int64, target: Int64)] {
        let edits = edits(ref, attribute)
        var pairs: [(row: Int64, target: Int64)] = []
        try connection.rows(relationship.sql.selectRelated) {
            $0.bind(list: ValueList(integers: rows))
        } each: { row in
            row.base = 0
            let own = try row.integer(0)
            if !edits.rows.contains(own) { pairs.append((own, try row.integer(1))) }
        }
        for row in rows {
            if let target = edits.targets[row], target != 0 { pairs.append((row, target)) }
        }
        return pairs
    }

    private mutating func referrers(
        to rows: [Int64], _ select: SQLText, _ holder: RelationshipRef, _ attribute: Int
    ) throws -> [Int64] {
        let edits = edits(holder, attribute)
        var found = try self.rows(select, rows)
        guard !edits.rows.isEmpty else { return found }
        found.removeAll(where: edits.rows.contains)
        for row in rows { found += edits.referrers[row] ?? [] }
        return found
    }

    private func rows(_ text: SQLText, _ rows: [Int64]? = nil) throws -> [Int64] {
        var found: [Int64] = []
        try connection.rows(text) { statement in
            if let rows { statement.bind(list: ValueList(integers: rows)) }
        } each: { row in
            row.base = 0
            found.append(try row.integer(0))
        }
        return found
    }

    private mutating func edits(_ holder: RelationshipRef, _ attribute: Int) -> Edits {
        if let known = edits[holder] { return known }
        var found = Edits()
        if let session = context.openSession(at: holder.entity) {
            let changes = session.unflushed
            // After a lost transaction, what a batch removed is asked again, too.
            let again = session.lostRows.isEmpty ? [] : session.swept
            // A key that was not changed is the store's. (It may have been read in a transaction that is lost.) One that was
            // set back is so, too, but the transaction has another.
            let changed = (changes.updates + changes.removals + again).filter {
                $0.kernelChanges().contains(attribute) || $0.history?.flushed.contains(attribute) == true
            }
            for object in changes.inserts + changed {
                let (row, target) = (object.row, object.kernelLink(attribute))
                guard found.rows.insert(row).inserted else { continue }
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
    private func partners(of rows: [Int64], _ relationship: RelationshipPlan, _ entity: Int) throws -> [Int64] {
        guard let table = relationship.join else { return [] }
        let (owner, index) = table.isOwner ? (entity, relationship.index) : (relationship.target, relationship.inverse)
        var pending: [JoinChanges.Pair: Bool] = [:]
        if let joins = context.openSession(at: owner)?.joins.unflushed {
            for (pair, isThere) in joins where pair.relationship == index {
                let (own, other) = table.isOwner ? (pair.own, pair.other) : (pair.other, pair.own)
                pending[JoinChanges.Pair(relationship: relationship.index, own: own, other: other)] = isThere
            }
        }
        var found: [Int64] = []
        try connection.rows(relationship.sql.selectRelated) {
            $0.bind(list: ValueList(integers: rows))
        } each: { row in
            row.base = 0
            let other = try row.integer(0)
            let pair = JoinChanges.Pair(relationship: relationship.index, own: try row.integer(1), other: other)
            if pending[pair] != false { found.append(other) }
        }
        guard !pending.isEmpty else { return found }
        let wanted = Set(rows)
        return found + pending.filter { $0.value && wanted.contains($0.key.own) }.map(\.key.other).sorted()
    }
}
