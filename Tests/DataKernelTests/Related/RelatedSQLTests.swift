import DataKernel
import Foundation
import KernelSQL
import Testing

/// The SQL that a request is counted by, from FROM on.
private func counted<E: Entity>(_ request: Request<E>) throws -> String {
    String(QueryCompiler.sql(try request.checked(), .count).dropFirst("SELECT count(*) FROM ".count))
}

@Suite("Requests through relationships, as SQL")
struct RelatedSQLTests {
    @Test("a hop is a join, once for each way, and columns are qualified then")
    func hops() throws {
        let request = Request<Auto>().filter(where: {
            $0.owner.name == "Ann" && $0.owner.town.name != "Bonn" && $0.owner.age > 3 && $0.year > 4
        })
        #expect(
            try counted(request)
                == #""Auto" JOIN "Human" AS "owner" ON "owner"."_id" = "Auto"."owner" "#
                + #"LEFT JOIN "Town" AS "owner.town" ON "owner.town"."_id" = "owner"."town" "#
                + #"WHERE "owner"."name" = ? AND "owner.town"."name" IS NOT ? AND "owner"."age" > ? "#
                + #"AND "Auto"."year" > ?"#)
        #expect(try arguments(request).count == 4)
    }

    @Test("the join is a LEFT JOIN where the condition may hold without the other row")
    func leftJoins() throws {
        let left = #""Auto" LEFT JOIN "Human" AS "owner" ON "owner"."_id" = "Auto"."owner" WHERE "#
        let inner = left.replacing(" LEFT JOIN", with: " JOIN")
        func join(_ condition: (Fields<Auto>) -> Condition<Auto>) throws -> String? {
            let text = try counted(Request<Auto>().filter(where: { condition($0) }))
            return [left, inner].first { text.hasPrefix($0) }
        }
        #expect(try join { $0.owner.name != "Ann" } == left)
        #expect(try join { $0.owner.name == nil } == left)
        #expect(try join { $0.owner.name != nil } == inner)
        #expect(try join { !($0.owner.name == "Ann") } == left)
        #expect(try join { $0.owner.name == "Ann" || $0.year == 3 } == left)
        #expect(try join { $0.owner.name == "Ann" || $0.owner.age > 3 && $0.year == 3 } == inner)
        #expect(try join { $0.owner.name.oneOf(["Ann", nil]) } == left)
        #expect(try join { $0.owner.name.oneOf(["Ann", "Bob"]) } == inner)
        #expect(try join { $0.owner.age.between(1...3) } == inner)
        #expect(try join { $0.owner.name.contains("n") } == inner)
        #expect(try join { $0.owner.name.equal($0.owner.boss.name) } != inner)
    }

    @Test("a fetch qualifies what it selects, too")
    func fetch() throws {
        let request = Request<Rim>().sort(by: { $0.auto.name }, .descending, nils: .first)
        #expect(
            QueryCompiler.sql(try request.checked(), .fetch)
                == #"SELECT "Rim"."_id", "Rim"."worn", "Rim"."auto" FROM "Rim" "#
                + #"LEFT JOIN "Auto" AS "auto" ON "auto"."_id" = "Rim"."auto" "#
                + #"ORDER BY "auto"."name" DESC NULLS FIRST, "Rim"."_id" DESC"#
                .replacing("auto", with: "auto"))
        #expect(try counted(request) == #""Rim""#)
    }

    @Test("an object is compared by the key, without a join")
    func objects() throws {
        let ann = Human()
        #expect(try counted(Request<Auto>().filter(\.owner == ann)) == #""Auto" WHERE "owner" = ?"#)
        #expect(try counted(Request<Auto>().filter(\.owner == nil)) == #""Auto" WHERE "owner" IS NULL"#)
        #expect(try counted(Request<Auto>().filter(\.maker != Firm())) == #""Auto" WHERE "maker" IS NOT ?"#)
        #expect(try counted(Request<Auto>().filter(where: { $0.owner == ann })) == #""Auto" WHERE "owner" = ?"#)
        #expect(
            try counted(Request<Auto>().filter(where: { $0.owner.town == nil }))
                == #""Auto" LEFT JOIN "Human" AS "owner" ON "owner"."_id" = "Auto"."owner" "#
                + #"WHERE "owner"."town" IS NULL"#)
    }

    @Test("the end of a one-to-one relationship that has no key is joined by the other's")
    func oneToOne() throws {
        let motor = #""Motor" JOIN "Auto" AS "auto" ON "auto"."motor" = "Motor"."_id" WHERE "#
        #expect(
            try counted(Request<Motor>().filter(\.auto == nil)) == motor.replacing(" JOIN", with: " LEFT JOIN")
                + #""auto"."_id" IS NULL"#)
        #expect(
            try counted(Request<Motor>().filter(where: { $0.auto.year > 3 })) == motor + #""auto"."year" > ?"#)
        #expect(
            try counted(Request<Motor>().filter(where: { $0.auto.tyres.count > 3 }))
                == motor + #"CASE WHEN "auto"."_id" IS NOT NULL THEN "#
                + #"(SELECT count(*) FROM "Rim" AS "t1" WHERE "t1"."auto" = "auto"."_id") END > ?"#)
    }

    @Test("a to-many relationship is asked by sub-queries, which nest")
    func toMany() throws {
        let young = Request<Human>().filter(.any(\.autos, \.year > 3 && .none(\.tyres, \.worn == true)))
        #expect(
            try counted(young)
                == #""Human" WHERE EXISTS (SELECT 1 FROM "Auto" AS "t1" WHERE "t1"."owner" = "Human"."_id" "#
                + #"AND ("t1"."year" > ? AND NOT EXISTS (SELECT 1 FROM "Rim" AS "t2" "#
                + #"WHERE "t2"."auto" = "t1"."_id" AND "t2"."worn" = ?)))"#)
        #expect(
            try counted(Request<Human>().filter(.all(\.autos, \.year > 3)))
                == #""Human" WHERE NOT EXISTS (SELECT 1 FROM "Auto" AS "t1" WHERE "t1"."owner" = "Human"."_id" "#
                + #"AND ("t1"."year" > ?) IS NOT TRUE)"#)
        #expect(
            try counted(Request<Human>().filter(.count(\.autos) > 3))
                == #""Human" WHERE (SELECT count(*) FROM "Auto" AS "t1" WHERE "t1"."owner" = "Human"."_id") > ?"#)
    }

    @Test("through a join table, its pairs are enough where nothing is asked of the objects")
    func joinTables() throws {
        #expect(
            try counted(Request<Auto>().filter(.isEmpty(\.tags)))
                == #""Auto" WHERE NOT EXISTS (SELECT 1 FROM "Auto_tags" AS "t1" WHERE "t1"."autos" = "Auto"."_id")"#)
        #expect(
            try counted(Request<Auto>().filter(where: { $0.tags.contains { $0.name == "red" } }))
                == #""Auto" WHERE EXISTS (SELECT 1 FROM "Auto_tags" AS "t1" JOIN "Tag" AS "t2" "#
                + #"ON "t2"."_id" = "t1"."tags" WHERE "t1"."autos" = "Auto"."_id" AND "t2"."name" = ?)"#)
    }

    @Test("a to-many relationship beyond a hop needs the hop's key only")
    func beyondHops() throws {
        #expect(
            try counted(Request<Auto>().filter(where: { $0.owner.autos.contains { $0.owner.town.name == "Bonn" } }))
                == #""Auto" WHERE EXISTS (SELECT 1 FROM "Auto" AS "t1" "#
                + #"JOIN "Human" AS "t1.owner" ON "t1.owner"."_id" = "t1"."owner" "#
                + #"JOIN "Town" AS "t1.owner.town" ON "t1.owner.town"."_id" = "t1.owner"."town" "#
                + #"WHERE "t1"."owner" = "Auto"."owner" AND "t1.owner.town"."name" = ?)"#)
        #expect(
            try counted(Request<Auto>().filter(where: { $0.owner.autos.isEmpty }))
                == #""Auto" WHERE "owner" IS NOT NULL "#
                + #"AND NOT EXISTS (SELECT 1 FROM "Auto" AS "t1" WHERE "t1"."owner" = "Auto"."owner")"#)
    }

    @Test("the objects of one relationship are found by their key, in the order that the relationship keeps")
    func members() throws {
        let human = Human()
        let auto = Auto()
        #expect(
            try sql(human.request(\.autos).filter(\.year > 3 || \.year == nil))
                == #"WHERE "owner" = ? AND ("year" > ? OR "year" IS NULL) ORDER BY "_id""#)
        #expect(try sql(auto.request(\.tyres)) == #"WHERE "auto" = ? ORDER BY "auto_position", "_id""#)
        #expect(try sql(auto.request(\.tyres).sort(\.worn)) == #"WHERE "auto" = ? ORDER BY "worn", "_id""#)
        #expect(
            try sql(human.request(\.wishes).filter(where: { $0.owner.age > 3 }))
                == #"JOIN "Human_wishes" AS "members" ON "members"."wishes" = "Auto"."_id" "#
                + #"JOIN "Human" AS "owner" ON "owner"."_id" = "Auto"."owner" "#
                + #"WHERE "members"."Human" = ? AND "owner"."age" > ? ORDER BY "members"."position", "Auto"."_id""#)
        #expect(try arguments(human.request(\.wishes).filter(\.year > 3).limit(5)).count == 3)
    }

    @Test("names with dots lead through relationships")
    func names() throws {
        let byName = Request<Auto>().filter("owner.town.name", contains: "o").filter("tyres.count", greaterThan: 3)
            .filter("owner.autos.count", oneOf: [1, 2]).sort("owner.age", ascending: false).sort("tags.count")
        let byPath = Request<Auto>().filter(where: {
            $0.owner.town.name.contains("o") && $0.tyres.count > 3 && $0.owner.autos.count.oneOf([1, 2])
        }).sort(by: { $0.owner.age }, .descending).sort(.count(\.tags))
        #expect(try sql(byName) == sql(byPath))
        #expect(try arguments(byName) == arguments(byPath))
        #expect(
            try counted(Request<Auto>().filter("owner", equalTo: nil).filter("owner.boss", equalTo: Human()))
                == #""Auto" JOIN "Human" AS "owner" ON "owner"."_id" = "Auto"."owner" "#
                + #"WHERE "Auto"."owner" IS NULL AND "owner"."boss" = ?"#)
    }

    @Test("no table of a statement is called like another, whatever relationships are called")
    func aliases() throws {
        let ways = Request<Knot>().filter(where: {
            $0.knot.name == "a" && $0.t1.knots.contains { $0.t1.name == "b" } && $0.t2.name == "c"
        })
        #expect(
            try counted(ways)
                == #""Knot" JOIN "Knot" AS "knot_" ON "knot_"."_id" = "Knot"."knot" "#
                + #"JOIN "Knot" AS "t2" ON "t2"."_id" = "Knot"."t2" "#
                + #"WHERE "knot_"."name" = ? AND EXISTS (SELECT 1 FROM "Knot" AS "t1" "#
                + #"JOIN "Knot" AS "t1.t1" ON "t1.t1"."_id" = "t1"."t1" "#
                + #"WHERE "t1"."knot" = "Knot"."t1" AND "t1.t1"."name" = ?) AND "t2"."name" = ?"#)
        let clash = Request<Knot>().filter(where: { $0.t1.name == "a" && $0.knots.count > 3 })
        #expect(
            try counted(clash)
                == #""Knot" JOIN "Knot" AS "t1" ON "t1"."_id" = "Knot"."t1" WHERE "t1"."name" = ? "#
                + #"AND (SELECT count(*) FROM "Knot" AS "t1_" WHERE "t1_"."knot" = "Knot"."_id") > ?"#)
    }

    @Test("requests that differ in values only have one shape, and other ways other ones")
    func shapes() throws {
        func key(_ request: Request<Auto>) throws -> ShapeKey {
            QueryCompiler.shape(try request.checked(), .fetch)
        }
        func request(_ name: String) -> Request<Auto> {
            Request<Auto>().filter(where: { $0.owner.name == name && $0.tyres.count > name.count })
        }
        #expect(try key(request("a")) == key(request("b")))
        let one = Request<Auto>()
        let others = [
            one.filter("owner.name", equalTo: ""), one.filter("maker.name", equalTo: ""),
            one.filter("name", equalTo: ""),
            one.filter("owner.boss.name", equalTo: ""), one.filter("owner.town.name", equalTo: ""),
            one.filter("tyres.count", equalTo: 1), one.filter("tags.count", equalTo: 1), one.filter(.isEmpty(\.tags)),
            one.filter(!.isEmpty(\.tags)), one.filter(.any(\.tags, \.name == "")),
            one.filter(.all(\.tags, \.name == "")),
            Human().request(\.autos), Human().request(\.wishes), Tag().request(\.autos), one,
        ]
        #expect(try Set(others.map(key)).count == others.count)
    }
}

/// Relationships called like the entity, and like tables of sub-queries.
private final class Knot: QueriedEntity {
    var name = ""
    var knot: Knot?
    var t1: Knot?
    var t2: Knot?
    var knots: [Knot] = []

    static let entity = EntityDescription(Knot.self, name: "Knot") { entity in
        entity.attribute("name", \Knot.name)
        entity.relationship("knot", \Knot.knot, inverse: \Knot.knots)
        entity.relationship("t1", \Knot.t1)
        entity.relationship("t2", \Knot.t2)
        entity.relationship("knots", \Knot.knots, inverse: \Knot.knot)
    }
    let kernelState = KernelState()
    init() {}
    init(row: Row) throws {}
}
