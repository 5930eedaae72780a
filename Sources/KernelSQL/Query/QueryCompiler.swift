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
    package static func sql(_ query: Query, _ purpose: QueryPurpose) -> String {
        let writer = SelectWriter(query, purpose, isQualified: query.members?.joinTable != nil)
        let text = writer.text()
        // Whether tables are joined is known only now, and columns need their table's name then.
        return writer.hasJoins ? SelectWriter(query, purpose, isQualified: true).text() : text
    }

    static let idColumn = ModelCheck.idColumn.sqlIdentifier
}
