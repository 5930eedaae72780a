import DataKernel
import DataKernelTesting
import KernelSQL
import Testing

/// The N-th call to the database fails, for N from 1 until all goes well.
@Suite("When a call to the database fails")
struct FaultTests {
    private static let before = ["A 1", "B 2", "C 3"]
    private static let after = ["A 9", "D 4"]

    private func cars(_ context: any ReadContext) throws -> [String] {
        try context.fetch(Request<Car>().sort("model")).map { "\($0.model) \($0.year)" }
    }

    private func filled(_ folder: Folder, _ faults: FaultInjector) throws -> SQLiteStorage {
        let storage = try folder.storage(options: faults.options(StorageOptions(durability: .normal)))
        try storage.perform(ephemeral: true) { context, save in
            for (index, model) in ["A", "B", "C"].enumerated() {
                let car: Car = try context.acquire(model)
                car.year = index + 1
                try context.create(Wheel.self).position = index
            }
            try save()
        }
        return storage
    }

    /// Inserts, updates, deletes of both kinds and a wipe.
    private func change(_ context: any Context) throws {
        let a: Car = try context.acquire("A")
        a.year = 9
        let d: Car = try context.acquire("D")
        d.year = 4
        let b: Car = try context.acquire("B")
        try context.remove(b)
        try context.remove(Request<Car>().filter("model", equalTo: "C"))
        try context.wipe(Wheel.self)
        try context.create(Wheel.self).position = 7
    }

    @Test(
        "a unit leaves the store as it was or as it shall be, and the next unit works",
        arguments: [ResultCode.busy, .ioError, .full, .noMemory], [true, false])
    func unit(code: ResultCode, ephemeral: Bool) throws {
        var call = 0
        var hasFired = true
        while hasFired {
            call += 1
            try #require(call < 500)
            let folder = try Folder()
            let faults = FaultInjector()
            let storage = try filled(folder, faults)
            faults.arm(call: call, with: code)
            var isSaved = false
            var failure: (any Error)?
            do {
                isSaved = try storage.perform(ephemeral: ephemeral) { context, save in
                    try change(context)
                    try save()
                    return true
                }
            } catch {
                failure = error
            }
            hasFired = faults.hasFired
            faults.disarm()
            #expect(failure == nil || failure is KernelError, "call \(call): \(String(describing: failure))")
            let found = try storage.read { try cars($0) }
            #expect(found == (isSaved ? FaultTests.after : FaultTests.before), "call \(call)")
            try storage.perform(ephemeral: ephemeral) { context, save in
                #expect(!context.hasChanges, "call \(call)")
                try change(context)
                try save()
            }
            #expect(try storage.read { try cars($0) } == FaultTests.after, "call \(call)")
            #expect(try storage.read { try $0.fetch(Request<Wheel>()).map(\.position) } == [7], "call \(call)")
            #expect(try folder.faults() == [], "call \(call)")
            // Another connection can write: no transaction is open.
            let other = try folder.storage(options: StorageOptions(busyTimeout: .milliseconds(50)))
            try other.save(["E"])
        }
        #expect(call > 10)
    }

    @Test(
        "a save that failed can be tried again with the same changes",
        arguments: [ResultCode.busy, .ioError, .full, .noMemory])
    func again(code: ResultCode) throws {
        var call = 0
        var hasFired = true
        while hasFired {
            call += 1
            try #require(call < 500)
            let folder = try Folder()
            let faults = FaultInjector()
            let storage = try filled(folder, faults)
            try storage.perform(ephemeral: false) { context, save in
                try change(context)
                faults.arm(call: call, with: code)
                do {
                    try save()
                } catch {
                    #expect(error is KernelError, "call \(call): \(error)")
                    faults.disarm()
                    #expect(context.hasChanges, "call \(call)")
                    #expect(try storage.read { try cars($0) } == FaultTests.before, "call \(call)")
                    #expect(try cars(context) == FaultTests.after, "call \(call)")
                    try save()
                }
                #expect(!context.hasChanges, "call \(call)")
            }
            hasFired = faults.hasFired
            faults.disarm()
            #expect(try storage.read { try cars($0) } == FaultTests.after, "call \(call)")
        }
    }

    @Test(
        "a nested unit's failure leaves the unit around it able to save",
        arguments: [ResultCode.busy, .ioError, .full, .noMemory])
    func nested(code: ResultCode) throws {
        var call = 0
        var hasFired = true
        while hasFired {
            call += 1
            try #require(call < 500)
            let folder = try Folder()
            let faults = FaultInjector()
            let storage = try filled(folder, faults)
            var isSaved = false
            try storage.perform(ephemeral: true) { context, save in
                let c: Car = try context.acquire("C")
                c.price = 5
                faults.arm(call: call, with: code)
                do {
                    try context.perform { child, save in
                        try change(child)
                        try save()
                    }
                    isSaved = true
                } catch {
                    #expect(error is KernelError, "call \(call): \(error)")
                }
                hasFired = faults.hasFired
                faults.disarm()
                let expected = isSaved ? FaultTests.after : FaultTests.before
                #expect(try cars(context) == expected, "call \(call)")
                #expect(c.isDeleted == isSaved && c.price == 5, "call \(call)")
                try save()
            }
            #expect(try storage.read { try cars($0) } == (isSaved ? FaultTests.after : FaultTests.before))
            let priced = try storage.read { try $0.count(Request<Car>().filter("price", equalTo: 5.0)) }
            #expect(priced == (isSaved ? 0 : 1), "call \(call)")
        }
    }
}
