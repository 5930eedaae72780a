import KernelSQL
import Testing

@Suite("Queries as SQL")
struct QuerySQLTests {
    private let fetch = #"SELECT "_id", "name", "maker", "count", "weight", "price", "tags" FROM "Part""#

    @Test("a fetch without a sort is in the order of the ids")
    func plain() {
        #expect(QueryCompiler.sql(Query(entity: part), .fetch) == fetch + #" ORDER BY "_id""#)
    }

    @Test("an order ends in the id, in the direction of the last key")
    func order() {
        let query = Query(
            entity: part, predicate: countEquals(1),
            order: [SortKey(At.name), SortKey(At.price, .descending)])
        #expect(
            QueryCompiler.sql(query, .fetch)
                == fetch + #" WHERE "count" = ? ORDER BY "name", k_decimal("price") DESC, "_id" DESC"#)
    }

    @Test(
        "nils are placed by words only where SQLite would place them otherwise",
        arguments: [
            (SortDirection.ascending, NilPlacement.first, #""maker", "_id""#),
            (.ascending, .last, #""maker" NULLS LAST, "_id""#),
            (.descending, .first, #""maker" DESC NULLS FIRST, "_id" DESC"#),
            (.descending, .last, #""maker" DESC, "_id" DESC"#),
        ])
    func nils(direction: SortDirection, nils: NilPlacement, sql: String) {
        let query = Query(entity: part, order: [SortKey(At.maker, direction, nils: nils)])
        #expect(QueryCompiler.sql(query, .ids) == #"SELECT "_id" FROM "Part" ORDER BY "# + sql)
    }

    @Test("values of some columns come in the order of the ids, too")
    func columns() {
        var query = Query(entity: part, predicate: countEquals(1), limit: 3)
        query.columns = Columns([At.name, At.price])
        #expect(
            QueryCompiler.sql(query, .fetch)
                == #"SELECT "name", "price" FROM "Part" WHERE "count" = ? ORDER BY "_id" LIMIT ?"#)
        #expect(QueryCompiler.sql(query, .ids) == #"SELECT "_id" FROM "Part" WHERE "count" = ? ORDER BY "_id" LIMIT ?"#)
    }

    @Test("the order of distinct values ends in those that it does not begin with")
    func distinct() {
        var query = Query(entity: part, order: [SortKey(At.maker, .descending)])
        query.columns = Columns([At.name, At.maker, At.price], isDistinct: true)
        #expect(
            QueryCompiler.sql(query, .fetch)
                == #"SELECT DISTINCT "name", "maker", "price" FROM "Part" "#
                + #"ORDER BY "maker" DESC, "name", k_decimal("price")"#)
        query.order = [SortKey(At.name, comparing: .insensitive)]
        query.columns = Columns([At.name], isDistinct: true)
        // Two spellings that are equal when folded are two values.
        #expect(
            QueryCompiler.sql(query, .fetch)
                == #"SELECT DISTINCT "name" FROM "Part" ORDER BY k_fold("name"), "name""#)
    }

    @Test("columns and their being distinct are part of the shape")
    func columnShapes() {
        let all =
            [nil, Columns([At.name]), Columns([At.name, At.count]), Columns([At.count, At.name])]
            + [Columns([At.name], isDistinct: true)]
        let shapes = all.map { columns in
            var query = Query(entity: part)
            query.columns = columns
            return QueryCompiler.shape(query, .fetch)
        }
        #expect(Set(shapes).count == 5)
    }

    @Test("text is sorted insensitively by its folded form")
    func folded() {
        let query = Query(entity: part, order: [SortKey(At.name, comparing: .insensitive)])
        #expect(QueryCompiler.sql(query, .ids) == #"SELECT "_id" FROM "Part" ORDER BY k_fold("name"), "_id""#)
    }

    @Test("limit and offset are bound after the condition")
    func limits() {
        var query = Query(entity: part, predicate: countEquals(7), limit: 30, offset: 60)
        let matching = #" WHERE "count" = ? ORDER BY "_id""#
        #expect(QueryCompiler.sql(query, .fetch) == fetch + matching + " LIMIT ? OFFSET ?")
        #expect(query.arguments == [.value(.integer(7)), .value(.integer(30)), .value(.integer(60))])
        query.limit = nil
        #expect(QueryCompiler.sql(query, .fetch) == fetch + matching + " LIMIT -1 OFFSET ?")
        #expect(query.arguments == [.value(.integer(7)), .value(.integer(60))])
        query.limit = 30
        query.offset = nil
        #expect(QueryCompiler.sql(query, .fetch) == fetch + matching + " LIMIT ?")
    }

    @Test("count counts what a fetch would give, limit and offset included")
    func count() {
        var query = Query(entity: part, predicate: countEquals(1), order: [SortKey(At.name)])
        #expect(QueryCompiler.sql(query, .count) == #"SELECT count(*) FROM "Part" WHERE "count" = ?"#)
        query.limit = 3
        #expect(
            QueryCompiler.sql(query, .count)
                == #"SELECT count(*) FROM (SELECT 1 FROM "Part" WHERE "count" = ? LIMIT ?)"#)
    }

    @Test("exists stops at the first row that a fetch would give")
    func exists() {
        var query = Query(entity: part, order: [SortKey(At.name)])
        #expect(QueryCompiler.sql(query, .exists) == #"SELECT EXISTS (SELECT 1 FROM "Part")"#)
        query.offset = 5
        #expect(QueryCompiler.sql(query, .exists) == #"SELECT EXISTS (SELECT 1 FROM "Part" LIMIT -1 OFFSET ?)"#)
    }

    @Test("a query finds one row at most when it must hold what a unique attribute is, byte by byte")
    func findsOne() {
        func one(_ predicate: QueryPredicate?) -> Bool {
            QueryCompiler.findsOne(Query(entity: part, predicate: predicate))
        }
        let name = QueryPredicate.compare(At.name, .equal, .text("a"), .exact)
        #expect(one(name))
        #expect(one(countEquals(1).and(name).and(countEquals(2))))
        #expect(!one(nil))
        #expect(!one(countEquals(1)))
        #expect(!one(name.or(name)))
        #expect(!one(name.negated))
        #expect(!one(countEquals(1).and(name.or(name))))
        #expect(!one(.compare(At.name, .equal, .text("a"), .insensitive)))
        #expect(!one(.compare(At.name, .equal, .null, .exact)))
        #expect(!one(.compare(At.name, .notEqual, .text("a"), .exact)))
        #expect(!one(.compare(At.name, .lessOrEqual, .text("a"), .exact)))
        #expect(!one(.oneOf(At.name, [.text("a"), .text("b")], .exact)))
        #expect(!one(.compare(AttributePath(hops: [0], 0), .equal, .text("a"), .exact)))
    }

    @Test("keywords and quotes are fine names for entities and attributes")
    func names() {
        let entity = EntityDescription(Part.self, name: "Order") { $0.attribute(#"gro"up"#, \Part.name) }
        let query = Query(entity: entity, order: [SortKey(AttributePath(0))])
        #expect(QueryCompiler.sql(query, .fetch) == #"SELECT "_id", "gro""up" FROM "Order" ORDER BY "gro""up", "_id""#)
    }
}
