import DataKernel
import Foundation
import Testing

@Suite("A storage that is dropped")
@MainActor
struct ClosingTests {
    #if os(Linux)
        /// The open files of this process that lie in a folder.
        private func openFiles(in folder: Folder) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
                .filter { $0.hasPrefix(folder.url.path) }
        }

        @Test("closes its file, though objects of its uiContext are held; they keep their values")
        func closesFiles() throws {
            let folder = try Folder()
            var storage: SQLiteStorage? = try folder.storage()
            try storage?.save(["A"])
            let car = try #require(try storage?.uiContext.first(Request<Car>()))
            try storage?.read { _ = try $0.count(Request<Car>()) }
            #expect(try !openFiles(in: folder).isEmpty)
            storage = nil
            #expect(try openFiles(in: folder) == [])
            #expect(car.model == "A" && !car.isDeleted)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasSuffix("-wal") }
                    == [])
        }
    #endif

    @Test("a context that outlives its unit says that it is closed")
    func closedContext() throws {
        let storage = try garage()
        nonisolated(unsafe) var leaked: (any Context)?
        try storage.perform(ephemeral: true) { context, _ in
            nonisolated(unsafe) let context = context
            leaked = context
        }
        let context = try #require(leaked)
        for call in [
            { _ = try context.fetch(Request<Car>()) }, { _ = try context.create(Car.self) },
            { _ = try context.wipe(Car.self) }, { let _: Car = try context.acquire("A") },
            { try context.rollback() }, { try context.perform { _, _ in } },
        ] as [() throws -> Void] {
            let error = try #require(throws: KernelError.self) { try call() }
            guard case .storeClosed = error else { throw error }
        }
    }
}
