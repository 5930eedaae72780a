/// Writes a query's statement. ``QueryCompiler`` calls it.
struct SelectWriter {
    private let query: Query
    private let purpose: QueryPurpose
    private let scope: TableScope
    private let prefix: String
    /// The quoted alias of the table that has the pairs, for the members of a relationship that has one.
    private let pairs: String

    init(_ query: Query, _ purpose: QueryPurpose, isQualified: Bool) {
        self.query = query
        self.purpose = purpose
        scope = TableScope(query.entity, isQualified: isQualified, where: query.predicate)
        prefix = isQualified ? scope.alias + "." : ""
        pairs = query.members?.joinTable == nil ? "" : scope.names.take("members")
    }

    /// Whether the text that was written joins tables of relationships.
    var hasJoins: Bool { scope.hasJoins }

    /// Whether it would have to join more tables than SQLite does.
    var hasTooManyJoins: Bool { scope.names.hasTooManyJoins }

    func text() -> String {
        // Columns, conditions and order are written first: they are what finds the joins.
        let columns = columnList()
        let condition = whereClause()
        let order = purpose.isOrdered ? orderClause() : ""
        let matching = query.entity.name.sqlIdentifier + membersJoin() + scope.joinClause + condition
        let id = prefix + QueryCompiler.idColumn
        switch purpose {
        case .fetch:
            let list = columns ?? ([id] + query.entity.selectColumns(prefix: prefix)).joined(separator: ", ")
            return "SELECT \(list) FROM \(matching)\(order)\(limitClause())"
        case .ids:
            return "SELECT \(id) FROM \(matching)\(order)\(limitClause())"
        case .count where query.limit == nil && query.offset == nil:
            return "SELECT count(*) FROM \(matching)"
        case .count:
            return "SELECT count(*) FROM (SELECT 1 FROM \(matching)\(limitClause()))"
        case .exists:
            return "SELECT EXISTS (SELECT 1 FROM \(matching)\(limitClause()))"
        }
    }

    private func columnList() -> String? {
        guard purpose == .fetch, let columns = query.columns else { return nil }
        let renderer = PredicateRenderer(scope)
        let list = columns.paths.map(renderer.column).joined(separator: ", ")
        return columns.isDistinct ? "DISTINCT " + list : list
    }

    private func whereClause() -> String {
        let renderer = PredicateRenderer(scope)
        switch (memberCondition(), query.predicate) {
        case (nil, nil): return ""
        case (let member?, nil): return " WHERE " + member
        case (nil, let predicate?): return " WHERE " + renderer.condition(predicate)
        case (let member?, let predicate?): return " WHERE \(member) AND \(renderer.term(predicate))"
        }
    }

    /// Ends in the row's id, so that rows that are equal in all keys have an order too and pages are disjoint. Distinct
    /// values are of no one row; their order ends in the values that are no keys.
    private func orderClause() -> String {
        let renderer = PredicateRenderer(scope)
        var keys: [String] = []
        for key in query.order {
            keys.append(renderer.ordered(key.path, key.comparing) + suffix(key.direction) + suffix(key.explicitNils))
        }
        if purpose == .fetch, let columns = query.columns, columns.isDistinct {
            for path in columns.paths where !query.order.contains(where: { $0.path == path && $0.comparing == .exact })
            {
                keys.append(renderer.ordered(path, .exact))
            }
            return " ORDER BY " + keys.joined(separator: ", ")
        }
        if keys.isEmpty, let place = memberOrder() { keys.append(place) }
        // Nothing is equal in its id.
        let endsInID = query.order.last.map { $0.path == AttributePath(hops: [], leaf: .id) } ?? false
        if !endsInID {
            keys.append(prefix + QueryCompiler.idColumn + suffix(query.order.last?.direction ?? .ascending))
        }
        return " ORDER BY " + keys.joined(separator: ", ")
    }

    private func suffix(_ direction: SortDirection) -> String { direction == .descending ? " DESC" : "" }

    private func suffix(_ nils: NilPlacement?) -> String {
        switch nils {
        case nil: ""
        case .first: " NULLS FIRST"
        case .last: " NULLS LAST"
        }
    }

    private func limitClause() -> String {
        switch (query.limit, query.offset) {
        case (nil, nil): ""
        case (_?, nil): " LIMIT ?"
        case (nil, _?): " LIMIT -1 OFFSET ?"
        case (_?, _?): " LIMIT ? OFFSET ?"
        }
    }
}

// The objects of one relationship. A join table has each pair once, so no row is found twice.
extension SelectWriter {
    private func membersJoin() -> String {
        guard let table = query.members?.joinTable else { return "" }
        return " JOIN \(table.name.sqlIdentifier) AS \(pairs) ON "
            + "\(pairs).\(table.otherColumn.sqlIdentifier) = \(scope.alias).\(QueryCompiler.idColumn)"
    }

    private func memberCondition() -> String? {
        switch query.members?.storage {
        case .inverseKey(let attribute, _): "\(prefix)\(query.entity.attributes[attribute].name.sqlIdentifier) = ?"
        case .join(let table): "\(pairs).\(table.ownColumn.sqlIdentifier) = ?"
        // To-many relationships have no key of their own; were it not so, nothing must be found.
        case .key: "? IS NULL"
        case nil: nil
        }
    }

    private func memberOrder() -> String? {
        switch query.members?.storage {
        case .inverseKey(_, let order): order.map { prefix + $0.sqlIdentifier }
        case .join(let table): table.order.map { "\(pairs).\($0.sqlIdentifier)" }
        case .key, nil: nil
        }
    }
}
