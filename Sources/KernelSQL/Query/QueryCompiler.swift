/// Turns a query into SQL. Two walks over one tree: ``shape(_:_:)`` is run for every use of a request and makes no
/// string; ``sql(_:_:)`` is run once for each shape. What the first collects is in the order of the second's `?`.
package enum QueryCompiler {
    /// The key to cache the query's SQL under, and what to bind.
    package static func shape(_ query: Query, _ purpose: QueryPurpose) -> (key: ShapeKey, arguments: [QueryArgument]) {
        var writer = ShapeWriter(query.entity)
        writer.write(query, purpose)
        return (writer.key, writer.arguments)
    }

    /// The query's SQL.
    ///
    /// ```sql
    /// SELECT "_id", "model", "year" FROM "Car" WHERE "year" > ? ORDER BY "year" DESC, "_id" DESC LIMIT ?
    /// ```
    package static func sql(_ query: Query, _ purpose: QueryPurpose) -> String {
        let table = query.entity.name.sqlIdentifier
        let matching = table + whereClause(query)
        switch purpose {
        case .fetch:
            let list = ([idColumn] + query.entity.selectColumns()).joined(separator: ", ")
            return "SELECT \(list) FROM \(matching)\(orderClause(query))\(limitClause(query))"
        case .ids:
            return "SELECT \(idColumn) FROM \(matching)\(orderClause(query))\(limitClause(query))"
        case .count where query.limit == nil && query.offset == nil:
            return "SELECT count(*) FROM \(matching)"
        case .count:
            return "SELECT count(*) FROM (SELECT 1 FROM \(matching)\(limitClause(query)))"
        case .exists:
            return "SELECT EXISTS (SELECT 1 FROM \(matching)\(limitClause(query)))"
        }
    }
}

extension QueryCompiler {
    static let idColumn = ModelCheck.idColumn.sqlIdentifier

    private static func whereClause(_ query: Query) -> String {
        guard let predicate = query.predicate else { return "" }
        return " WHERE " + PredicateRenderer(query.entity).condition(predicate)
    }

    /// Ends in the row's id, so that rows that are equal in all keys have an order too and pages are disjoint.
    private static func orderClause(_ query: Query) -> String {
        let renderer = PredicateRenderer(query.entity)
        var keys = query.order.map { key in
            let nils = key.explicitNils.map { $0 == .first ? " NULLS FIRST" : " NULLS LAST" } ?? ""
            return renderer.ordered(key.path, key.comparing) + suffix(key.direction) + nils
        }
        keys.append(idColumn + suffix(query.order.last?.direction ?? .ascending))
        return " ORDER BY " + keys.joined(separator: ", ")
    }

    private static func suffix(_ direction: SortDirection) -> String { direction == .descending ? " DESC" : "" }

    private static func limitClause(_ query: Query) -> String {
        switch (query.limit, query.offset) {
        case (nil, nil): ""
        case (_?, nil): " LIMIT ?"
        case (nil, _?): " LIMIT -1 OFFSET ?"
        case (_?, _?): " LIMIT ? OFFSET ?"
        }
    }
}
