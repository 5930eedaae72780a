import DataKernel
import DataKernelTesting
import Foundation
import Testing

/// What was done and undone is nothing: a save of it runs no statement that writes, and commits nothing.
@Suite("A save of nothing")
struct EmptySaveTests {
    /// Objects of the store that the detours change.
    struct Cast {
        let (ship, other): (Ship, Ship)
        let (home, away): (Port, Port)
        let (ann, bob): (Sailor, Sailor)

        init(_ context: any Context) throws {
            let ships = try context.acquire(Ship.self, all: ["S", "T"])
            let ports = try context.acquire(Port.self, all: ["Home", "Away"])
            let sailors = try context.acquire(Sailor.self, all: ["Ann", "Bob"])
            (ship, other) = (ships[0], ships[1])
            (home, away) = (ports[0], ports[1])
            (ann, bob) = (sailors[0], sailors[1])
            // Loaded, so that the detours need no query.
            for ship in ships { _ = (ship.port, ship.crates, ship.calls, ship.stops, ship.tender, ship.captain) }
            for port in ports { _ = (port.ships, port.children, port.callers, port.natives) }
            for sailor in sailors { _ = (sailor.friends, sailor.home) }
        }
    }

    /// Something that leaves all as it was. A query in the middle of it puts the first half into the transaction.
    struct Detour: Sendable, CustomTestStringConvertible {
        typealias Run = @Sendable (any Context, Cast, (any Context) throws -> Void) throws -> Void
        let testDescription: String
        let run: Run

        init(_ name: String, _ run: @escaping Run) {
            testDescription = name
            self.run = run
        }
    }

    static let detours: [Detour] = [
        Detour("create and remove") { context, _, query in
            let ship = try context.create(Ship.self)
            try query(context)
            try context.remove(ship)
        },
        Detour("create, relate and remove") { context, cast, query in
            let ship = try context.create(Ship.self)
            ship.port = cast.home
            ship.stops = [cast.home]
            ship.calls = [cast.home]
            try query(context)
            try context.remove(ship)
        },
        Detour("create parent and child, and remove the parent with it") { context, cast, query in
            let port = try context.create(Port.self)
            let child = try context.create(Port.self)
            child.name = "new"
            port.children = [child]
            try query(context)
            try context.remove(port)
            try query(context)
            #expect(port.isDeleted)
        },
        Detour("relate objects to a new one, and remove that") { context, cast, query in
            let port = try context.create(Port.self)
            cast.other.port = port
            cast.other.stops = [port]
            port.callers = [cast.other]
            try query(context)
            try context.remove(port)
            try query(context)
            #expect(cast.other.stops.isEmpty && cast.other.calls.isEmpty)
        },
        Detour("set an attribute and set it back") { context, cast, query in
            cast.ship.size = 7
            try query(context)
            cast.ship.size = 0
        },
        Detour("set a to-one and set it back") { context, cast, query in
            cast.ship.port = nil
            cast.ship.captain = cast.bob
            try query(context)
            cast.ship.port = cast.home
            cast.ship.captain = nil
        },
        Detour("change a to-many and change it back") { context, cast, query in
            let ships = cast.home.ships
            #expect(ships.count == 1)
            cast.home.ships = []
            try query(context)
            cast.home.ships = ships
        },
        Detour("change an order and change it back") { context, cast, query in
            let (crates, calls) = (cast.ship.crates, cast.ship.calls)
            #expect(crates.count == 2 && calls.count == 2)
            cast.ship.crates = crates.reversed()
            cast.ship.calls = calls.reversed()
            try query(context)
            cast.ship.crates = crates
            cast.ship.calls = calls
        },
        Detour("make a pair and unmake it") { context, cast, query in
            cast.ann.friends = [cast.bob]
            try query(context)
            cast.ann.friends = []
        },
        Detour("unmake a pair and make it") { context, cast, query in
            let stops = cast.ship.stops
            #expect(stops.count == 1)
            cast.ship.stops = []
            try query(context)
            cast.ship.stops = stops
        },
        Detour("a nested unit that saved nothing, and one that threw") { context, _, query in
            try context.perform { child, _ in
                try child.create(Ship.self).size = 9
                try query(child)
            }
            #expect(throws: Mishap.self) {
                try context.perform { child, _ in
                    _ = try child.create(Ship.self)
                    throw Mishap()
                }
            }
            try query(context)
        },
        Detour("a change that is rolled back") { context, cast, query in
            cast.ship.size = 9
            cast.ship.crates = []
            try query(context)
            try context.rollback()
        },
    ]

    private static func query(_ context: any Context) throws { _ = try context.count(Request<Port>()) }

    private func fleet(_ folder: Folder, _ options: StorageOptions) throws -> SQLiteStorage {
        let storage = try SQLiteStorage(
            store: .url(folder.file()), model: [Port.self, Ship.self, Sailor.self, Crate.self], options: options)
        try storage.unit { context in
            let home = try context.acquire(Port.self, "Home")
            let ship = try context.acquire(Ship.self, "S")
            let ann = try context.acquire(Sailor.self, "Ann")
            for name in ["T", "U"] { _ = try context.acquire(Ship.self, name) }
            for sailor in [ann, try context.acquire(Sailor.self, "Bob")] { sailor.birthplace = home }
            ship.port = home
            ship.stops = [home]
            ship.calls = [home, try context.acquire(Port.self, "Away")]
            ship.crates = try context.acquire(Crate.self, all: ["a", "b"])
            for crate in ship.crates { crate.owner = ann }
        }
        return storage
    }

    @Test("writes nothing and begins no transaction", arguments: detours)
    func unflushed(detour: Detour) throws {
        let (folder, recorder) = (try Folder(), SQLRecorder())
        let storage = try fleet(folder, recorder.options())
        try storage.perform(ephemeral: true) { context, save in
            let cast = try Cast(context)
            // Ends the transaction that the queries began.
            cast.bob.size = 1
            try save()
            let statements = try recorder.record {
                try detour.run(context, cast) { _ in }
                #expect(!context.hasChanges && context.updatedObjects.isEmpty && context.removedObjects.isEmpty)
                try save()
                #expect(!context.hasChanges && context.insertedObjects.isEmpty)
            }
            #expect(statements == [])
        }
    }

    @Test("undoes in the transaction what a query put there, and commits nothing", arguments: detours)
    func flushed(detour: Detour) throws {
        let (folder, recorder) = (try Folder(), SQLRecorder())
        let storage = try fleet(folder, recorder.options())
        let size = try logSize(folder)
        try storage.perform(ephemeral: true) { context, save in
            try detour.run(context, try Cast(context), Self.query)
            let statements = try recorder.record { try save() }
            #expect(!statements.contains { $0.hasPrefix("COMMIT") }, "\(statements)")
            #expect(!context.hasChanges && context.updatedObjects.isEmpty && context.removedObjects.isEmpty)
        }
        #expect(try logSize(folder) == size)
    }

    @Test("from the save context, too, and what comes after it is saved", arguments: detours)
    func saveContext(detour: Detour) throws {
        let (folder, recorder) = (try Folder(), SQLRecorder())
        let storage = try fleet(folder, recorder.options())
        for isQueried in [false, true] {
            try storage.perform(ephemeral: false) { context, _ in
                try detour.run(context, try Cast(context)) { if isQueried { try Self.query($0) } }
            }
            try storage.perform(ephemeral: false) { context, save in
                let statements = try recorder.record { try save() }
                #expect(!statements.contains { $0.hasPrefix("COMMIT") }, "\(statements)")
                #expect(!context.hasChanges)
            }
        }
        try storage.perform(ephemeral: false) { context, save in
            try context.acquire(Ship.self, "U").size = 1
            #expect(context.hasChanges)
            try save()
        }
        try storage.read { context in
            let ships = try context.fetch(Request<Ship>().sort("name"))
            #expect(ships.map(\.size) == [0, 0, 1])
            #expect(ships[0].crates.map(\.name) == ["a", "b"] && ships[0].calls.map(\.name) == ["Home", "Away"])
            #expect(ships[0].port?.name == "Home" && ships[0].stops.count == 1)
            #expect(try context.count(Request<Port>()) == 2)
        }
    }

    @Test("after a failed save was mended")
    func mended() throws {
        let (folder, recorder) = (try Folder(), SQLRecorder())
        let storage = try fleet(folder, recorder.options())
        try storage.perform(ephemeral: true) { context, save in
            let ship = try context.acquire(Ship.self, "S")
            let port = try context.acquire(Port.self, "new")
            ship.name = "T"
            ship.size = 3
            try context.remove(port)
            do {
                try save()
                Issue.record("two ships have one name")
            } catch KernelError.uniqueViolation {}
            ship.name = "S"
            ship.size = 0
            let statements = try recorder.record { try save() }
            #expect(!statements.contains { $0.hasPrefix("COMMIT") }, "\(statements)")
            #expect(!context.hasChanges)
        }
    }

    @Test("does not forget what a removed new object takes along, or forbids")
    func rules() throws {
        let folder = try Folder()
        let storage = try fleet(folder, StorageOptions())
        for isQueried in [false, true] {
            try storage.perform(ephemeral: true) { context, save in
                let ship = try context.acquire(Ship.self, "new")
                let tender = try context.acquire(Ship.self, "T")
                ship.tender = tender
                if isQueried { try Self.query(context) }
                try context.remove(ship)
                try save()
                #expect(tender.isDeleted)
                _ = try context.acquire(Ship.self, "T")
                try save()
            }
            try storage.perform(ephemeral: true) { context, save in
                let port = try context.acquire(Port.self, "new")
                let ann = try context.acquire(Sailor.self, "Ann")
                ann.home = port
                if isQueried { try Self.query(context) }
                try context.remove(port)
                #expect(throws: KernelError.self) { try save() }
                ann.home = nil
                try save()
            }
            try storage.perform(ephemeral: true) { context, save in
                let parent = try context.acquire(Port.self, "new")
                let child = try context.acquire(Port.self, "Away")
                child.parent = parent
                if isQueried { try Self.query(context) }
                try context.remove(parent)
                try save()
                #expect(child.isDeleted)
                _ = try context.acquire(Port.self, "Away")
                try save()
            }
        }
        #expect(try storage.read { try $0.count(Request<Port>()) } == 2)
    }

    @Test("a removal beside a new object that is removed again deletes one row")
    func beside() throws {
        let (folder, recorder) = (try Folder(), SQLRecorder())
        let storage = try fleet(folder, recorder.options())
        try storage.perform(ephemeral: true) { context, save in
            let ships = try context.acquire(Ship.self, all: ["T", "new"])
            try context.remove(ships)
            #expect(context.hasChanges && context.removedObjects.count == 1)
            let statements = try recorder.record { try save() }
            #expect(statements.contains(#"DELETE FROM "Ship" WHERE "_id" = ?"#))
        }
    }

    private func logSize(_ folder: Folder) throws -> Int {
        let path = folder.file().path + "-wal"
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? -1
    }
}
