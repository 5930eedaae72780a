import DataKernel
import Foundation
import Testing

@Suite("A store's file")
struct StoreFileLifeTests {
    @Test("that is renamed while open is an error on the next save, and nothing is written")
    func renamed() throws {
        let folder = try Folder()
        let storage = try folder.storage()
        try storage.save(["A"])
        try FileManager.default.moveItem(at: folder.file(), to: folder.file("other.db"))
        let error = #expect(throws: KernelError.self) { try storage.save(["B"]) }
        guard case .storeMoved = error else {
            Issue.record("not storeMoved: \(String(describing: error))")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file().path()))
    }

    @Test("that is removed while open is an error on the next save")
    func removed() throws {
        let folder = try Folder()
        let storage = try folder.storage()
        try storage.save(["A"])
        try FileManager.default.removeItem(at: folder.file())
        let error = #expect(throws: KernelError.self) { try storage.save(["B"]) }
        guard case .storeMoved = error else {
            Issue.record("not storeMoved: \(String(describing: error))")
            return
        }
    }

    @Test("goes with its side files at wipeStore, and comes back empty at restoreStore")
    @MainActor func wipe() throws {
        let folder = try Folder()
        let storage = try folder.storage()
        try storage.seed()
        let cars = try storage.uiContext.fetch(Request<Car>())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()).contains("store.db"))
        try storage.wipeStore()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()) == [])
        #expect(cars.count == 2 && cars.allSatisfy { $0.isDeleted })
        #expect(Set(cars.map(\.model)) == ["A", "B"])
        expectClosed { try storage.save(["C"]) }
        expectClosed { try storage.models() }
        expectClosed { try storage.uiContext.fetch(Request<Car>()) }
        try storage.restoreStore()
        #expect(try storage.uiContext.fetch(Request<Car>()).isEmpty)
        try storage.save(["C"])
        #expect(try storage.uiContext.fetch(Request<Car>()).map(\.model) == ["C"])
        #expect(cars.allSatisfy { $0.isDeleted })
    }

    // task                      test
    // unit holds the gate
    //                           wipeStore on a thread: waits for the unit
    // saves, returns
    //                           wiped: no file
    @Test("is not wiped before the unit that runs has ended")
    func wipeWaits() async throws {
        let folder = try Folder()
        let storage = try folder.storage()
        let began = Gate()
        let mayEnd = Gate()
        let unit = Task {
            try await storage.perform(ephemeral: true) { context, save in
                began.open()
                try mayEnd.wait()
                let _: Car = try context.acquire("A")
                try save()
                return try context.count(Request<Car>())
            }
        }
        await began.opened()
        async let wiped: Void = onThread { try storage.wipeStore() }
        mayEnd.open()
        // Whether the wipe came first is up to the threads; the unit was inside and works to its end.
        #expect(try await unit.value == 1)
        try await wiped
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()) == [])
    }

    @Test("is not touched by wipeStore or restoreStore inside a unit")
    func insideAUnit() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            let _: Car = try context.acquire("A")
            for call in [storage.wipeStore, storage.restoreStore] {
                let error = #expect(throws: KernelError.self) { try call() }
                guard case .insideUnit = error else {
                    Issue.record("not insideUnit: \(String(describing: error))")
                    return
                }
            }
            try save()
        }
        #expect(try storage.models() == ["A"])
    }

    private func expectClosed<R>(_ body: () throws -> R) {
        let error = #expect(throws: KernelError.self) { _ = try body() }
        guard case .storeClosed = error else {
            Issue.record("not storeClosed: \(String(describing: error))")
            return
        }
    }
}
