import KernelSQL
import Testing

@testable import DataKernel

/// SplitMix64: the same numbers for the same seed.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite("Requests through relationships find what Swift finds")
struct RelatedWorldTests {
    @Test("in worlds at random, for conditions at random", arguments: 1...6)
    func worlds(seed: UInt64) throws {
        var random = Seeded(state: seed)
        let world = RelatedWorld(&random)
        let store = try RelatedStore(world)
        var (someFound, notAll) = (0, 0)
        var known: [ShapeKey: String] = [:]
        for round in 0..<150 {
            let claim = Claim.tree(world, &random, levels: round % 4)
            let request = Request<Auto>().filter(claim.condition)
            let expected = world.autos.filter(claim.holds).map(\.objectID.row)
            let sql = QueryCompiler.sql(try request.checked(), .ids)
            #expect(try store.run(request) == expected, "seed \(seed), round \(round): \(sql)")
            let query = try request.checked()
            #expect(known.updateValue(sql, forKey: QueryCompiler.shape(query, .ids)) ?? sql == sql)
            #expect(query.arguments.count == sql.filter { $0 == "?" }.count)
            #expect(try store.run(request, .count) == [Int64(expected.count)])
            #expect(try store.run(request, .exists) == [expected.isEmpty ? 0 : 1])
            let page = try store.run(request.limit(2).offset(1))
            #expect(page == Array(expected.dropFirst().prefix(2)))
            #expect(try store.run(request.limit(2).offset(1), .count) == [Int64(page.count)])
            if !expected.isEmpty { someFound += 1 }
            if expected.count < world.autos.count { notAll += 1 }
        }
        #expect(someFound > 50 && notAll > 50)
    }

    @Test("each kind of condition, for itself", arguments: 1...4)
    func leaves(seed: UInt64) throws {
        var random = Seeded(state: seed &* 1_000)
        let world = RelatedWorld(&random)
        let store = try RelatedStore(world)
        for _ in 0..<200 {
            let claim = Claim.leaf(world, &random)
            let request = Request<Auto>().filter(claim.condition)
            let expected = world.autos.filter(claim.holds).map(\.objectID.row)
            let sql = QueryCompiler.sql(try request.checked(), .ids)
            #expect(try store.run(request) == expected, "seed \(seed): \(sql)")
            #expect(
                try store.run(Request<Auto>().filter(!claim.condition))
                    == world.autos.filter { !claim.holds($0) }.map(\.objectID.row), "seed \(seed), not: \(sql)")
        }
    }

    @Test("the objects of one relationship, filtered, paged and in its order", arguments: 1...4)
    func members(seed: UInt64) throws {
        var random = Seeded(state: seed)
        let world = RelatedWorld(&random)
        let store = try RelatedStore(world)
        func rows(_ objects: [some Entity]) -> [Int64] { objects.map(\.objectID.row) }
        for human in world.humans {
            #expect(try store.run(human.request(\.autos)) == rows(human.autos))
            #expect(try store.run(human.request(\.wishes)) == rows(human.wishes))
            #expect(
                try store.run(human.request(\.wishes).limit(1).offset(1))
                    == rows(Array(human.wishes.dropFirst().prefix(1))))
            #expect(try store.run(human.request(\.wishes), .count) == [Int64(human.wishes.count)])
            #expect(try store.run(human.request(\.friends)) == rows(human.friends).sorted())
            let young = human.request(\.friends).filter(where: { $0.town.name == "Bonn" || $0.autos.count > 1 })
            let expected = human.friends.filter { $0.town?.name == "Bonn" || $0.autos.count > 1 }
            #expect(try store.run(young) == rows(expected).sorted())
        }
        for auto in world.autos {
            #expect(try store.run(auto.request(\.tyres)) == rows(auto.tyres))
            #expect(try store.run(auto.request(\.tyres).filter(\.worn == true)) == rows(auto.tyres.filter(\.worn)))
            #expect(try store.run(auto.request(\.tags)) == rows(auto.tags).sorted())
        }
        for tag in world.tags { #expect(try store.run(tag.request(\.autos)) == rows(tag.autos)) }
    }

    @Test("sorted through relationships, with nils where they were asked for", arguments: 1...4)
    func sorts(seed: UInt64) throws {
        var random = Seeded(state: seed)
        let world = RelatedWorld(&random)
        let store = try RelatedStore(world)
        /// By key, nil first, then by row.
        func expected<K: Comparable>(_ key: (Auto) -> K?) -> [Int64] {
            world.autos.sorted { left, right in
                switch (key(left), key(right)) {
                case (nil, nil): left.kernelState.row < right.kernelState.row
                case (nil, _): true
                case (_, nil): false
                case (let a?, let b?): a == b ? left.kernelState.row < right.kernelState.row : a < b
                }
            }.map(\.objectID.row)
        }
        #expect(try store.run(Request<Auto>().sort(by: { $0.owner.name })) == expected { $0.owner?.name })
        #expect(try store.run(Request<Auto>().sort("owner.town.name")) == expected { $0.owner?.town?.name })
        #expect(try store.run(Request<Auto>().sort(.count(\.tyres))) == expected { $0.tyres.count })
        #expect(try store.run(Request<Auto>().sort("owner.autos.count")) == expected { $0.owner?.autos.count })
        let last = try store.run(Request<Auto>().sort(by: { $0.owner.age }, nils: .last))
        let nils = world.autos.filter { $0.owner?.age == nil }.map(\.objectID.row)
        #expect(Array(last.suffix(nils.count)) == nils)
        let pages = try (0..<3).flatMap { try store.run(Request<Auto>().sort("owner.name").limit(3).offset($0 * 3)) }
        #expect(pages == expected { $0.owner?.name })
    }

    @Test("by the other end of a one-to-one relationship")
    func oneToOne() throws {
        var random = Seeded(state: 6)
        let world = RelatedWorld(&random)
        let store = try RelatedStore(world)
        let alone = world.motors.filter { $0.auto == nil }.map(\.objectID.row)
        #expect(try store.run(Request<Motor>().filter(\.auto == nil)) == alone)
        #expect(!alone.isEmpty && alone.count < world.motors.count)
        for auto in world.autos {
            let own = world.motors.filter { $0.auto === auto }.map(\.objectID.row)
            #expect(try store.run(Request<Motor>().filter(\.auto == auto)) == own)
            #expect(try store.run(Request<Motor>().filter(.oneOf(\.auto, [auto]))) == own)
            let named = world.motors.filter { $0.auto?.owner?.name == auto.owner?.name }.map(\.objectID.row)
            #expect(try store.run(Request<Motor>().filter(where: { $0.auto.owner.name == auto.owner?.name })) == named)
        }
    }
}
