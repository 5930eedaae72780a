/// Pairs of many-to-many relationships that were made and unmade since the last save, for one entity that owns such
/// relationships.
struct JoinChanges {
    struct Pair: Hashable {
        let relationship: Int
        let own: Int64
        let other: Int64
    }

    /// Whether each is to be there. In the transaction since the last flush, and not yet in it.
    private(set) var unflushed: [Pair: Bool] = [:]
    private(set) var flushed: [Pair: Bool] = [:]
    /// Whether the store had each of them when it was first made or unmade. What is not here may be there or not.
    private var original: [Pair: Bool] = [:]

    var isEmpty: Bool { unflushed.isEmpty && flushed.isEmpty }

    /// Whether a pair is to be what it was not.
    var hasChanges: Bool {
        for (pair, adding) in unflushed where original[pair] != adding { return true }
        for (pair, adding) in flushed where unflushed[pair] == nil && original[pair] != adding { return true }
        return false
    }

    mutating func note(_ relationship: Int, _ own: Int64, _ other: Int64, adding: Bool) {
        let pair = Pair(relationship: relationship, own: own, other: other)
        // Who makes a pair saw that it was not there.
        if unflushed[pair] == nil, flushed[pair] == nil { original[pair] = !adding }
        if (flushed[pair] ?? original[pair]) == adding {
            // Undoes what nobody but this context knows.
            unflushed[pair] = nil
            if flushed[pair] == nil { original[pair] = nil }
        } else {
            unflushed[pair] = adding
        }
    }

    /// Forgets pairs to be made whose own object, or other one, is gone: now, and should the transaction get lost.
    mutating func drop(_ relationship: Int, _ rows: Set<Int64>, areOwn: Bool) {
        func isGone(_ pair: Pair) -> Bool {
            pair.relationship == relationship && rows.contains(areOwn ? pair.own : pair.other)
        }
        for (pair, adding) in unflushed where adding && isGone(pair) { unflushed[pair] = nil }
        for (pair, adding) in flushed where adding && isGone(pair) { flushed[pair] = nil }
    }

    /// The pairs to write, in an order that does not change from run to run.
    func pairs(adding: Bool) -> [Pair] { JoinChanges.pairs(unflushed, adding) }

    /// All pairs that were made since the last save, in the same order.
    var wanted: [Pair] {
        var all = flushed
        for (pair, adding) in unflushed { all[pair] = adding }
        return JoinChanges.pairs(all, true)
    }

    private static func pairs(_ changes: [Pair: Bool], _ adding: Bool) -> [Pair] {
        var pairs: [Pair] = []
        for (pair, isAdded) in changes where isAdded == adding { pairs.append(pair) }
        pairs.sort { ($0.relationship, $0.own, $0.other) < ($1.relationship, $1.own, $1.other) }
        return pairs
    }

    mutating func noteFlushed() {
        if flushed.isEmpty {
            flushed = unflushed
        } else {
            for (pair, adding) in unflushed { flushed[pair] = adding }
        }
        unflushed = [:]
    }

    mutating func transactionLost() {
        for (pair, adding) in flushed where unflushed[pair] == nil { unflushed[pair] = adding }
        flushed = [:]
        for (pair, adding) in unflushed where original[pair] == adding { unflushed[pair] = nil }
    }

    mutating func clear() { self = JoinChanges() }

    /// All pairs that were made or unmade.
    var pairs: [Pair] {
        var pairs: [Pair] = []
        for (pair, _) in unflushed { pairs.append(pair) }
        for (pair, _) in flushed { pairs.append(pair) }
        return pairs
    }
}

/// An ordered relationship whose order is to be written.
struct OrderChange {
    let object: any Entity
    let relationship: Int
    /// What was written, for a transaction that is lost after what is loaded was let go.
    var written: [Int64]?

    /// Names a relationship of an object.
    struct Key: Hashable {
        let row: Int64
        let relationship: Int
    }
    var key: Key { Key(row: object.row, relationship: relationship) }

    /// The rows in their order, or nil when there is none any more.
    var wanted: [Int64]? {
        guard object.status != .removed else { return nil }
        return object.links?.many(relationship).map { OrderChange.rows($0.objects) } ?? written
    }

    static func rows(_ objects: some Collection<AnyObject>) -> [Int64] {
        var rows: [Int64] = []
        for case let member as any Entity in objects { rows.append(member.row) }
        return rows
    }

    /// Whether an object in it waits until it is complete, and has no place before.
    var isIncomplete: Bool {
        guard let many = object.links?.many(relationship) else { return false }
        for case let member as any Entity in many.objects where member.session?.isIncomplete(member) == true {
            return true
        }
        return false
    }
}
