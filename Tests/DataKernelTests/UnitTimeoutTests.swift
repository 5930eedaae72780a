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
