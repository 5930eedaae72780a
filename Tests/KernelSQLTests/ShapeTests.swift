import KernelSQL
import Testing

/// The same numbers for the same seed, so that a failure can be seen again (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite("The shape of a query")
struct ShapeTests {
    private func shape(_ predicate: QueryPredicate) -> ShapeKey {
        QueryCompiler.shape(Query(entity: part, predicate: predicate), .fetch)
    }

    @Test("values are no part of it, but being nil is")
    func values() {
        #expect(shape(countEquals(1)) == shape(countEquals(2)))
        #expect(shape(countEquals(1)).hashValue == shape(countEquals(2)).hashValue)
        #expect(
            shape(.compare(At.maker, .equal, .null, .exact)) != shape(.compare(At.maker, .equal, .text(""), .exact)))
    }

    @Test("limits count by being there, not by their number")
    func limits() {
        func key(_ limit: Int?, _ offset: Int?) -> ShapeKey {
            QueryCompiler.shape(Query(entity: part, limit: limit, offset: offset), .fetch)
        }
        #expect(key(1, 2) == key(30, 60))
        #expect(Set([key(nil, nil), key(1, nil), key(nil, 1), key(1, 1)]).count == 4)
    }

    @Test("a list of any length has one shape, up to three values have one each")
    func lists() {
        func key(_ count: Int) -> ShapeKey { shape(.oneOf(At.count, (0..<count).map { .integer(Int64($0)) }, .exact)) }
        #expect(key(4) == key(300_000))
        #expect(Set((0...4).map(key)).count == 5)
    }

    @Test("queries of different entities differ, even when all else is alike")
    func entities() {
        let twin = EntityDescription(Part.self, name: "Part") { $0.attribute("name", \Part.name) }
        #expect(
            QueryCompiler.shape(Query(entity: part), .count) != QueryCompiler.shape(Query(entity: twin), .count)
        )
    }

    @Test("attributes beyond the 127th are told apart")
    func manyAttributes() {
        let positions = [0, 1, 127, 128, 129, 255, 256, 16_383, 16_384]
        let keys = positions.map { shape(.compare(AttributePath($0), .equal, .integer(1), .exact)) }
        #expect(Set(keys).count == positions.count)
    }

    @Test("equal shapes have equal SQL, different SQL has different shapes, and each ? has one argument")
    func shapeAndSQL() {
        var random = SeededGenerator(state: 20_260_101)
        var sqlOf: [ShapeKey: String] = [:]
        var shapeOf: [String: ShapeKey] = [:]
        for _ in 0..<20_000 {
            let query = randomQuery(&random)
            let purpose = QueryPurpose.allCases.randomElement(using: &random) ?? .fetch
            let key = QueryCompiler.shape(query, purpose)
            let sql = QueryCompiler.sql(query, purpose)
            #expect(sqlOf.updateValue(sql, forKey: key) ?? sql == sql)
            #expect(shapeOf.updateValue(key, forKey: sql) ?? key == key, "two shapes for one SQL: \(sql)")
            #expect(query.arguments.count == sql.filter { $0 == "?" }.count, "\(sql)")
        }
        #expect(sqlOf.count > 5_000)
    }

    private func randomQuery(_ random: inout SeededGenerator) -> Query {
        let predicate = Bool.random(using: &random) ? randomPredicate(&random, levels: 3) : nil
        let order = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            SortKey(
                AttributePath(.random(in: 0...5, using: &random)),
                Bool.random(using: &random) ? .ascending : .descending,
                nils: [nil, .first, .last].randomElement(using: &random) ?? nil)
        }
        var query = Query(
            entity: part, predicate: predicate, order: order, limit: Bool.random(using: &random) ? 5 : nil,
            offset: Bool.random(using: &random) ? 5 : nil)
        if Bool.random(using: &random) {
            query.columns = Columns(
                (0..<Int.random(in: 1...3, using: &random)).map { _ in AttributePath(.random(in: 0...5, using: &random))
                })
        }
        return query
    }

    private func randomPredicate(_ random: inout SeededGenerator, levels: Int) -> QueryPredicate {
        let path = AttributePath(.random(in: 0...5, using: &random))
        let comparing: TextComparison = Bool.random(using: &random) ? .exact : .insensitive
        let value: StoredValue = Bool.random(using: &random) ? .null : .text("v")
        switch Int.random(in: 0...(levels > 0 ? 8 : 4), using: &random) {
        case 0:
            let comparison = Comparison(rawValue: .random(in: 0...5, using: &random)) ?? .equal
            return .compare(
                path, comparison, comparison.isOrdering ? .text("v") : value, value.isNull ? .exact : comparing)
        case 1: return .between(path, .text("a"), .text("b"), comparing)
        case 2:
            let count = Int.random(in: 1...5, using: &random)
            return .oneOf(path, (0..<count).map { .integer(Int64($0)) } + [value], comparing)
        case 3:
            let match = TextMatch(rawValue: .random(in: 0...3, using: &random)) ?? .like
            return .match(path, match, "t", comparing)
        case 4: return .sameValue(path, AttributePath(.random(in: 0...5, using: &random)))
        case 5: return randomPredicate(&random, levels: levels - 1).negated
        case 6: return randomPredicate(&random, levels: levels - 1).and(randomPredicate(&random, levels: levels - 1))
        default: return randomPredicate(&random, levels: levels - 1).or(randomPredicate(&random, levels: levels - 1))
        }
    }
}
