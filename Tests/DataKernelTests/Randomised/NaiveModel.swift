/// A generator whose numbers follow from its seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    // SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
}

/// A car's values by attribute; what is not there is nil.
typealias NaiveRow = [String: String]

/// What one context has done since the last save, written as simply as can be.
struct NaiveChanges {
    var isWiped = false
    var removed: Set<Int64> = []
    var edits: [Int64: [String: String?]] = [:]
    var inserts: [Int64: NaiveRow] = [:]
    /// Whether rows were ever removed: then the kernel may have something to save where the net change is nothing.
    var hadRemovals = false

    var isEmpty: Bool { !isWiped && removed.isEmpty && edits.isEmpty && inserts.isEmpty }

    func applied(to base: [Int64: NaiveRow]) -> [Int64: NaiveRow] {
        var rows = isWiped ? [:] : base
        for row in removed { rows[row] = nil }
        for (row, values) in edits where rows[row] != nil {
            for (name, value) in values { rows[row]?[name] = value }
        }
        rows.merge(inserts) { _, new in new }
        return rows
    }

    /// Forgets edits that are none, and those of rows that are gone.
    mutating func normalise(_ base: [Int64: NaiveRow]) {
        removed = removed.filter { base[$0] != nil }
        for (row, values) in edits {
            guard let old = base[row], !removed.contains(row), !isWiped else {
                edits[row] = nil
                continue
            }
            let left = values.filter { old[$0.key] != $0.value }
            edits[row] = left.isEmpty ? nil : left
        }
    }

    mutating func set(_ row: Int64, _ name: String, _ value: String?, _ base: [Int64: NaiveRow]) {
        if inserts[row] != nil {
            inserts[row]?[name] = value
        } else {
            edits[row, default: [:]][name] = .some(value)
            normalise(base)
        }
    }

    mutating func remove(_ row: Int64, _ base: [Int64: NaiveRow]) {
        hadRemovals = true
        if inserts.removeValue(forKey: row) == nil { removed.insert(row) }
        normalise(base)
    }

    mutating func wipe() {
        self = NaiveChanges()
        isWiped = true
        hadRemovals = true
    }
}

/// The store as rows in a dictionary, and a layer for each open unit.
struct NaiveStore {
    var committed: [Int64: NaiveRow] = [:]
    var layers: [NaiveChanges] = []

    func below(_ level: Int) -> [Int64: NaiveRow] {
        layers[..<level].reduce(committed) { $1.applied(to: $0) }
    }
    var base: [Int64: NaiveRow] { below(layers.count - 1) }
    var view: [Int64: NaiveRow] { below(layers.count) }

    /// Two rows have the same model, or the same mark and number, both of which have a value.
    var hasDuplicate: Bool {
        var seen: Set<[String]> = []
        for row in view.values {
            if !seen.insert(["model", row["model"] ?? ""]).inserted { return true }
            if let mark = row["mark"], let number = row["number"], !seen.insert(["mark", mark, number]).inserted {
                return true
            }
        }
        return false
    }

    mutating func save() {
        committed = view
        layers = layers.map { _ in NaiveChanges() }
    }
}

extension NaiveStore {
    struct Question {
        var field = "year"
        var value: String?
        var isLess = false
        var sort = "model"
        var ascending = true
        var limit: Int?
        var offset = 0
    }

    func answer(_ question: Question) -> [Int64] {
        let found = view.filter { row in
            let value = row.value[question.field]
            guard question.isLess else { return value == question.value }
            guard let value, let bound = question.value else { return false }
            return less(value, bound, question.field)
        }
        let ascending = found.sorted { left, right in
            let (a, b) = (left.value[question.sort], right.value[question.sort])
            if a == b { return left.key < right.key }
            guard let a else { return true }
            guard let b else { return false }
            return less(a, b, question.sort)
        }.map(\.key)
        let all = question.ascending ? ascending : ascending.reversed()
        return Array(all.dropFirst(question.offset).prefix(question.limit ?? .max))
    }

    private func less(_ left: String, _ right: String, _ field: String) -> Bool {
        if field == "year" || field == "number" { return (Int(left) ?? 0) < (Int(right) ?? 0) }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
