// Sub-queries over the objects of to-many relationships.
extension PredicateRenderer {
    /// ```sql
    /// EXISTS (SELECT 1 FROM "Car" AS "t1" WHERE "t1"."owner" = "Person"."_id" AND "t1"."year" > ?)
    /// ```
    func exists(_ path: RelationPath, _ inner: QueryPredicate?) -> String {
        "EXISTS (SELECT 1 FROM \(objects(path, inner)))"
    }

    /// ```sql
    /// (SELECT count(*) FROM "Car" AS "t1" WHERE "t1"."owner" = "Person"."_id")
    /// ```
    func count(_ path: AttributePath) -> String {
        let number = "(SELECT count(*) FROM \(objects(RelationPath(hops: path.hops, path.position), nil)))"
        if path.hops.isEmpty { return number }
        // Of nobody's cars there is no number; counting them would give 0.
        return "CASE WHEN \(scope.id(path.hops)) IS NOT NULL THEN \(number) END"
    }

    /// What stands between FROM and the end of a sub-query over the relationship's objects.
    private func objects(_ path: RelationPath, _ inner: QueryPredicate?) -> String {
        let link = scope.entity.entity(through: path.hops).links.relationships[path.relationship]
        let own = scope.id(path.hops, forOthers: true)
        switch link.storage {
        case .inverseKey(let attribute, _):
            let others = TableScope(link.target, inside: scope, where: inner)
            let key = "\(others.alias).\(link.target.attributes[attribute].name.sqlIdentifier)"
            return others.select(" WHERE \(key) = \(own)", inner)
        case .join(let table):
            let pairs = scope.names.take(scope.names.next())
            let from = "\(table.name.sqlIdentifier) AS \(pairs)"
            let pair = " WHERE \(pairs).\(table.ownColumn.sqlIdentifier) = \(own)"
            guard let inner else { return from + pair }
            let others = TableScope(link.target, inside: scope, where: inner)
            let other = "\(others.id([])) = \(pairs).\(table.otherColumn.sqlIdentifier)"
            return "\(from) JOIN \(others.select(pair, inner, on: other))"
        case .key:
            // To-many relationships have no key of their own; were it not so, nothing must be found.
            return "(SELECT 1 WHERE 0)"
        }
    }
}

extension TableScope {
    /// The table with its joins, and the condition behind what is to hold of each of its rows anyway.
    fileprivate func select(_ clause: String, _ predicate: QueryPredicate?, on join: String? = nil) -> String {
        // Rendering the condition is what finds the joins.
        let condition = predicate.map { " AND " + PredicateRenderer(self).term($0) } ?? ""
        let on = join.map { " ON " + $0 } ?? ""
        return "\(entity.name.sqlIdentifier) AS \(alias)\(on)\(joinClause)\(clause)\(condition)"
    }
}
