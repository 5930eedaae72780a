import DataKernel
import Foundation
import Testing

@Suite("uiContext")
struct UIContextTests {
    // main actor                storage
    // fetch A, B
    // perform (blocking) ──▶    changes A, removes B, saves
    // returns: A is new, B is deleted
    @Test("shows what was saved when a blocking perform returns on the main actor")
    @MainActor func afterBlocking() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        let cars = try storage.uiContext.fetch(Request<Car>().sort("model"))
        try storage.changeAAndRemoveB()
        try expectChanged(cars, storage)
    }

    // main actor                unit's thread
    // fetch A, B
    // await perform ───────▶    changes A, removes B, saves
    // resumes: A is new, B is deleted
    @Test("shows what was saved when an awaited perform resumes on the main actor")
    @MainActor func afterAwaited() async throws {
        let storage = try garage()
        try await storage.perform(ephemeral: true) { context, save in
            let _: [Car] = try context.acquire(all: ["A", "B"])
            try save()
        }
        let cars = try storage.uiContext.fetch(Request<Car>().sort("model"))
        try await storage.perform(ephemeral: true) { try changeAAndRemoveB($0, $1) }
        try expectChanged(cars, storage)
    }

    // main actor                another thread
    // fetch A, B
    // await thread's end ──▶    perform (blocking): changes A, removes B, saves
    // the next fetch brings the objects up to date
    @Test("shows what another thread saved at its next fetch")
    @MainActor func afterAnotherThread() async throws {
        let storage = try garage()
        try storage.seed()
        let cars = try storage.uiContext.fetch(Request<Car>().sort("model"))
        try await onThread { try storage.changeAAndRemoveB() }
        #expect(try storage.uiContext.count(Request<Car>()) == 1)
        try expectChanged(cars, storage)
    }

    // main actor                unit's thread
    // perform               ──▶ begins, changes A, wipes wheels, flushes, waits
    // fetches: the old state
    // opens the gate        ──▶ saves
    // fetches: the new state
    @Test("does not wait for a unit that holds the writer, and reads what was saved before")
    @MainActor func duringAUnit() async throws {
        let storage = try garage()
        try storage.seed()
        let flushed = Gate()
        let maySave = Gate()
        let writer = Task.detached {
            try await storage.perform(ephemeral: true) { context, save in
                let car: Car = try context.acquire("A")
                car.year = 7
                try context.remove(Request<Car>().filter("model", equalTo: "B"))
                flushed.open()
                try maySave.wait()
                try save()
            }
        }
        await flushed.opened()
        let cars = try storage.uiContext.fetch(Request<Car>().sort("model"))
        #expect(cars.map(\.model) == ["A", "B"])
        #expect(cars.map(\.year) == [0, 0])
        maySave.open()
        try await writer.value
        #expect(try storage.uiContext.count(Request<Car>()) == 1)
        try expectChanged(cars, storage)
    }

    // reader                    writer
    // counts 1
    //                           saves a second car
    // counts 1, fetches 1
    // a new read unit counts 2
    @Test("is not needed for a stable view: a read unit keeps its snapshot while a writer saves")
    func readSnapshot() async throws {
        let folder = try Folder()
        let storage = try folder.storage()
        try storage.seed()
        let counted = Gate()
        let saved = Gate()
        let reader = Task.detached {
            try await storage.read { context in
                let before = try context.count(Request<Car>())
                counted.open()
                try saved.wait()
                return [before, try context.count(Request<Car>()), try context.fetch(Request<Car>()).count]
            }
        }
        await counted.opened()
        try await storage.perform(ephemeral: true) { context, save in
            let _: Car = try context.acquire("C")
            try save()
        }
        saved.open()
        #expect(try await reader.value == [2, 2, 2])
        #expect(try await storage.read { try $0.count(Request<Car>()) } == 3)
    }
}

/// What each test of this file does to the cars A and B.
private func changeAAndRemoveB(_ context: any Context, _ save: Save) throws {
    let a: Car = try context.acquire("A")
    a.year = 7
    try context.remove(try context.acquire("B") as Car)
    try save()
}

@MainActor
private func expectChanged(_ cars: [Car], _ storage: SQLiteStorage) throws {
    #expect(cars.map(\.model) == ["A", "B"])
    #expect(cars[0].year == 7)
    #expect(cars[1].isDeleted)
    let again = try storage.uiContext.fetch(Request<Car>())
    #expect(again as [AnyObject] == [cars[0]] as [AnyObject])
}

extension SQLiteStorage {
    /// The cars A and B.
    func seed() throws { try save(["A", "B"]) }

    fileprivate func changeAAndRemoveB() throws {
        try perform(ephemeral: true) { try DataKernelTests.changeAAndRemoveB($0, $1) }
    }
}
