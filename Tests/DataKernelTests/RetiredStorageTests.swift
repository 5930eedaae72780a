import DataKernel
import KernelSQL
import KernelSQLite
import Synchronization
import Testing

@Suite("A storage that could not undo a unit")
struct RetiredStorageTests {
    @Test("says so and what to do, still reads what was saved, and opened anew it works")
    func retired() throws {
        let folder = try Folder()
        let fails = Mutex(false)
        var options = StorageOptions(durability: .normal)
        options.fault = { point in
            guard case .rollback = point else { return nil }
            return fails.withLock { $0 } ? .ioError : nil
        }
        do {
            let storage = try folder.storage(options: options)
            try storage.save(["A"])
            fails.withLock { $0 = true }
            #expect(throws: Mishap.self) {
                try storage.perform(ephemeral: true) { context, _ in
                    let _: Car = try context.acquire("B")
                    _ = try context.count(Request<Car>())
                    throw Mishap()
                }
            }
            fails.withLock { $0 = false }
            for _ in 0..<2 {
                let error = try #require(throws: KernelError.self) { try storage.save(["C"]) }
                guard case .storageRetired(let failure) = error else { throw error }
                #expect(failure.code == .ioError)
                #expect("\(error)".contains("open it anew") && error.failure?.code == .ioError)
            }
            #expect(try storage.models() == ["A"])
        }
        let storage = try folder.storage()
        #expect(try storage.models() == ["A"])
        try storage.save(["C"])
        #expect(try storage.models() == ["A", "C"])
    }
}
