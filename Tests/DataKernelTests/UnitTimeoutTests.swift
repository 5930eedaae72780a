import DataKernel
import Testing

@Suite("Units that wait for each other")
struct UnitTimeoutTests {
    // thread 1                          thread 2
    // unit of one                       unit of other
    // opens `first`, waits `second`     waits `first`, opens `second`
    // unit of other: waits              unit of one: waits
    // both end with storeBusy, none hangs
    @Test("across two storages end with the busy error")
    func crossing() async throws {
        let options = StorageOptions(durability: .normal, unitTimeout: .milliseconds(200))
        let one = try garage(options)
        let other = try garage(options)
        let first = Gate()
        let second = Gate()
        async let left = onThread {
            try UnitTimeoutTests.nest(one, other) {
                first.open()
                try second.wait()
            }
        }
        async let right = onThread {
            try UnitTimeoutTests.nest(other, one) {
                try first.wait()
                second.open()
            }
        }
        let busy = try await [left, right].filter { $0 }.count
        #expect(busy >= 1)
        try one.save(["A"])
        try other.save(["A"])
    }

    // task A                    tasks B                   test
    // unit holds the gate
    //                           perform: wait for A
    //                           storeBusy, all of them
    //                                                     lets A end
    @Test("in a queue of async units end with the busy error too, and their blocks never run")
    func queued() async throws {
        let storage = try garage(StorageOptions(durability: .normal, unitTimeout: .milliseconds(100)))
        let began = Gate()
        let mayEnd = Gate()
        let holder = Task {
            try await storage.perform(ephemeral: true) { _, _ in
                began.open()
                try mayEnd.wait()
            }
        }
        await began.opened()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<5 {
                group.addTask {
                    do {
                        try await storage.perform(ephemeral: true) { context, save in
                            let _: Car = try context.acquire("\(number)")
                            try save()
                        }
                        Issue.record("unit \(number) ran")
                    } catch KernelError.storeBusy {
                    } catch {
                        Issue.record("unit \(number): \(error)")
                    }
                }
            }
        }
        mayEnd.open()
        try await holder.value
        try await onThread { try storage.save(["A"]) }
        #expect(try await storage.read { try $0.fetch(Request<Car>()).map(\.model) } == ["A"])
    }

    /// A unit inside a unit of another storage. Returns whether the inner one was told that it is busy.
    private static func nest(_ outer: SQLiteStorage, _ inner: SQLiteStorage, _ meet: @Sendable () throws -> Void) throws
        -> Bool
    {
        try outer.perform(ephemeral: true) { _, _ in
            try meet()
            do {
                try inner.save(["B"])
                return false
            } catch KernelError.storeBusy {
                return true
            }
        }
    }
}
