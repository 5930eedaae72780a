import DataKernel
import Foundation
import KernelSQL
import Testing

/// The SQL that the request is fetched by, from WHERE on.
func sql<E: Entity>(_ request: Request<E>) throws -> String {
    let sql = QueryCompiler.sql(try request.checked(), .fetch)
    let table = "FROM \(E.entity.name.sqlIdentifier) "
    return String(sql[(sql.range(of: table)?.upperBound ?? sql.startIndex)...])
}

func arguments<E: Entity>(_ request: Request<E>) throws -> [QueryArgument] {
    try request.checked().arguments
}

extension Query {
    /// What is bound, in order.
    var arguments: [QueryArgument] {
        var found: [QueryArgument] = []
        eachArgument { found.append($0) }
        return found
    }
}

@Suite("Requests")
struct RequestTests {
    static let old = Request<Truck>().filter(\.year < 1980)

    @Test("by name: filter and sort")
    func byName() throws {
        let request = Request<Truck>().filter("mark", equalTo: "Honda").sort("model", ascending: true)
        #expect(try sql(request) == #"WHERE "mark" = ? ORDER BY "model", "_id""#)
        #expect(try arguments(request) == [.value(.text("Honda"))])
    }

    @Test("by key path: operators, negation, sort and page")
    func byKeyPath() throws {
        let request = Request<Truck>().filter(\.mark == "Honda" && \.year > 2010 || !(\.mark == nil))
            .sort(\.year, .descending).limit(30).offset(60)
        #expect(
            try sql(request) == #"WHERE ("mark" = ? AND "year" > ?) OR ("mark" IS NULL) IS NOT TRUE "#
                + #"ORDER BY "year" DESC, "_id" DESC LIMIT ? OFFSET ?"#)
        #expect(
            try arguments(request)
                == [.value(.text("Honda")), .value(.integer(2010)), .value(.integer(30)), .value(.integer(60))])
    }

    @Test("by closure: the same conditions on $0")
    func byClosure() throws {
        let request = Request<Truck>().filter(where: { $0.mark.contains("on") && $0.year > 3 })
        #expect(try sql(request) == #"WHERE instr("mark", ?) > 0 AND "year" > ? ORDER BY "_id""#)
        let all = Request<Truck>().filter(where: {
            $0.model != "a" && $0.mark == nil && $0.year <= 1 && $0.year >= 2 && $0.year < 3
                && $0.year.between(1...2) && $0.fuel.oneOf([.petrol]) && $0.model.beginsWith("b")
                && $0.model.endsWith("c") && $0.model.like("d%") && $0.model.equal($0.model)
        })
        #expect(
            try sql(all)
                == #"WHERE "model" IS NOT ? AND "mark" IS NULL AND "year" <= ? AND "year" >= ? AND "year" < ? "#
                + #"AND "year" BETWEEN ? AND ? AND "fuel" IN (?) AND ("model" >= ? AND k_begins("model", ?)) "#
                + #"AND k_ends("model", ?) AND k_like("model", ?) AND "model" IS "model" ORDER BY "_id""#)
    }

    @Test("static functions stand among operators")
    func functions() throws {
        let request = Request<Truck>().filter(
            \.year > 3 && .contains(\.model, "x") && !.beginsWith(\.mark, "y") && .endsWith(\.model, "z")
                && .like(\.model, "%") && .oneOf(\.year, 1...5) && .between(\.price, 1...2) && .equal(\.spare, \.mark))
        #expect(
            try sql(request) == #"WHERE "year" > ? AND instr("model", ?) > 0 "#
                + #"AND (("mark" >= ? AND k_begins("mark", ?))) IS NOT TRUE AND k_ends("model", ?) "#
                + #"AND k_like("model", ?) AND "year" IN (SELECT value FROM kernel_values(?)) "#
                + #"AND k_decimal("price") BETWEEN k_decimal(?) AND k_decimal(?) AND "spare" IS "mark" ORDER BY "_id""#)
    }

    @Test("two attributes are compared though one of them is optional")
    func mixedOptionals() throws {
        #expect(try sql(Request<Truck>().filter(.equal(\.model, \.mark))) == #"WHERE "model" IS "mark" ORDER BY "_id""#)
        let closure = Request<Truck>().filter(where: { $0.mark.equal($0.model) })
        #expect(try sql(closure) == #"WHERE "mark" IS "model" ORDER BY "_id""#)
    }

    @Test("a word after a key path")
    func words() throws {
        let request = Request<Truck>().filter(\.model, contains: "a").filter(
            \.mark, beginsWith: "b", comparing: .insensitive
        )
        .filter(\.model, endsWith: "c").filter(\.model, like: "d").filter(\.year, oneOf: [1, 2])
        .filter(\.builtAt, between: Date(timeIntervalSinceReferenceDate: 1)...Date(timeIntervalSinceReferenceDate: 2))
        #expect(
            try sql(request) == #"WHERE instr("model", ?) > 0 AND k_begins(k_fold("mark"), k_fold(?)) "#
                + #"AND k_ends("model", ?) AND k_like("model", ?) AND "year" IN (?, ?) "#
                + #"AND "builtAt" BETWEEN ? AND ? ORDER BY "_id""#)
    }

    @Test("optional attributes take plain values, optional values and nil")
    func optionals() throws {
        let none: String? = nil
        #expect(try sql(Request<Truck>().filter(\.mark == none)) == #"WHERE "mark" IS NULL ORDER BY "_id""#)
        #expect(try sql(Request<Truck>().filter(\.mark != none)) == #"WHERE "mark" IS NOT NULL ORDER BY "_id""#)
        #expect(try sql(Request<Truck>().filter(\.mark == "a")) == #"WHERE "mark" = ? ORDER BY "_id""#)
        #expect(try sql(Request<Truck>().filter(\.mark > "a")) == #"WHERE "mark" > ? ORDER BY "_id""#)
        #expect(
            try sql(Request<Truck>().filter(\.mark, oneOf: ["a", nil]))
                == #"WHERE ("mark" IS NULL OR "mark" IN (?)) ORDER BY "_id""#)
    }

    @Test("an optional attribute is one of values, of optional values, or of literals")
    func oneOfOptional() throws {
        let names = ["a", "b"]
        let odd: [String?] = ["a", nil]
        let keys = Set([UUID()])
        #expect(try arguments(Request<Truck>().filter(\.mark, oneOf: names)) == names.map { .value(.text($0)) })
        #expect(try arguments(Request<Truck>().filter(\.mark, oneOf: odd)) == [.value(.text("a"))])
        #expect(try arguments(Request<Truck>().filter(\.mark, oneOf: ["a", "b"])).count == 2)
        #expect(try arguments(Request<Truck>().filter(\.year > 3 && .oneOf(\.key, keys))).count == 2)
        #expect(try arguments(Request<Truck>().filter(.oneOf(\.mark, odd) || .oneOf(\.fuel, [.petrol]))).count == 2)
        #expect(
            try arguments(Request<Truck>().filter(where: { $0.mark.oneOf(names) || $0.mark.oneOf(["c"]) })).count == 3)
        #expect(
            try arguments(Request<Truck>().filter(where: { $0.mark.oneOf(odd) && $0.year.oneOf(1...2) })).count == 3)
    }

    @Test("filters add up by AND, sorts append, and the receiver stays as it was")
    func refinement() throws {
        let base = Request<Truck>().filter(\.year > 1).sort(\.mark)
        let refined = base.filter(\.year < 9 || \.year == 20).sort("year", ascending: false, nils: .first)
        #expect(try sql(base) == #"WHERE "year" > ? ORDER BY "mark", "_id""#)
        #expect(
            try sql(refined) == #"WHERE "year" > ? AND ("year" < ? OR "year" = ?) "#
                + #"ORDER BY "mark", "year" DESC NULLS FIRST, "_id" DESC"#)
    }

    @Test("a request is Sendable and can be a static constant")
    func sendable() async throws {
        let request = Self.old
        let text = try await Task.detached { try sql(request) }.value
        #expect(text == #"WHERE "year" < ? ORDER BY "_id""#)
    }

    @Test("narrowing keeps the lower limit")
    func narrowed() throws {
        #expect(try Request<Truck>().narrowed(to: 1).checked().limit == 1)
        #expect(try Request<Truck>().limit(5).narrowed(to: 1).checked().limit == 1)
        #expect(try Request<Truck>().limit(0).narrowed(to: 1).checked().limit == 0)
        #expect(throws: KernelError.self) { try Request<Truck>().limit(-5).narrowed(to: 1).checked() }
    }

    @Test("sorts ignore case by a word, and decimals sort as numbers")
    func sorts() throws {
        let request = Request<Truck>().sort(\.model, comparing: .insensitive).sort(\.price, .descending)
        #expect(try sql(request) == #"ORDER BY k_fold("model"), k_decimal("price") DESC, "_id" DESC"#)
    }

    @Test("conditions can be built in a loop")
    func loop() throws {
        var condition: Condition<Truck> = \.year == 0
        for year in 1..<1_000 { condition = condition || \.year == year }
        #expect(try arguments(Request<Truck>().filter(condition)).count == 1_000)
        let reduced = (1..<10_000).reduce(condition) { $0 || \.year == $1 }
        #expect(try arguments(Request<Truck>().filter(reduced)).count == 10_999)
    }
}
