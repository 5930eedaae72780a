// What is said of the objects of a to-many relationship. Where a hop on the way is nil there is no relationship to
// speak of, so none of these holds, as in Swift `owner?.cars.isEmpty == true` does not.
extension QueryPredicate {
    /// At least one object satisfies the condition; without one, there is at least one object.
    package static func has(_ path: RelationPath, where inner: QueryPredicate? = nil) -> QueryPredicate {
        if let inner, case .failure = inner { return inner }
        let predicate = QueryPredicate.any(path, inner)
        return predicate.depth <= deepest ? predicate : .failure(.tooDeep)
    }

    /// No object satisfies the condition; without one, there is no object.
    package static func hasNone(
        _ path: RelationPath, of entity: EntityDescription, where inner: QueryPredicate? = nil
    ) -> QueryPredicate {
        let none = has(path, where: inner).negated
        guard let key = entity.keyPath(through: path.hops) else { return none }
        return QueryPredicate.compare(key, .notEqual, .null, .exact).and(none)
    }

    /// Every object satisfies the condition. True of no objects, as `allSatisfy` is.
    package static func hasOnly(
        _ path: RelationPath, of entity: EntityDescription, where inner: QueryPredicate
    ) -> QueryPredicate {
        hasNone(path, of: entity, where: inner.negated)
    }
}

// Where a condition can only hold when relationships lead somewhere.
extension QueryPredicate {
    /// The ways through to-one relationships of `entity` that cannot end at nil if the condition holds.
    ///
    /// They are joined by an inner JOIN, so that an index on the other table can find the rows: SQLite turns a LEFT
    /// JOIN into one by itself for `=`, but not for IN or for functions.
    func requiredWays(in entity: EntityDescription) -> [[Int]] {
        switch self {
        case .compare(let path, let comparison, let value, _):
            (comparison == .notEqual) == value.isNull ? path.ways(in: entity) : []
        case .between(let path, _, _, _), .match(let path, _, _, _): path.ways(in: entity)
        case .oneOf(let path, let values, _): OneOf(values).hasNull ? [] : path.ways(in: entity)
        case .any(let path, _): AttributePath(hops: path.hops, leaf: .id).ways(in: entity)
        case .junction(let junction): junction.requiredWays(in: entity)
        case .sameValue, .not, .failure: []
        }
    }
}

extension Junction {
    fileprivate func requiredWays(in entity: EntityDescription) -> [[Int]] {
        var ways: [[Int]]?
        forEachTerm { term in
            // Of an OR whose terms so far have nothing in common, the rest need not be asked.
            if kind == .or, ways?.isEmpty == true { return }
            let own = term.requiredWays(in: entity)
            guard let known = ways else { return ways = own }
            // More are not joined anyway: see ``TableScope/mostJoins``.
            if kind == .and, own.isEmpty || known.count > TableScope.mostJoins { return }
            ways = kind == .and ? known + own.filter { !known.contains($0) } : known.filter(own.contains)
        }
        return ways ?? []
    }
}

extension AttributePath {
    /// All ways that lead to the value, the one to the object that is the value among them.
    fileprivate func ways(in entity: EntityDescription) -> [[Int]] {
        var way = hops
        if leaf == .attribute, let last = entity.entity(through: hops).attributes[position].relationship {
            way.append(last)
        }
        return way.indices.map { Array(way[...$0]) }
    }
}
