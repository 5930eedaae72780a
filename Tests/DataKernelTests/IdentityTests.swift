import DataKernelTesting
import Testing

@testable import DataKernel

@Suite("Identity")
struct IdentityTests {
    @Test("a row is one object in a context")
    func oneObject() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        try storage.perform(ephemeral: true) { context, _ in
            let first = try context.fetch(Request<Car>().sort("model"))
            let second = try context.fetch(Request<Car>().sort("model", ascending: false))
            #expect(first as [AnyObject] == second.reversed() as [AnyObject])
            let acquired: Car = try context.acquire("A")
            let byID: Car? = try context.object(with: first[0].objectID)
            #expect(acquired === first[0] && byID === first[0])
        }
    }

    @Test("contexts hold unchanged objects weakly and changed ones strongly")
    func holding() throws {
        let storage = try garage()
        try storage.save((0..<100).map { "car \($0)" })
        try storage.perform(ephemeral: true) { context, save in
            let session = try #require(context as? UnitContext).session(Car.self)
            _ = try context.fetch(Request<Car>())
            #expect(session.objects.count == 0)
            for car in try context.fetch(Request<Car>().sort("model").limit(3)) { car.year = 1999 }
            #expect(session.objects.count == 3)
            try save()
            #expect(session.objects.count == 0)
        }
        #expect(try storage.read { try $0.count(Request<Car>().filter("year", equalTo: 1999)) } == 3)
    }

    @Test("ids are permanent from create on and never given out twice")
    func ids() throws {
        let folder = try Folder()
        var seen: Set<Int64> = []
        for _ in 0..<3 {
            let storage = try folder.storage()
            let (rolledBack, saved) = try storage.perform(ephemeral: true) { context, save in
                let lost = try context.create(Wheel.self).objectID
                try context.rollback()
                let wheel = try context.create(Wheel.self)
                let id = wheel.objectID
                try save()
                #expect(wheel.objectID == id)
                try context.remove(wheel)
                try save()
                return (lost.row, id.row)
            }
            #expect(seen.insert(rolledBack).inserted && seen.insert(saved).inserted)
        }
    }

    @Test("ids that were reserved inside a transaction stay reserved when it is rolled back")
    func reservedInside() throws {
        let folder = try Folder()
        let first = try folder.storage()
        let rows = try first.perform(ephemeral: true) { context, _ in
            // A query opens the transaction; more than a block of ids is then needed inside it.
            _ = try context.count(Request<Wheel>())
            return try (0..<200).map { _ in try context.create(Wheel.self).objectID.row }
        }
        let second = try folder.storage()
        let others = try second.perform(ephemeral: true) { context, save in
            let rows = try (0..<200).map { _ in try context.create(Wheel.self).objectID.row }
            try save()
            return rows
        }
        #expect(Set(rows).isDisjoint(with: others))
        #expect(Set(rows).count == 200 && Set(others).count == 200)
    }

    @Test("ids that were reserved behind a wipe without a savepoint stay reserved when the unit is undone")
    func reservedBehindWipe() throws {
        struct Mishap: Error {}
        let folder = try Folder()
        let recorder = SQLRecorder()
        let first = try folder.storage(options: recorder.options())
        let old = try first.perform(ephemeral: true) { context, save in
            let row = try context.create(Wheel.self).objectID.row
            try save()
            return row
        }
        nonisolated(unsafe) var rows: Set<Int64> = []
        let statements = recorder.record {
            #expect(throws: Mishap.self) {
                try first.perform(ephemeral: true) { context, _ in
                    #expect(try context.wipe(Wheel.self) == 1)
                    for _ in 0..<300 { rows.insert(try context.create(Wheel.self).objectID.row) }
                    _ = try context.count(Request<Wheel>())
                    throw Mishap()
                }
            }
        }
        // The savepoint goes before the deletion: keeping what it could bring back costs a third of that.
        let release = try #require(statements.firstIndex(of: "RELEASE kernel_0"))
        let deletion = try #require(statements.firstIndex(of: #"DELETE FROM "Wheel""#))
        #expect(release < deletion)
        let second = try folder.storage()
        let others = try second.perform(ephemeral: true) { context, save in
            // The wipe was undone.
            #expect(try context.fetch(Request<Wheel>()).map(\.objectID.row) == [old])
            let rows = try (0..<300).map { _ in try context.create(Wheel.self).objectID.row }
            try save()
            return rows
        }
        #expect(rows.count == 300 && rows.isDisjoint(with: others) && !others.contains(old))
    }

    @Test("an object of another context is refused, and found by its id")
    func foreignObject() throws {
        let storage = try garage()
        try storage.save(["A"])
        try storage.perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("A")
            try context.perform { child, save in
                #expect(throws: KernelError.self) { try child.remove(car) }
                #expect(throws: KernelError.self) { try child.insert(car) }
                let mine: Car? = try child.object(with: car.objectID)
                #expect(mine?.model == "A" && mine !== car)
            }
            #expect(throws: KernelError.self) { let _: Wheel? = try context.object(with: car.objectID) }
        }
    }

    @Test("objects of the program's own are inserted with their values, with the class's own initialiser")
    func insert() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            let car = Car()
            car.model = "own"
            #expect(car.objectID.row == 0 && !car.isInserted)
            try context.insert(car)
            try context.insert(car)
            #expect(car.isInserted && car.objectID.row > 0)
            try save()
        }
        #expect(try storage.models() == ["own"])
    }

    @Test("a table that keeps its objects gives all of them up, and works as before", arguments: [10, 5000])
    func keepingTable(rows: Int64) {
        final class Thing {}
        var map = IdentityMap(.strong)
        nonisolated(unsafe) weak var first: Thing?
        for row in 1...rows {
            let thing = Thing()
            if row == 1 { first = thing }
            map.insert(thing, at: row)
        }
        #expect(first != nil && map[1] === first)
        do {
            let taken = map.takeAll()
            #expect(
                taken.unreferenced.count + taken.others.count == Int(rows) && taken.rows.count == taken.others.count)
            #expect(map.count == 0 && map.rows.isEmpty && map[1] == nil)
        }
        #expect(first == nil)
        let things = (0..<rows).map { _ in Thing() }
        for row in 0..<rows { map.insert(things[Int(row)], at: row) }
        #expect((0..<rows).allSatisfy { map[$0] === things[Int($0)] } && map.count == things.count)
    }

    @Test(
        "the table of objects finds, replaces and removes under random use", arguments: [300, 20_000],
        [IdentityMap.Holding.unowned, .strong, .weak])
    func identityMap(rows: Int64, holding: IdentityMap.Holding) {
        final class Thing {}
        var random = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: .min ... .max, using: &random)
        var generator = SeededGenerator(seed: seed)
        var map = IdentityMap(holding)
        var model: [Int64: Thing] = [:]
        for _ in 0..<rows * 2 + 20_000 {
            let row = Int64.random(in: 0..<rows, using: &generator) * (Bool.random(using: &generator) ? 1 : 4096)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1:
                let thing = Thing()
                map.insert(thing, at: row)
                model[row] = thing
            case 2:
                // An object that is held weakly need not be taken out: it ends.
                if holding != .weak || Bool.random(using: &generator) { map.remove(row) }
                model[row] = nil
            default:
                #expect(map[row] === model[row], "seed \(seed)")
            }
        }
        #expect(map.rows == model.keys.sorted(), "seed \(seed)")
        map.purge()
        #expect(map.rows == model.keys.sorted() && map.count == model.count, "seed \(seed)")
        var seen = 0
        map.forEach { _ in seen += 1 }
        #expect(seen == model.count, "seed \(seed)")
        for row in model.keys { map.remove(row) }
        #expect(map.rows.isEmpty && map.count == 0, "seed \(seed)")
    }

    @Test("a table that holds its objects weakly does not grow with those that ended")
    func weakTable() {
        final class Thing {}
        var map = IdentityMap(.weak)
        let kept = Thing()
        map.insert(kept, at: 0)
        for row in 1...100_000 as ClosedRange<Int64> {
            map.insert(Thing(), at: row)
            #expect(map.count <= 8)
        }
        #expect(map[0] === kept && map[100_000] == nil && map.rows == [0])
    }
}
