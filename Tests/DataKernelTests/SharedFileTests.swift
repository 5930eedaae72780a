import DataKernel
import Foundation
import Testing

@Suite("Two storages on one file, as of two processes,")
struct SharedFileTests {
    // storage 1                 storage 2
    // unit, unit, … 300         unit, unit, … 300
    @Test("each write 300 units without an error, and no row is lost")
    func manyUnits() async throws {
        let folder = try Folder()
        let options = StorageOptions(durability: .normal, busyTimeout: .seconds(60))
        let storages = [try folder.storage(options: options), try folder.storage(options: options)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, storage) in storages.enumerated() {
                group.addTask {
                    try await onThread {
                        for unit in 0..<300 { try storage.save(["\(number)-\(unit)"]) }
                    }
                }
            }
            try await group.waitForAll()
        }
        for storage in storages { #expect(try await storage.read { try $0.count(Request<Car>()) } == 600) }
    }

    // storage 1 (uiContext)     storage 2
    // fetch A, B
    //                           changes A, removes B
    // fetch: A is new, B is deleted, the same instances
    @Test("see each other's commits in uiContext")
    @MainActor func foreignCommits() throws {
        let folder = try Folder()
        let (first, second) = (try folder.storage(), try folder.storage())
        try first.seed()
        let cars = try first.uiContext.fetch(Request<Car>().sort("model"))
        try second.change("A", year: 3)
        #expect(try first.uiContext.count(Request<Car>()) == 2)
        #expect(cars.map(\.year) == [3, 0])
        try second.removeCar("B")
        #expect(try first.uiContext.fetch(Request<Car>()) as [AnyObject] == [cars[0]] as [AnyObject])
        #expect(cars[1].isDeleted)
    }

    // storage 1 (uiContext)     storage 2
    // fetch A, B
    // saves A; uiContext told
    //                           changes B
    // fetch: A and B are new
    @Test("see the other's commit in uiContext although they have just saved themselves")
    @MainActor func foreignCommitAfterOwn() throws {
        let folder = try Folder()
        let (first, second) = (try folder.storage(), try folder.storage())
        try first.seed()
        let cars = try first.uiContext.fetch(Request<Car>().sort("model"))
        try first.change("A", year: 3)
        try second.change("B", year: 4)
        #expect(try first.uiContext.count(Request<Car>()) == 2)
        #expect(cars.map(\.year) == [3, 4])
    }

    // storage 1 (save context)  storage 2
    // acquires A, leaves year 5 unsaved, keeps it
    //                           changes A's mark, removes B
    // unit: A has the new mark and its own year; B is deleted
    @Test("see each other's commits in the save context, which keeps its unsaved edits")
    func foreignCommitsInSaveContext() throws {
        let folder = try Folder()
        let (first, second) = (try folder.storage(), try folder.storage())
        try first.seed()
        try first.perform(ephemeral: false) { context, _ in
            let a: Car = try context.acquire("A")
            a.year = 5
        }
        try second.perform(ephemeral: true) { context, save in
            let a: Car = try context.acquire("A")
            a.mark = "Honda"
            try context.remove(try context.acquire("B") as Car)
            try save()
        }
        try first.perform(ephemeral: false) { context, save in
            let cars = try context.fetch(Request<Car>().sort("model"))
            #expect(cars.map(\.model) == ["A"])
            #expect(cars[0].mark == "Honda")
            #expect(cars[0].year == 5)
            try save()
        }
        let saved = try second.read { try $0.fetch(Request<Car>()).map { "\($0.mark ?? "") \($0.year)" } }
        #expect(saved == ["Honda 5"])
    }

    // storage 1                 storage 2
    // unit holds the lock
    //                           perform: storeBusy after its time-out
    // returns
    //                           the same again: works
    @Test("get storeBusy when the other holds the lock too long, and a retry works")
    func busy() async throws {
        let folder = try Folder()
        let first = try folder.storage()
        let second = try folder.storage(options: StorageOptions(busyTimeout: .milliseconds(50)))
        let began = Gate()
        let mayEnd = Gate()
        let holder = Task {
            try await first.perform(ephemeral: true) { context, save in
                let _: Car = try context.acquire("A")
                began.open()
                try mayEnd.wait()
                try save()
            }
        }
        await began.opened()
        let error = try await onThread { () -> String? in
            do { try second.save(["B"]) } catch KernelError.storeBusy { return "busy" }
            return nil
        }
        #expect(error == "busy")
        #expect(try await second.read { try $0.count(Request<Car>()) } == 0)
        mayEnd.open()
        try await holder.value
        try await onThread { try second.save(["B"]) }
        #expect(try await second.read { try $0.count(Request<Car>()) } == 2)
    }

    @Test("never give one row id twice")
    func ids() throws {
        let folder = try Folder()
        let storages = [try folder.storage(), try folder.storage()]
        var seen: Set<ObjectID> = []
        for round in 0..<20 {
            let id = try storages[round % 2].perform(ephemeral: true) { context, save in
                let car: Car = try context.acquire("A")
                let id = car.objectID
                try save()
                try context.wipe(Car.self)
                try save()
                return id
            }
            #expect(seen.insert(id).inserted)
        }
    }
}

extension SQLiteStorage {
    func change(_ model: String, year: Int) throws {
        try perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire(model)
            car.year = year
            try save()
        }
    }

    func removeCar(_ model: String) throws {
        try perform(ephemeral: true) { context, save in
            try context.remove(try context.acquire(model) as Car)
            try save()
        }
    }
}
