import Foundation
import KernelSQL
import Synchronization
import Testing

@testable import KernelSQLite

@Suite struct SharingTests {
    private func isBusy(_ error: any Error) -> Bool {
        if case KernelError.storeBusy = error { true } else { false }
    }

    // MARK: The pool

    private final class Reader {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private func pool(
        limit: Int = 4, timeout: Duration = .seconds(30), closed: Counter = Counter()
    ) -> ReaderPool<Reader> {
        let made = Counter()
        return ReaderPool(
            limit: limit, timeout: timeout, make: { Reader(made.next()) }, close: { _ in _ = closed.next() })
    }

    @Test("a pool makes one when it is needed, and lends the same again")
    func lazy() throws {
        let pool = pool()
        let first = try pool.lend(\.number)
        #expect(try pool.lend(\.number) == first)
        try pool.lend { outer in
            let inner = try pool.lend(\.number)
            #expect(inner != outer.number)
        }
    }

    @Test("more borrowers than readers: the wait ends with busy, and the next one gets through")
    func bound() throws {
        let pool = pool(limit: 1, timeout: .milliseconds(20))
        _ = try pool.lend { _ in
            #expect {
                try pool.lend { _ in }
            } throws: {
                isBusy($0)
            }
        }
        #expect(try pool.lend { _ in true })
    }

    @Test("a reader that comes back wakes who waits, and no two hold the same")
    func contention() throws {
        let pool = pool(limit: 2)
        let inUse = Mutex<Set<Int>>([])
        let clashes = Counter()
        inParallel(8) { _ in
            for _ in 0..<200 {
                try pool.lend { reader in
                    if !inUse.withLock({ $0.insert(reader.number).inserted }) { _ = clashes.next() }
                    _ = inUse.withLock { $0.remove(reader.number) }
                }
            }
        }
        #expect(clashes.value == 0)
        #expect(inUse.withLock { $0.isEmpty })
    }

    @Test("a reader that cannot be made is an error, and the next try makes one")
    func failingMake() throws {
        struct Stop: Error {}
        let attempts = Counter()
        let pool = ReaderPool<Int>(
            limit: 1, make: { if attempts.next() == 1 { throw Stop() } else { 7 } }, close: { _ in })
        #expect(throws: Stop.self) { try pool.lend { _ in } }
        #expect(try pool.lend { $0 } == 7)
    }

    @Test("openAll makes every reader, and closeAll closes every one and lends none")
    func all() throws {
        let closed = Counter()
        let pool = pool(limit: 3, closed: closed)
        try pool.openAll()
        try pool.openAll()
        #expect(pool.closeAll())
        #expect(closed.value == 3)
        #expect {
            try pool.lend { _ in }
        } throws: {
            if case KernelError.storeClosed = $0 { true } else { false }
        }
        #expect(pool.closeAll())
    }

    @Test("a reader that is lent out at closeAll is closed when it comes back")
    func closeWhileLent() throws {
        let closed = Counter()
        let pool = pool(closed: closed)
        try pool.lend { _ in
            #expect(!pool.closeAll())
            #expect(closed.value == 0)
        }
        #expect(closed.value == 1)
        #expect(pool.closeAll(waitingFor: .seconds(5)))
    }

    // MARK: The gate

    @Test("the gate lets one in at a time, in the order of arrival")
    func fifo() throws {
        let gate = UnitGate()
        let order = Mutex<[Int]>([])
        try gate.enter(timeout: nil)
        var threads: [DispatchSemaphore] = []
        for number in 0..<5 {
            let done = DispatchSemaphore(value: 0)
            threads.append(done)
            Thread {
                if (try? gate.enter(timeout: .seconds(60))) != nil {
                    order.withLock { $0.append(number) }
                    gate.leave()
                }
                done.signal()
            }.start()
            while gate.waiting <= number { sched_yield() }
        }
        #expect(order.withLock { $0.isEmpty })
        gate.leave()
        for thread in threads { thread.wait() }
        #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
    }

    @Test("who waits too long is told so, and does not stand in anybody's way")
    func gateTimeout() throws {
        let gate = UnitGate()
        try gate.enter(timeout: nil)
        let busy = Counter()
        inParallel(2) { _ in
            do { try gate.enter(timeout: .milliseconds(10)) } catch { _ = busy.next() }
        }
        #expect(busy.value == 2)
        #expect(gate.waiting == 0)
        gate.leave()
        try gate.enter(timeout: .zero)
        gate.leave()
    }

    @Test("the gate knows who is inside, and refuses a thread that would wait for itself")
    func holder() throws {
        let gate = UnitGate()
        #expect(!gate.isHeldByCurrentThread)
        try gate.enter(timeout: nil)
        #expect(gate.isHeldByCurrentThread)
        let elsewhere = Mutex(true)
        inParallel(1) { _ in elsewhere.withLock { $0 = gate.isHeldByCurrentThread } }
        #expect(elsewhere.withLock { $0 } == false)
        #expect {
            try gate.enter(timeout: nil)
        } throws: {
            isBusy($0)
        }
        gate.leave()
        #expect(!gate.isHeldByCurrentThread)
    }

    @Test("under contention nobody is inside together with another, and time-outs lose no turn")
    func gateContention() throws {
        let gate = UnitGate()
        let inside = Atomic(0)
        let clashes = Counter()
        let entered = Counter()
        inParallel(6) { number in
            for round in 0..<300 {
                let timeout: Duration? = (number + round) % 3 == 0 ? .microseconds(50) : nil
                guard (try? gate.enter(timeout: timeout)) != nil else { continue }
                if inside.add(1, ordering: .sequentiallyConsistent).newValue != 1 { _ = clashes.next() }
                inside.subtract(1, ordering: .sequentiallyConsistent)
                gate.leave()
                _ = entered.next()
            }
        }
        #expect(clashes.value == 0)
        #expect(entered.value >= 1200)
        try gate.enter(timeout: .zero)
        gate.leave()
    }
}
