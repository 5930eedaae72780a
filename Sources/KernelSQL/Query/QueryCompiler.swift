/// Turns a query into SQL. Three walks over one tree: ``shape(_:_:)`` and ``Query/eachArgument(_:)`` are run for every use
/// of a request and make no string; ``sql(_:_:)`` is run once for each shape.
package enum QueryCompiler {
    /// The key to cache the query's SQL under.
    package static func shape(_ query: Query, _ purpose: QueryPurpose) -> ShapeKey {
        var writer = ShapeWriter(query.entity)
        writer.write(query, purpose)
        return writer.key
    }

    /// Whether the query finds one row at most, whatever its values: all of its condition, or a term that must hold,
    /// says what a unique attribute of the entity is. It is the same for all queries of one shape.
    package static func findsOne(_ query: Query) -> Bool {
        switch query.predicate {
        case .junction(let junction)? where junction.kind == .and:
            var found = false
            junction.forEachTerm { if names($0, oneOf: query.entity) { found = true } }
            return found
        case let predicate?: return names(predicate, oneOf: query.entity)
        case nil: return false
        }
    }

    private static func names(_ predicate: QueryPredicate, oneOf entity: EntityDescription) -> Bool {
        guard case .compare(let path, .equal, let value, .exact) = predicate, !value.isNull, path.leaf == .attribute,
            path.hops.isEmpty
        else { return false }
        return entity.attributes[path.position].isUnique || entity.attributes[path.position].isPrimaryKey
    }

    /// The query's SQL.
    ///
    /// ```sql
    /// SELECT "_id", "model", "year" FROM "Car" WHERE "year" > ? ORDER BY "year" DESC, "_id" DESC LIMIT ?
    /// ```
    package static func sql(_ query: Query, _ purpose: QueryPurpose) -> String { write(query, purpose).text }

    /// The query's SQL, if SQLite takes it. Throws ``KernelError/invalidRequest(entity:reason:)`` if not.
    ///
    /// - Parameters:
    ///   - variables: How many `?` the connection takes in one statement.
    package static func sql(_ query: Query, _ purpose: QueryPurpose, variables: Int) throws -> String {
        var count = 0
        query.eachArgument { _ in count += 1 }
        if count > variables {
            throw QueryFailure.invalid(
                "it has \(count) values, and SQLite takes \(variables) here; name them by oneOf, which takes any number of "
                    + "them, or split it"
            ).error(in: query.entity)
        }
        let (text, hasTooManyJoins) = write(query, purpose)
        if hasTooManyJoins { throw QueryFailure.tooFar.error(in: query.entity) }
        return text
    }

    private static func write(_ query: Query, _ purpose: QueryPurpose) -> (text: String, hasTooManyJoins: Bool) {
        let writer = SelectWriter(query, purpose, isQualified: query.members?.joinTable != nil)
        let text = writer.text()
        if !writer.hasJoins { return (text, writer.hasTooManyJoins) }
        // Whether tables are joined is known only now, and columns need their table's name then.
        return (SelectWriter(query, purpose, isQualified: true).text(), writer.hasTooManyJoins)
    }

    static let idColumn = ModelCheck.idColumn.sqlIdentifier
}
