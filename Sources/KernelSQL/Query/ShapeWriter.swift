/// Writes down a query's shape. ``QueryCompiler`` calls it.
///
/// The writing is a prefix code: each node begins with its kind and says how much follows, so that no two
/// different queries are written alike.
struct ShapeWriter {
    private(set) var key: ShapeKey

    init(_ entity: EntityDescription) { key = ShapeKey(entity) }

    mutating func write(_ query: Query, _ purpose: QueryPurpose) {
        let columns = purpose == .fetch ? query.columns : nil
        var first = purpose.rawValue &<< 3
        if query.limit != nil { first |= 1 }
        if query.offset != nil { first |= 2 }
        if query.predicate != nil { first |= 4 }
        if query.members != nil { first |= 1 &<< 5 }
        if let columns { first |= columns.isDistinct ? 3 &<< 6 : 1 &<< 6 }
        key.append(byte: first)
        if let columns { write(columns) }
        if let members = query.members { write(members) }
        if let predicate = query.predicate { write(predicate) }
        if purpose.isOrdered {
            key.append(query.order.count)
            for sort in query.order { write(sort) }
        }
    }

    // What few queries have is not inlined into the writing of all.
    @inline(never)
    private mutating func write(_ columns: Columns) {
        key.append(columns.paths.count)
        for path in columns.paths { write(path) }
    }

    private mutating func write(_ sort: SortKey) {
        let nils: UInt =
            switch sort.explicitNils {
            case nil: 0
            case .first: 1 &<< 2
            case .last: 2 &<< 2
            }
        key.append(byte: (sort.direction == .ascending ? 0 : 1) | sort.comparing.mark &<< 1 | nils)
        write(sort.path)
    }

    @inline(never)
    private mutating func write(_ members: Members) {
        // One-way relationships of two entities may lead to the same one, so the owner is written down, too.
        key.append(Int(bitPattern: ObjectIdentifier(members.owner)))
        key.append(members.relationship)
    }

    private mutating func write(_ path: AttributePath) {
        if path.leaf == .attribute, path.hops.isEmpty { key.append(path.position) } else { writeWay(path) }
    }

    @inline(never)
    private mutating func writeWay(_ path: AttributePath) {
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
    static let compare: UInt = 1 &<< 4
    static let isNull: UInt = 2 &<< 4
    static let between: UInt = 3 &<< 4
    static let oneOf: UInt = 4 &<< 4
    static let match: UInt = 5 &<< 4
    static let sameValue: UInt = 6 &<< 4
    static let not: UInt = 7 &<< 4
    static let junction: UInt = 8 &<< 4
    static let failure: UInt = 9 &<< 4
    static let any: UInt = 10 &<< 4
}

extension TextComparison {
    fileprivate var mark: UInt { self == .exact ? 0 : 1 }
}

extension ShapeWriter {
    private mutating func write(_ predicate: QueryPredicate) {
        switch predicate {
        case .compare(let path, let comparison, .null, _):
            key.append(byte: Mark.isNull | (comparison == .notEqual ? 1 : 0))
            write(path)
        case .compare(let path, let comparison, _, let comparing):
            key.append(byte: Mark.compare | comparison.rawValue &<< 1 | comparing.mark)
            write(path)
        case .between(let path, _, _, let comparing):
            key.append(byte: Mark.between | comparing.mark)
            write(path)
        case .oneOf(let path, let values, let comparing):
            write(path, oneOf: values, comparing)
        case .match(let path, let match, _, let comparing):
            key.append(byte: Mark.match | match.rawValue &<< 1 | comparing.mark)
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
            key.append(byte: Mark.junction | (junction.kind == .and ? 0 : 1))
            key.append(junction.count)
            junction.forEachTerm { write($0) }
        case .failure:
            key.append(byte: Mark.failure)
        }
    }

    private mutating func write(_ path: AttributePath, oneOf values: [StoredValue], _ comparing: TextComparison) {
        let form = OneOf(values)
        key.append(byte: Mark.oneOf | (form.hasNull ? 2 : 0) | comparing.mark)
        write(path)
        switch form.places {
        case .none: key.append(0)
        case .some(let count): key.append(count)
        case .list: key.append(4)
        }
    }
}
