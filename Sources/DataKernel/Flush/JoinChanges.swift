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

    var isEmpty: Bool { unflushed.isEmpty && flushed.isEmpty }

    mutating func note(_ relationship: Int, _ own: Int64, _ other: Int64, adding: Bool) {
        let pair = Pair(relationship: relationship, own: own, other: other)
        if unflushed[pair] == !adding {
            // Undoes what nobody but this context knows.
            unflushed[pair] = nil
        } else {
            unflushed[pair] = adding
        }
    }

    /// Forgets pairs to be made whose object at one end is gone.
    mutating func drop(_ relationship: Int, own: Set<Int64> = [], other: Set<Int64> = []) {
        guard !unflushed.isEmpty else { return }
        for (pair, adding) in unflushed where adding && pair.relationship == relationship {
            if own.contains(pair.own) || other.contains(pair.other) { unflushed[pair] = nil }
        }
    }

    /// The pairs to write, in an order that does not change from run to run.
    func pairs(adding: Bool) -> [Pair] {
        unflushed.filter { $0.value == adding }.keys.sorted {
            ($0.relationship, $0.own, $0.other) < ($1.relationship, $1.own, $1.other)
        }
    }

    mutating func noteFlushed() {
        if flushed.isEmpty { flushed = unflushed } else { flushed.merge(unflushed) { $1 } }
        unflushed = [:]
    }

    mutating func transactionLost() {
        unflushed = flushed.merging(unflushed) { $1 }
        flushed = [:]
    }

    mutating func clear() {
        unflushed = [:]
        flushed = [:]
    }

    /// All pairs that were made or unmade.
    var pairs: [Pair] { Array(unflushed.keys) + Array(flushed.keys) }
}

/// An ordered relationship whose order is to be written.
struct OrderChange {
    let object: any Entity
    let relationship: Int
    /// What was written, for a transaction that is lost after what is loaded was let go.
    var written: [Int64]?

    /// The rows in their order, or nil when there is none any more.
    var wanted: [Int64]? {
        guard object.kernelState.status != .removed else { return nil }
        guard let many = object.kernelState.links?.many(relationship) else { return written }
        return many.objects.compactMap { ($0 as? any Entity)?.kernelState.row }
    }
}
