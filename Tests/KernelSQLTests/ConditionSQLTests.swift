import KernelSQL
import Testing

@Suite("Conditions as SQL")
struct ConditionSQLTests {
    @Test(
        "each comparison has its operator, and != keeps nil",
        arguments: [
            (Comparison.equal, #""count" = ?"#), (.notEqual, #""count" IS NOT ?"#), (.less, #""count" < ?"#),
            (.lessOrEqual, #""count" <= ?"#), (.greater, #""count" > ?"#), (.greaterOrEqual, #""count" >= ?"#),
        ])
    func comparisons(comparison: Comparison, sql: String) {
        let predicate = QueryPredicate.compare(At.count, comparison, .integer(3), .exact)
        #expect(condition(predicate) == sql)
        #expect(arguments(predicate) == [.value(.integer(3))])
    }

    @Test("nil is asked for by IS NULL and binds nothing")
    func null() {
        #expect(condition(.compare(At.maker, .equal, .null, .exact)) == #""maker" IS NULL"#)
        #expect(condition(.compare(At.maker, .notEqual, .null, .exact)) == #""maker" IS NOT NULL"#)
        #expect(arguments(.compare(At.maker, .notEqual, .null, .exact)).isEmpty)
    }

    @Test("decimals are ordered as numbers and equal as text")
    func decimals() {
        let price = StoredValue.text("9.5")
        #expect(condition(.compare(At.price, .less, price, .exact)) == #"k_decimal("price") < k_decimal(?)"#)
        #expect(condition(.compare(At.price, .equal, price, .exact)) == #""price" = ?"#)
        #expect(
            condition(.between(At.price, price, price, .exact))
                == #"k_decimal("price") BETWEEN k_decimal(?) AND k_decimal(?)"#)
    }

    @Test("between binds both ends in order")
    func between() {
        let predicate = QueryPredicate.between(At.count, .integer(1), .integer(9), .exact)
        #expect(condition(predicate) == #""count" BETWEEN ? AND ?"#)
        #expect(arguments(predicate) == [.value(.integer(1)), .value(.integer(9))])
    }

    @Test("text is searched by functions for which % and _ are letters")
    func text() {
        #expect(condition(.match(At.name, .contains, "%", .exact)) == #"instr("name", ?) > 0"#)
        #expect(condition(.match(At.name, .beginsWith, "%", .exact)) == #"("name" >= ? AND k_begins("name", ?))"#)
        #expect(condition(.match(At.name, .endsWith, "%", .exact)) == #"k_ends("name", ?)"#)
        #expect(condition(.match(At.name, .like, "%", .exact)) == #"k_like("name", ?)"#)
        #expect(arguments(.match(At.name, .beginsWith, "%", .exact)) == [.value(.text("%")), .value(.text("%"))])
    }

    @Test("insensitive forms fold both sides, and each ? has one argument")
    func insensitive() {
        let folded: [(QueryPredicate, String)] = [
            (.compare(At.name, .equal, .text("É"), .insensitive), #"k_fold("name") = k_fold(?)"#),
            (.compare(At.name, .notEqual, .text("É"), .insensitive), #"k_fold("name") IS NOT k_fold(?)"#),
            (.compare(At.name, .less, .text("É"), .insensitive), #"k_fold("name") < k_fold(?)"#),
            (.compare(At.name, .equal, .null, .insensitive), #""name" IS NULL"#),
            (.match(At.name, .contains, "É", .insensitive), #"instr(k_fold("name"), k_fold(?)) > 0"#),
            (.match(At.name, .beginsWith, "É", .insensitive), #"k_begins(k_fold("name"), k_fold(?))"#),
            (.match(At.name, .endsWith, "É", .insensitive), #"k_ends(k_fold("name"), k_fold(?))"#),
            (.match(At.name, .like, "É", .insensitive), #"k_like(k_fold("name"), k_fold(?))"#),
            (.oneOf(At.name, [.text("É")], .insensitive), #"k_fold("name") IN (k_fold(?))"#),
            (
                .between(At.name, .text("a"), .text("b"), .insensitive),
                #"k_fold("name") BETWEEN k_fold(?) AND k_fold(?)"#
            ),
        ]
        for (predicate, sql) in folded {
            #expect(condition(predicate) == sql)
            #expect(arguments(predicate).count == sql.filter { $0 == "?" }.count)
        }
    }

    @Test("up to three values are bound one by one, more as one list")
    func oneOf() {
        let four = (1...4).map { StoredValue.integer($0) }
        #expect(condition(.oneOf(At.count, Array(four.prefix(3)), .exact)) == #""count" IN (?, ?, ?)"#)
        #expect(condition(.oneOf(At.count, four, .exact)) == #""count" IN (SELECT value FROM kernel_values(?))"#)
        #expect(arguments(.oneOf(At.count, four, .exact)) == [.list(four)])
        #expect(
            condition(.oneOf(At.name, ["a", "b", "c", "d"].map { .text($0) }, .insensitive))
                == #"k_fold("name") IN (SELECT k_fold(value) FROM kernel_values(?))"#)
    }

    @Test("no values find nothing, and their negation everything")
    func oneOfNothing() {
        #expect(condition(.oneOf(At.count, [], .exact)) == "0")
        #expect(condition(QueryPredicate.oneOf(At.count, [], .exact).negated) == "(0) IS NOT TRUE")
    }

    @Test("nil among the values finds nil and is not bound")
    func oneOfNull() {
        #expect(condition(.oneOf(At.maker, [.null], .exact)) == #""maker" IS NULL"#)
        #expect(condition(.oneOf(At.maker, [.null, .text("a")], .exact)) == #"("maker" IS NULL OR "maker" IN (?))"#)
        #expect(arguments(.oneOf(At.maker, [.null, .text("a")], .exact)) == [.value(.text("a"))])
        let many: [StoredValue] = [.null] + (1...4).map { .text("\($0)") }
        #expect(arguments(.oneOf(At.maker, many, .exact)) == [.list(Array(many.dropFirst()))])
    }

    @Test("two attributes are the same when both are nil, too")
    func sameValue() {
        #expect(condition(.sameValue(At.name, At.maker)) == #""name" IS "maker""#)
    }

    @Test("a negation keeps the rows whose attribute is nil, and two of them cancel out")
    func negation() {
        #expect(condition(countEquals(1).negated) == #"("count" = ?) IS NOT TRUE"#)
        #expect(condition(countEquals(1).negated.negated) == #""count" = ?"#)
    }

    @Test("junctions are flat within one kind and in parentheses within another")
    func junctions() {
        let (a, b, c) = (countEquals(1), countEquals(2), countEquals(3))
        #expect(condition(a.and(b).and(c)) == #""count" = ? AND "count" = ? AND "count" = ?"#)
        #expect(condition(a.and(b.and(c))) == condition(a.and(b).and(c)))
        #expect(condition(a.and(b).or(c)) == #"("count" = ? AND "count" = ?) OR "count" = ?"#)
        #expect(condition(a.and(b.or(c).negated)) == #""count" = ? AND ("count" = ? OR "count" = ?) IS NOT TRUE"#)
    }

    @Test("names are quoted, quotes within them doubled")
    func identifiers() {
        #expect("Order".sqlIdentifier == #""Order""#)
        #expect(#"a"b"#.sqlIdentifier == #""a""b""#)
        #expect("e\u{301}\"".sqlIdentifier == "\"e\u{301}\"\"\"")
        #expect("\"\u{301}".sqlIdentifier == "\"\"\"\u{301}\"")
    }
}
