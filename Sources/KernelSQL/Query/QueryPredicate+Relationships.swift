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
