import KernelSQL
import Testing

@testable import DataKernel

@Suite("How SQLite goes about requests through relationships")
struct RelatedPlanTests {
    /// 300 cars of 100 people, and what SQLite has to know of them.
    private func store() throws -> RelatedStore {
        let store = try RelatedStore(RelatedWorld(empty: ()))
        try store.connection.execute(
            """
            INSERT INTO "Firm" VALUES (1, 'F');
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            INSERT INTO "Human" SELECT i, 'H' || i, i, NULL, NULL FROM n;
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            INSERT INTO "Auto" SELECT i, 'A' || i, i, '1', i / 3 + 1, 1, NULL FROM n WHERE i < 300;
            """)
        return store
    }

    @Test("a condition that nil does not meet turns the join round: the index on the name finds the person first")
    func indexDrives() throws {
        let store = try store()
        for request in [
            Request<Auto>().filter(where: { $0.owner.name == "H7" }),
            Request<Auto>().filter(where: { $0.owner.name.oneOf(["H7", "H8"]) && $0.year > 3 }),
            Request<Auto>().filter(where: { $0.owner.name.beginsWith("H7") }),
        ] {
            let lines = try store.plan(request, .count).split(separator: "\n")
            #expect(lines.first?.hasPrefix("SEARCH owner USING") == true, "\(lines)")
            #expect(lines.contains { $0.hasPrefix("SEARCH Auto USING") && $0.contains("(owner=?)") }, "\(lines)")
        }
        #expect(try store.run(Request<Auto>().filter(where: { $0.owner.name == "H7" })) == [18, 19, 20])
    }

    @Test("!= keeps the rows without an owner, so it looks at all, and at each owner by id")
    func notEqual() throws {
        let plan = try store().plan(Request<Auto>().filter(where: { $0.owner.name != "H7" }), .count)
        #expect(plan.contains("SCAN Auto") && plan.contains("SEARCH owner USING INTEGER PRIMARY KEY"), "\(plan)")
    }

    @Test("sub-queries and the objects of one relationship use the key's index")
    func keys() throws {
        let store = try store()
        let human = Human()
        human.kernelState.row = 7
        for plan in [
            try store.plan(Request<Human>().filter(.count(\.autos) > 2), .count),
            try store.plan(Request<Human>().filter(where: { $0.autos.contains { $0.year > 3 } }), .count),
            try store.plan(human.request(\.autos).filter(\.year > 3), .fetch),
        ] {
            #expect(plan.contains("(owner=?)"), "\(plan)")
        }
        #expect(try store.run(human.request(\.autos)) == [18, 19, 20])
        let wishes = try store.plan(human.request(\.wishes), .fetch)
        #expect(wishes.contains("SEARCH members USING PRIMARY KEY (Human=?)"), "\(wishes)")
        #expect(wishes.contains("SEARCH Auto USING INTEGER PRIMARY KEY"), "\(wishes)")
    }

    @Test("conditions nest as deep as is allowed, and one level more is an error")
    func depth() throws {
        let store = try store()
        func mixed(_ levels: Int) -> Condition<Human> {
            levels == 0 ? \.age > 3 : .all(\.friends, .any(\.friends, \.name != "x") && mixed(levels - 1))
        }
        func chain(_ levels: Int) -> Condition<Human> {
            levels == 0 ? \.boss == nil : !.any(\.friends, \.name == "x" || chain(levels - 1))
        }
        for (nested, least) in [(mixed, 3), (chain, 4)] {
            let deepest = (1...10).last { (try? Request<Human>().filter(nested($0)).checked()) != nil } ?? 0
            #expect(deepest >= least)
            #expect(try store.run(Request<Human>().filter(nested(deepest)), .count) == [100])
            #expect(throws: KernelError.self) { try store.run(Request<Human>().filter(nested(deepest + 1))) }
        }
    }
}

extension RelatedWorld {
    fileprivate init(empty: Void) {}
}
