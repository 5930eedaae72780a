/// A row of one of the four entities. Negative: an object that no context knows yet.
struct Ref: Hashable, Comparable, CustomStringConvertible {
    let kind: Kind
    let row: Int64
    var description: String { "\(kind)/\(row)" }
    static func < (left: Ref, right: Ref) -> Bool { (left.kind, left.row) < (right.kind, right.row) }
}

/// An object as the naive model has it: what it is called, how big it is, and whom each relation leads to.
struct Thing: Equatable {
    var name: String
    var size = 0
    var ends: [String: [Int64]] = [:]
}

/// All objects, both ends of every relationship written down, changed one link at a time.
struct Fleet: Equatable {
    var things: [Ref: Thing] = [:]
    /// Removed rows whose rule forbids the removal as long as the other is there.
    var denials: [Denial] = []
    /// Kinds of which all were removed since the last save: what others save meanwhile goes with them.
    var wiped: Set<Kind> = []
    /// What came to an ordered relationship from its other end: it is among the last, but may have no place yet.
    var loose: [Place: Set<Int64>] = [:]

    struct Place: Hashable {
        let ref: Ref
        let relation: String
    }

    struct Denial: Equatable {
        let removed: Ref
        let holder: Ref
    }

    func refs(_ kind: Kind) -> [Ref] { things.keys.filter { $0.kind == kind }.sorted() }

    func end(_ ref: Ref, _ relation: Relation) -> [Int64] { things[ref]?.ends[relation.name] ?? [] }

    /// What an object shows: without what is gone.
    func shown(_ ref: Ref, _ relation: Relation) -> [Int64] {
        end(ref, relation).filter { things[Ref(kind: relation.target, row: $0)] != nil }
    }

    // MARK: Linking

    private mutating func drop(_ ref: Ref, _ relation: Relation, _ row: Int64) {
        guard let left = things[ref]?.ends[relation.name]?.filter({ $0 != row }) else { return }
        things[ref]?.ends[relation.name] = left.isEmpty ? nil : left
        loose[Place(ref: ref, relation: relation.name)]?.remove(row)
    }

    private mutating func add(_ ref: Ref, _ relation: Relation, _ row: Int64) {
        guard !end(ref, relation).contains(row) else { return }
        things[ref]?.ends[relation.name, default: []].append(row)
        if !relation.isOrdered { things[ref]?.ends[relation.name]?.sort() }
    }

    mutating func unlink(_ ref: Ref, _ relation: Relation, _ row: Int64) {
        drop(ref, relation, row)
        if let back = relation.back { drop(Ref(kind: relation.target, row: row), back, ref.row) }
    }

    mutating func link(_ ref: Ref, _ relation: Relation, _ row: Int64) {
        guard !end(ref, relation).contains(row) else { return }
        if !relation.isToMany { for old in end(ref, relation) { unlink(ref, relation, old) } }
        let target = Ref(kind: relation.target, row: row)
        if let back = relation.back {
            if !back.isToMany { for old in end(target, back) { unlink(target, back, old) } }
            add(target, back, ref.row)
            if back.isOrdered { loose[Place(ref: target, relation: back.name), default: []].insert(ref.row) }
        }
        add(ref, relation, row)
    }

    mutating func set(_ ref: Ref, _ relation: Relation, _ rows: [Int64]) {
        for old in end(ref, relation) where !rows.contains(old) { unlink(ref, relation, old) }
        for row in rows { link(ref, relation, row) }
        if relation.isToMany, things[ref]?.ends[relation.name] != nil {
            things[ref]?.ends[relation.name] = relation.isOrdered ? rows : rows.sorted()
            loose[Place(ref: ref, relation: relation.name)] = nil
        }
    }

    // MARK: Removing

    mutating func remove(_ refs: [Ref]) {
        var left = refs
        while let ref = left.popLast() {
            guard let thing = things.removeValue(forKey: ref) else { continue }
            for relation in ref.kind.relations {
                let targets = (thing.ends[relation.name] ?? []).map { Ref(kind: relation.target, row: $0) }
                for target in targets { follow(relation, ref, target, &left) }
            }
            for kind in Kind.allCases {
                for relation in kind.relations where relation.inverse == nil && relation.target == ref.kind {
                    // One way: who may be without it loses it.
                    guard !relation.isRequired else { continue }
                    for other in referring(kind, relation, ref.row) { drop(other, relation, ref.row) }
                }
            }
            loose = loose.filter { $0.key.ref != ref }
        }
    }

    private func referring(_ kind: Kind, _ relation: Relation, _ row: Int64) -> [Ref] {
        things.keys.filter { $0.kind == kind && end($0, relation).contains(row) }
    }

    private mutating func follow(_ relation: Relation, _ ref: Ref, _ target: Ref, _ left: inout [Ref]) {
        if relation.rule == .cascade { left.append(target) }
        guard let back = relation.back else { return }
        switch relation.storage {
        case .key:
            // The key goes with its row.
            if relation.rule == .deny { denials.append(Denial(removed: ref, holder: target)) }
            drop(target, back, ref.row)
        case .otherKey:
            // What cannot be without it, or must not, keeps its key. A save asks for such keys.
            if relation.rule == .nullify, !back.isRequired { drop(target, back, ref.row) }
        case .pairs:
            drop(target, back, ref.row)
        }
    }

    // MARK: Whether it can be saved

    /// Keys that lead to what is gone.
    var dangling: [(Ref, Relation, Int64)] {
        var found: [(Ref, Relation, Int64)] = []
        for (ref, thing) in things {
            for relation in ref.kind.relations {
                for row in thing.ends[relation.name] ?? []
                where things[Ref(kind: relation.target, row: row)] == nil {
                    found.append((ref, relation, row))
                }
            }
        }
        return found.sorted { ($0.0, $0.1.name) < ($1.0, $1.1.name) }
    }

    var isDenied: Bool { !dangling.isEmpty || denials.contains { things[$0.holder] != nil } }

    /// Objects that lack what they must have.
    var incomplete: [Ref] { things.keys.filter(isIncomplete).sorted() }

    func isIncomplete(_ ref: Ref) -> Bool { ref.kind.relations.contains { $0.isRequired && end(ref, $0).isEmpty } }

    /// Two objects of one kind with one name.
    var hasDuplicate: Bool {
        var seen: [Kind: Set<String>] = [:]
        return things.contains { !seen[$0.key.kind, default: []].insert($0.value.name).inserted }
    }

    // MARK: Comparing

    /// Whether that is how the relation may be shown: what has no place yet is last, in any order.
    func allows(_ rows: [Int64], _ ref: Ref, _ relation: Relation) -> Bool {
        let wanted = shown(ref, relation)
        guard rows.count == wanted.count, Set(rows) == Set(wanted) else { return false }
        guard relation.isOrdered else { return true }
        let loose = loose[Place(ref: ref, relation: relation.name)] ?? []
        let placed = wanted.filter { !loose.contains($0) }
        return Array(rows.prefix(placed.count)) == placed
    }

    /// Objects that differ from what they were, in values or in any relation.
    func differences(from old: Fleet) -> Set<Ref> {
        var found: Set<Ref> = []
        for (ref, thing) in things where old.things[ref] != thing { found.insert(ref) }
        for ref in old.things.keys where things[ref] == nil { found.insert(ref) }
        return found
    }

    mutating func rename(_ names: [Ref: Ref]) {
        for (old, new) in names {
            guard var thing = things.removeValue(forKey: old) else { continue }
            thing.ends = thing.ends.reduce(into: [:]) { ends, end in
                let kind = old.kind.relations.first { $0.name == end.key }?.target ?? old.kind
                ends[end.key] = end.value.map { names[Ref(kind: kind, row: $0)]?.row ?? $0 }
            }
            things[new] = thing
        }
        for (old, set) in loose {
            guard let relation = old.ref.kind.relations.first(where: { $0.name == old.relation }) else { continue }
            loose[old] = nil
            let place = Place(ref: names[old.ref] ?? old.ref, relation: old.relation)
            loose[place] = Set(set.map { names[Ref(kind: relation.target, row: $0)]?.row ?? $0 })
        }
    }
}
