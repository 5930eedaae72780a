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
        let writer = SelectWriter(query, purpose, isQualified: query.members?.joinTable != nil)
        let text = writer.text()
        // Whether tables are joined is known only now, and columns need their table's name then.
        return writer.hasJoins ? SelectWriter(query, purpose, isQualified: true).text() : text
    }

    static let idColumn = ModelCheck.idColumn.sqlIdentifier
}
