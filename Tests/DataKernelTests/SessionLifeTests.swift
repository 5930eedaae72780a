import Dispatch
import Foundation
import KernelSQLite
import Testing

@testable import DataKernel

@Suite("The life of a session")
struct SessionLifeTests {
    private struct Leaked {
        weak var session: Session?
        var cars: [Car] = []
    }

    /// Three stored cars, one that was created and one that belongs to nobody any more.
    private func leaked(ephemeral: Bool) throws -> Leaked {
        let storage = try garage()
        try storage.save(["A", "B", "C"])
        // The closure runs before perform returns.
        nonisolated(unsafe) var leaked = Leaked()
        try storage.perform(ephemeral: ephemeral) { context, save in
            let session = try #require(context as? UnitContext).session(Car.self)
            leaked.session = session
            let undone = try context.create(Car.self)
            try context.rollback()
            leaked.cars = try context.fetch(Request<Car>().sort("model"))
            let created: Car = try context.acquire("D")
            try save()
            leaked.cars += [created, undone]
            #expect(leaked.cars.map { $0.session != nil } == [true, true, true, true, false])
            // A read that finds what is there takes nothing more.
            _ = try context.fetch(Request<Car>())
        }
        return leaked
    }

    @Test("objects that outlive their context keep their session, and the last one ends it", arguments: [true, false])
    func outliving(ephemeral: Bool) throws {
        var leaked = try leaked(ephemeral: ephemeral)
        for left in stride(from: 5, to: 1, by: -1) {
            #expect(leaked.session != nil && leaked.session?.isOpen == false, "\(left) objects are left")
            leaked.cars.removeFirst()
        }
        // The last one was undone and has no session.
        #expect(leaked.session == nil && leaked.cars.count == 1)
    }

    @Test("a session without objects ends with its context", arguments: [true, false])
    func alone(ephemeral: Bool) throws {
        nonisolated(unsafe) weak var session: Session?
        do {
            let storage = try garage()
            try storage.save(["A"])
            try storage.perform(ephemeral: ephemeral) { context, _ in
                session = try #require(context as? UnitContext).session(Car.self)
                let cars = try context.fetch(Request<Car>())
                #expect(cars.count == 1)
            }
        }
        #expect(session == nil)
    }

    @Test("an object whose row another program made again leaves the new one in its place when it ends")
    @MainActor
    func madeAgain() throws {
        let folder = try Folder()
        let storage = try folder.storage()
        try storage.save(["A"])
        let file = try Connection(path: folder.file().path, role: .writer)
        let context = storage.uiContext
        var old = try context.fetch(Request<Car>())
        try file.execute("CREATE TEMP TABLE kept AS SELECT * FROM Car")
        try file.execute("DELETE FROM Car")
        #expect(try context.fetch(Request<Car>()).isEmpty && old[0].isDeleted)
        try file.execute("INSERT INTO Car SELECT * FROM kept")
        let new = try context.fetch(Request<Car>())
        #expect(new.count == 1 && new[0] !== old[0] && new[0].objectID == old[0].objectID && !new[0].isDeleted)
        old = []
        #expect(try context.fetch(Request<Car>()).first === new[0])
    }

    @Test("an object of the save context that another process's change removed may end on any thread")
    func endsElsewhere() throws {
        let folder = try Folder()
        let storage = try folder.storage()
        let other = try folder.storage()
        try storage.save((0..<500).map { "car \($0)" })
        nonisolated(unsafe) var held: [Car] = []
        try storage.perform(ephemeral: false) { context, _ in held = try context.fetch(Request<Car>()) }
        #expect(held.count == 500)
        try other.perform(ephemeral: true) { context, save in
            _ = try context.wipe(Car.self)
            try save()
        }
        try storage.perform(ephemeral: false) { context, _ in
            let count = try context.count(Request<Car>())
            #expect(count == 0)
        }
        let deleted = held.filter(\.isDeleted).count
        #expect(deleted == 500)
        DispatchQueue.concurrentPerform(iterations: 2) { side in
            if side == 0 {
                held = []
            } else {
                for n in 0..<200 {
                    #expect(throws: Never.self) {
                        try storage.perform(ephemeral: false) { context, save in
                            let _: Car = try context.acquire("new \(n)")
                            try save()
                        }
                    }
                }
            }
        }
        let count = try storage.perform(ephemeral: false) { context, _ in try context.fetch(Request<Car>()).count }
        #expect(count == 200)
    }

    @Test("objects of uiContext may end on any thread, also while it reads the same rows")
    @MainActor
    func endsElsewhereThanOnMain() throws {
        let storage = try graph()
        try storage.unit { context in
            for number in 0..<100 {
                let owner = try context.acquire(Owner.self, "owner \(number)")
                try context.acquire(Vehicle.self, "vehicle \(number)").owner = owner
            }
        }
        let context = storage.uiContext
        for round in 0..<200 {
            let ending = Ending(objects: try context.fetch(Request<Vehicle>()))
            #expect(Set(ending.objects.compactMap { $0.owner?.name }).count == 100)
            weak var first: Vehicle?
            first = ending.objects.first
            let started = DispatchSemaphore(value: 0)
            let ended = DispatchSemaphore(value: 0)
            Thread {
                started.signal()
                ending.objects = []
                ended.signal()
            }.start()
            started.wait()
            if round % 2 == 0 {
                ended.wait()
                #expect(first == nil)
            }
            let again = try context.fetch(Request<Vehicle>())
            #expect(Set(again.compactMap { $0.owner?.vehicles.first?.model }).count == 100)
            if round % 2 == 1 { ended.wait() }
            #expect(try context.fetch(Request<Vehicle>()) as [AnyObject] == again as [AnyObject])
        }
    }

    @Test("uiContext lets go of what only relationships keep alive when there is much of it, each time anew")
    @MainActor
    func trimming() throws {
        let storage = try graph()
        try storage.unit { context in
            for number in 0..<100 {
                let owner = try context.acquire(Owner.self, "owner \(number)")
                try context.acquire(Vehicle.self, "vehicle \(number)").owner = owner
            }
        }
        let context = try #require(storage.uiContext as? MainContext)
        let session = try context.session(Vehicle.self)
        for _ in 0..<3 {
            context.trimLimit = 150
            do {
                let cars = try context.fetch(Request<Vehicle>())
                #expect(Set(cars.compactMap { $0.owner?.vehicles.first?.model }).count == 100)
            }
            // The owners have their vehicles loaded, and the result has the owners.
            #expect(session.objects.rows.count == 100)
            context.trim()
            #expect(session.objects.count == 0 && context.trimLimit == ContextCore.smallestTrimLimit)
        }
    }

    /// Proof: the test gives its only references to the thread, and reads them no more.
    private final class Ending: @unchecked Sendable {
        var objects: [Vehicle]
        init(objects: [Vehicle]) { self.objects = objects }
    }
}
