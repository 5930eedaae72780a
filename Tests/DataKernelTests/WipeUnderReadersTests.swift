import DataKernel
import Foundation
import TestSupport
import Testing

@Suite("Wiping and restoring a store under readers")
struct WipeUnderReadersTests {
    let folder: Folder
    let storage: SQLiteStorage

    init() throws {
        folder = try Folder()
        storage = try folder.storage()
        try storage.save(["OLD"])
    }

    /// What another storage finds in the file, and whether the log of the open one is still there.
    private func expectNewStore(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(FileManager.default.fileExists(atPath: folder.file().path + "-wal"), sourceLocation: location)
        #expect(try folder.storage().models() == ["NEW"], sourceLocation: location)
        try storage.save(["NEWER"])
        #expect(try folder.storage().models() == ["NEW", "NEWER"], sourceLocation: location)
    }

    private func replaceStore() throws {
        try storage.wipeStore()
        try storage.restoreStore()
        try storage.save(["NEW"])
    }

    // reader                    test
    // read block begins
    //                           wipes, restores, saves
    // queries for the first time: the old store
    @Test("a read block that has not asked anything yet finishes on the old store, and leaves the new one alone")
    func lateReader() async throws {
        let storage = storage
        let began = Gate()
        let mayAsk = Gate()
        async let models = onThread {
            try storage.read { context in
                began.open()
                try mayAsk.wait()
                return try context.fetch(Request<Car>()).map(\.model)
            }
        }
        await began.opened()
        try replaceStore()
        mayAsk.open()
        #expect(try await models == ["OLD"])
        try expectNewStore()
    }

    @Test("a read block that has asked sees one state to its end, over any number of wipes")
    func earlyReader() async throws {
        let storage = storage
        let asked = Gate()
        let mayGoOn = Gate()
        async let models = onThread {
            try storage.read { context in
                let first = try context.fetch(Request<Car>()).map(\.model)
                asked.open()
                try mayGoOn.wait()
                return try [first, context.fetch(Request<Car>()).map(\.model)]
            }
        }
        await asked.opened()
        for _ in 0..<3 { try replaceStore() }
        mayGoOn.open()
        #expect(try await models == [["OLD"], ["OLD"]])
        try expectNewStore()
    }

    // main actor                thread
    // waits, blocked            wipes, restores, saves
    // asks the old context: the old store
    // lets others run: the old context is closed
    @Test("uiContext answers from the old store until it hears of the wipe, and closes without harm to the new one")
    @MainActor func mainContext() async throws {
        let old = storage.uiContext
        let car = try #require(try old.first(Request<Car>()))
        let done = Gate()
        Thread.detachNewThread { [storage] in
            do {
                try storage.wipeStore()
                try storage.restoreStore()
                try storage.save(["NEW"])
            } catch {
                Issue.record("\(error)")
            }
            done.open()
        }
        // The main actor hears of nothing meanwhile.
        try done.wait()
        #expect(try old.fetch(Request<Car>()).map(\.model) == ["OLD"])
        #expect(try storage.uiContext.fetch(Request<Car>()).map(\.model) == ["NEW"])
        while !car.isDeleted { await Task.yield() }
        let error = #expect(throws: KernelError.self) { try old.fetch(Request<Car>()) }
        guard case .storeClosed = error else { throw try #require(error) }
        try expectNewStore()
    }

    // reader                    test
    // read block begins
    // wipes and restores in it
    @Test("a read block can wipe and restore the store that it reads")
    func inside() throws {
        let storage = storage
        let models = try storage.read { context in
            try storage.wipeStore()
            try storage.restoreStore()
            try storage.save(["NEW"])
            return try context.fetch(Request<Car>()).map(\.model)
        }
        #expect(models == ["OLD"])
        try expectNewStore()
    }

    @Test("units that wait for the gate while the store is wiped find it closed, or restored")
    func waitingUnits() async throws {
        let storage = storage
        let began = Gate()
        let mayEnd = Gate()
        let first = Task {
            try await storage.perform(ephemeral: false) { context, save in
                began.open()
                try mayEnd.wait()
                let _: Car = try context.acquire("UNSAVED")
            }
        }
        await began.opened()
        async let wiped: Void = onThread { try storage.wipeStore() }
        let units = (0..<8).map { number in
            Task {
                try await storage.perform(ephemeral: number % 2 == 0) { context, save in
                    try context.count(Request<Car>())
                }
            }
        }
        mayEnd.open()
        try await first.value
        try await wiped
        for unit in units {
            // Who came before the wipe counts the old store's.
            guard case .failure(let error) = await unit.result else { continue }
            guard case KernelError.storeClosed = error else {
                Issue.record("not storeClosed: \(error)")
                continue
            }
        }
        try storage.restoreStore()
        #expect(try storage.models() == [])
    }

    // reader of another storage on the same file: its pool opens connections when they are first needed
    @Test("another storage's readers do not read the new store in the old one's name")
    func otherStorage() throws {
        let other = try folder.storage()
        #expect(try other.models() == ["OLD"])
        try storage.wipeStore()
        try expectMoved(other)
        try storage.restoreStore()
        try storage.save(["NEW"])
        try expectMoved(other)
        try expectNewStore()
    }

    /// Two readers at a time: the second one has to be opened, and there is no file for it any more.
    private func expectMoved(_ storage: SQLiteStorage) throws {
        let error = try storage.read { context -> KernelError? in
            let models = try context.fetch(Request<Car>()).map(\.model)
            #expect(models == ["OLD"])
            do {
                _ = try storage.models()
            } catch let error as KernelError {
                return error
            }
            return nil
        }
        guard case .storeMoved = error else {
            Issue.record("not storeMoved: \(String(describing: error))")
            return
        }
    }

    @Test("random readers, units and tasks meet nothing but storeClosed", arguments: [0, 1])
    func random(memory: Int) async throws {
        let seed = ProcessInfo.processInfo.environment["DATAKERNEL_SEED"] ?? "\(Int.random(in: 1...1_000_000))"
        let program = try Program(built: "Soak")
        let result = try await onThread {
            try program.run(["wipe", "--rounds", "60", "--readers", "4", "--memory", "\(memory)", "--seed", seed])
        }
        #expect(result.status == 0, "seed \(seed): \(result.output)\(result.errors)")
    }
}
