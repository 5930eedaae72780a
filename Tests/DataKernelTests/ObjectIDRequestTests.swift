import DataKernel
import DataKernelTesting
import Foundation
import KernelSQL
import Testing

@Entity
final class Vessel {
    @Attribute(.primaryKey) var name = ""
    var length = 0
    @Relationship(.nullify, inverse: "ships") var captain: Skipper?
    @Relationship(.nullify) var sister: Vessel?
}

@Entity
final class Skipper {
    var name = ""
    @Relationship(.nullify) var home: Quay?
    @Relationship(.nullify, inverse: "captain") var ships: [Vessel]
}

@Entity
final class Quay {
    var name = ""
}

private protocol Named: Entity {
    var name: String { get }
}

extension Vessel: Named {}

@Suite("Ids in requests")
struct ObjectIDRequestTests {
    /// Ships A to D; Ann has A and B, Bob has C, nobody D; Ann lives in Kiel. A and B are sisters of C, and C of itself.
    private struct Fleet {
        let storage: SQLiteStorage
        var ships: [ObjectID] = []
        var ann: ObjectID
        var bob: ObjectID
        var kiel: ObjectID

        init(_ options: StorageOptions = StorageOptions()) throws {
            storage = try SQLiteStorage(
                store: .memory, model: [Vessel.self, Skipper.self, Quay.self], options: options)
            (ships, ann, bob, kiel) = try storage.perform(ephemeral: true) { context, save in
                let (ann, bob) = (try context.create(Skipper.self), try context.create(Skipper.self))
                let kiel = try context.create(Quay.self)
                ann.home = kiel
                let ships: [Vessel] = try context.acquire(all: ["A", "B", "C", "D"])
                for ship in ships[..<2] { ship.captain = ann }
                ships[2].captain = bob
                for ship in ships[..<3] { ship.sister = ships[2] }
                try save()
                return (ships.map(\.objectID), ann.objectID, bob.objectID, kiel.objectID)
            }
        }

        func names(_ request: Request<Vessel>) throws -> String {
            try storage.read { try $0.fetch(request).map(\.name).joined() }
        }

        func names(_ condition: Condition<Vessel>) throws -> String { try names(Request<Vessel>().filter(condition)) }
    }

    private func fault<E: Entity>(_ request: Request<E>) -> String? {
        do {
            _ = try request.checked()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("the object's own id is compared, listed and sorted by, in every spelling")
    func own() throws {
        let fleet = try Fleet()
        let (a, b) = (fleet.ships[0], fleet.ships[1])
        #expect(try fleet.names(\.objectID == a) == "A")
        #expect(try fleet.names(\.objectID != a) == "BCD")
        #expect(try fleet.names(.oneOf(\.objectID, [b, a])) == "AB")
        #expect(try fleet.names(!.oneOf(\.objectID, [b, a]) && \.length == 0) == "CD")
        #expect(try fleet.names(.oneOf(\.objectID, fleet.ships + fleet.ships)) == "ABCD")
        #expect(
            try fleet.names(Request<Vessel>().filter(where: { $0.objectID == a || $0.objectID.oneOf([b]) })) == "AB")
        #expect(try fleet.names(Request<Vessel>().filter("objectID", equalTo: a)) == "A")
        #expect(try fleet.names(Request<Vessel>().filter("objectID", notEqualTo: a)) == "BCD")
        #expect(try fleet.names(Request<Vessel>().filter("objectID", oneOf: [a, b])) == "AB")
        #expect(try fleet.names(Request<Vessel>().filter("objectID", greaterThan: b)) == "CD")
        #expect(try fleet.names(Request<Vessel>().sort(\.objectID, .descending)) == "DCBA")
        #expect(try fleet.names(Request<Vessel>().sort("objectID", ascending: false)) == "DCBA")
        #expect(try fleet.names(Request<Vessel>().sort(by: { $0.objectID })) == "ABCD")
        #expect(
            try fleet.names(Request<Vessel>().sort(by: { $0.captain.objectID }, nils: .last).sort(\.name)) == "ABCD")
    }

    @Test("the object itself is compared")
    func itself() throws {
        let fleet = try Fleet()
        try fleet.storage.read { context in
            let ships = try context.objects(with: fleet.ships[..<2], as: Vessel.self)
            func names(_ condition: Condition<Vessel>) throws -> String {
                try context.fetch(Request<Vessel>().filter(condition)).map(\.name).joined()
            }
            #expect(try names(\.self == ships[0]) == "A")
            #expect(try names(\.self != ships[0]) == "BCD")
            #expect(try names(.oneOf(\.self, ships)) == "AB")
            #expect(try names(\.self != ships[0] && \.captain == ships[0].captain) == "B")
            #expect(try context.count(Request<Vessel>().filter("objectID", notEqualTo: ships[0])) == 3)
            #expect(try names(.oneOf(\.captain, ships.compactMap(\.captain))) == "AB")
            #expect(try names(.equal(\.sister, \.objectID)) == "C")
        }
    }

    @Test("a relationship is compared with ids, in every spelling")
    func relationships() throws {
        let fleet = try Fleet()
        let (ann, bob) = (fleet.ann, fleet.bob)
        #expect(try fleet.names(\.captain == ann) == "AB")
        #expect(try fleet.names(\.captain != ann) == "CD")
        #expect(try fleet.names(\.captain == ann && \.name != "A") == "B")
        #expect(try fleet.names(.oneOf(\.captain, [ann, bob])) == "ABC")
        #expect(try fleet.names(!.oneOf(\.captain, [ann])) == "CD")
        #expect(try fleet.names(.oneOf(\.captain, [ObjectID]())) == "")
        #expect(try fleet.names(Request<Vessel>().filter(\.captain, oneOf: [bob])) == "C")
        #expect(try fleet.names(Request<Vessel>().filter("captain", equalTo: ann)) == "AB")
        #expect(try fleet.names(Request<Vessel>().filter("captain", oneOf: [ann, bob])) == "ABC")
        #expect(try fleet.names(Request<Vessel>().filter("captain.objectID", equalTo: ann)) == "AB")
        #expect(
            try fleet.names(
                Request<Vessel>().filter(where: { $0.captain == ann && $0.captain != bob && $0.length < 9 }))
                == "AB")
        #expect(
            try fleet.names(Request<Vessel>().filter(where: { $0.captain.oneOf([bob]) || $0.captain == nil })) == "CD")
        #expect(try fleet.names(Request<Vessel>().filter(where: { $0.captain.home == fleet.kiel })) == "AB")
        #expect(try fleet.names(Request<Vessel>().filter(where: { $0.captain.home != fleet.kiel })) == "CD")
        #expect(try fleet.names(Request<Vessel>().filter(where: { $0.captain.objectID == ann })) == "AB")
        #expect(
            try sql(Request<Vessel>().filter(where: { $0.captain.objectID == ann }))
                == #"WHERE "captain" = ? ORDER BY "_id""#)
    }

    @Test("an id of another entity is an error that names both")
    func wrongEntity() throws {
        let fleet = try Fleet()
        let ships = Request<Vessel>()
        for request in [
            ships.filter(\.objectID == fleet.ann), ships.filter(.oneOf(\.objectID, [fleet.ships[0], fleet.ann])),
            ships.filter("objectID", equalTo: fleet.ann), ships.filter(where: { $0.objectID != fleet.ann }),
        ] {
            #expect(fault(request) == "Request<Vessel>: objectID is the id of a Vessel; it was compared with a Skipper")
        }
        for request in [
            ships.filter(\.captain == fleet.kiel), ships.filter(.oneOf(\.captain, [fleet.ann, fleet.kiel])),
            ships.filter("captain", notEqualTo: fleet.kiel), ships.filter(where: { $0.captain.oneOf([fleet.kiel]) }),
        ] {
            #expect(
                fault(request) == "Request<Vessel>: captain is a relationship to Skipper; it was compared with a Quay")
        }
        #expect(fault(ships.filter("objectID", equalTo: 3)) != nil)
        #expect(fault(ships.filter("name", equalTo: fleet.ann)) != nil)
        #expect(fault(ships.filter("ships.objectID", equalTo: fleet.ann)) != nil)
    }

    @Test("objects(with:) gives what there is in the order of the ids, by one statement for those that nobody holds")
    func objects() throws {
        let recorder = SQLRecorder()
        let fleet = try Fleet(recorder.options())
        try fleet.storage.perform(ephemeral: true) { context, save in
            try context.remove(Request<Vessel>().filter(\.name == "B"))
            try save()
        }
        let ids = [3, 1, 0, 3, 2].map { fleet.ships[$0] }
        try fleet.storage.read { context in
            let held = try #require(try context.object(with: fleet.ships[0], as: Vessel.self))
            let statements = try recorder.record {
                let ships: [Vessel] = try context.objects(with: ids)
                #expect(ships.map(\.name) == ["D", "A", "D", "C"])
                #expect(ships[1] === held && ships[0] === ships[2])
            }
            #expect(work(statements).count == 1)
            let ships = try context.objects(with: ids, as: Vessel.self)
            let again = try recorder.record {
                let found = try context.objects(with: ids[2...], as: Vessel.self)
                #expect(found.count == 3)
            }
            #expect(work(again).isEmpty)
            #expect(try context.objects(with: [], as: Vessel.self).isEmpty)
            #expect(throws: KernelError.self) { try context.objects(with: [fleet.ann], as: Vessel.self) }
            withExtendedLifetime(ships) {}
        }
        try fleet.storage.perform(ephemeral: true) { context, _ in
            let new = try context.create(Vessel.self)
            let gone = try #require(try context.object(with: fleet.ships[2], as: Vessel.self))
            try context.remove(gone)
            let found = try context.objects(with: [new.objectID] + fleet.ships, as: Vessel.self)
            #expect(found.map(\.name) == ["", "A", "D"] && found.first === new)
        }
    }

    @Test("300,000 ids are one statement")
    func many() throws {
        let recorder = SQLRecorder()
        let fleet = try Fleet(recorder.options())
        let ids = (-100...300_000).map { ObjectID(entityName: "Vessel", row: Int64($0)) }
        try fleet.storage.read { context in
            let statements = try recorder.record {
                let ships = try context.objects(with: ids, as: Vessel.self)
                #expect(ships.map(\.name) == ["A", "B", "C", "D"])
                let captains = ids.map { ObjectID(entityName: "Skipper", row: $0.row) }
                let count = try context.count(Request<Vessel>().filter(.oneOf(\.captain, captains)))
                #expect(count == 3)
            }
            #expect(work(statements).count == 2)
        }
    }

    @Test("what is no attribute names the key path and the spelling that works")
    func named() throws {
        func find<T: Named>(_ type: T.Type) -> Request<T> { Request<T>().filter(\.name == "A") }
        let message = try #require(fault(find(Vessel.self)))
        #expect(message.hasPrefix(#"Request<Vessel>: the key path \Vessel."#))
        #expect(message.contains("String") && !message.contains("0x"))
        #expect(message.contains(#"filter("name", equalTo: …)"#))
        func findByName<T: Named>(_ type: T.Type) -> Request<T> { Request<T>().filter("name", equalTo: "A") }
        #expect(try Fleet().names(findByName(Vessel.self)) == "A")
        let hop = try #require(fault(Request<Vessel>().filter(\.captain?.name == "Ann")))
        #expect(hop.contains(#"\Vessel.<"#) && hop.contains("Skipper") && !hop.contains("0x"))
        let prefetch = try #require(fault(Request<Vessel>().prefetch(\.self)))
        #expect(prefetch.contains("no relationship"))
    }
}

@Suite("Ranges and directions")
struct RangeSpellingTests {
    @Test("between takes every range that has an end, in every spelling")
    func ranges() throws {
        func same(_ sqlText: String, _ requests: Request<Truck>...) throws {
            for request in requests { #expect(try sql(request) == "WHERE \(sqlText) ORDER BY \"_id\"") }
        }
        let trucks = Request<Truck>()
        try same(
            #""year" BETWEEN ? AND ?"#, trucks.filter(.between(\.year, 1...2)), trucks.filter(\.year, between: 1...2),
            trucks.filter(where: { $0.year.between(1...2) }), trucks.filter("year", between: 1...2))
        try same(
            #""year" >= ? AND "year" < ?"#, trucks.filter(.between(\.year, 1..<2)),
            trucks.filter(\.year, between: 1..<2),
            trucks.filter(where: { $0.year.between(1..<2) }), trucks.filter("year", between: 1..<2))
        try same(
            #""year" >= ?"#, trucks.filter(.between(\.year, 1...)), trucks.filter(\.year, between: 1...),
            trucks.filter(where: { $0.year.between(1...) }), trucks.filter("year", between: 1...))
        try same(
            #""year" <= ?"#, trucks.filter(.between(\.year, ...2)), trucks.filter(\.year, between: ...2),
            trucks.filter(where: { $0.year.between(...2) }), trucks.filter("year", between: ...2))
        try same(
            #""year" < ?"#, trucks.filter(.between(\.year, ..<2)), trucks.filter(\.year, between: ..<2),
            trucks.filter(where: { $0.year.between(..<2) }), trucks.filter("year", between: ..<2))
        try same(
            #"k_decimal("price") >= k_decimal(?) AND k_decimal("price") < k_decimal(?)"#,
            trucks.filter(.between(\.price, 1..<2.5)), trucks.filter("price", between: 1..<2))
        try same(#""mark" >= ?"#, trucks.filter(.between(\.mark, "a"...)), trucks.filter("mark", between: "a"...))
        try same(#"k_fold("mark") < k_fold(?)"#, trucks.filter("mark", between: ..<"b", comparing: .insensitive))
        let start = Date(timeIntervalSinceReferenceDate: 1)
        try same(#""builtAt" >= ? AND "builtAt" < ?"#, trucks.filter(.between(\.builtAt, start..<start + 60)))
        #expect(try arguments(trucks.filter(.between(\.year, 3..<7))) == [.value(.integer(3)), .value(.integer(7))])
    }

    @Test("an order is said by a word or by a Bool, in both spellings")
    func directions() throws {
        let trucks = Request<Truck>()
        for request in [
            trucks.sort(\.year, .descending), trucks.sort(\.year, ascending: false), trucks.sort("year", .descending),
            trucks.sort("year", ascending: false), trucks.sort(by: { $0.year }, .descending),
        ] {
            #expect(try sql(request) == #"ORDER BY "year" DESC, "_id" DESC"#)
        }
        for request in [
            trucks.sort(\.year), trucks.sort(\.year, ascending: true), trucks.sort("year"),
            trucks.sort("year", .ascending),
            trucks.sort("year", ascending: true), trucks.sort(by: { $0.year }, ascending: true),
        ] {
            #expect(try sql(request) == #"ORDER BY "year", "_id""#)
        }
    }
}
