/// Writes down a query's shape. ``QueryCompiler`` calls it.
///
/// The writing is a prefix code: each node begins with its kind and says how much follows, so that no two
/// different queries are written alike.
struct ShapeWriter {
    private(set) var key: ShapeKey

    init(_ entity: EntityDescription) { key = ShapeKey(entity) }

    mutating func write(_ query: Query, _ purpose: QueryPurpose) {
        let flags = (query.limit == nil ? 0 : 1) + (query.offset == nil ? 0 : 2) + (query.predicate == nil ? 0 : 4)
        let columns = purpose == .fetch ? query.columns : nil
        let reading: UInt8 = columns.map { $0.isDistinct ? 3 << 6 : 1 << 6 } ?? 0
        key.append(byte: purpose.rawValue << 3 | UInt8(flags) | (query.members == nil ? 0 : 1 << 5) | reading)
        if let columns {
            key.append(columns.paths.count)
            for path in columns.paths { write(path) }
        }
        if let members = query.members { write(members) }
        if let predicate = query.predicate { write(predicate) }
        if purpose.isOrdered {
            key.append(query.order.count)
            for sort in query.order { write(sort) }
        }
    }

    private mutating func write(_ sort: SortKey) {
        let nils: UInt8 = sort.explicitNils.map { $0.rawValue + 1 } ?? 0
        key.append(byte: sort.direction.rawValue | sort.comparing.rawValue << 1 | nils << 2)
        write(sort.path)
    }

    private mutating func write(_ members: Members) {
        // One-way relationships of two entities may lead to the same one, so the owner is written down, too.
        key.append(Int(bitPattern: ObjectIdentifier(members.owner)))
        key.append(members.relationship)
    }

    private mutating func write(_ path: AttributePath) {
        if path.leaf == .attribute, path.hops.isEmpty { return key.append(path.position) }
        // No number is written like that: a position, which is what mostly stands here, needs no mark of its own.
        key.append(byte: 0x80)
        key.append(byte: 0)
        write(path.hops)
        key.append(byte: path.leaf.rawValue)
        key.append(path.position)
    }

    private mutating func write(_ hops: [Int]) {
        key.append(hops.count)
        for hop in hops { key.append(hop) }
    }
}

/// The kinds of nodes, in the upper four bits of the byte that a node begins with.
private enum Mark {
    static let compare: UInt8 = 1 << 4
    static let isNull: UInt8 = 2 << 4
    static let between: UInt8 = 3 << 4
    static let oneOf: UInt8 = 4 << 4
    static let match: UInt8 = 5 << 4
    static let sameValue: UInt8 = 6 << 4
    static let not: UInt8 = 7 << 4
    static let junction: UInt8 = 8 << 4
    static let failure: UInt8 = 9 << 4
    static let any: UInt8 = 10 << 4
}

extension ShapeWriter {
    private mutating func write(_ predicate: QueryPredicate) {
        switch predicate {
        case .compare(let path, let comparison, .null, _):
            key.append(byte: Mark.isNull | (comparison == .notEqual ? 1 : 0))
            write(path)
        case .compare(let path, let comparison, _, let comparing):
            key.append(byte: Mark.compare | comparison.rawValue << 1 | comparing.rawValue)
            write(path)
        case .between(let path, _, _, let comparing):
            key.append(byte: Mark.between | comparing.rawValue)
            write(path)
        case .oneOf(let path, let values, let comparing):
            write(path, oneOf: values, comparing)
        case .match(let path, let match, _, let comparing):
            key.append(byte: Mark.match | match.rawValue << 1 | comparing.rawValue)
            write(path)
        case .sameValue(let left, let right):
            key.append(byte: Mark.sameValue)
            write(left)
            write(right)
        case .any(let path, let inner):
            key.append(byte: Mark.any | (inner == nil ? 0 : 1))
            write(path.hops)
            key.append(path.relationship)
            if let inner { write(inner) }
        case .not(let inner):
            key.append(byte: Mark.not)
            write(inner)
        case .junction(let junction):
            key.append(byte: Mark.junction | junction.kind.rawValue)
            key.append(junction.count)
            junction.forEachTerm { write($0) }
        case .failure:
            key.append(byte: Mark.failure)
        }
    }

    private mutating func write(_ path: AttributePath, oneOf values: [StoredValue], _ comparing: TextComparison) {
        let form = OneOf(values)
        key.append(byte: Mark.oneOf | (form.hasNull ? 2 : 0) | comparing.rawValue)
        write(path)
        switch form.places {
        case .none: key.append(0)
        case .some(let count): key.append(count)
        case .list: key.append(4)
        }
    }
}
