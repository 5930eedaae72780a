import Foundation
import KernelSQL
import Synchronization
import Testing

@testable import KernelSQLite

@Suite("Closing")
struct PoolClosingTests {
    // maker                     closer
    // make begins
    //                           closeAll: nothing is lent any more, and it waits
    // make ends
    //                           closeAll returns
    @Test("a pool waits for a reader that is being made, and closes it when it comes back")
    func waitsForMaking() throws {
        let log = Mutex<[String]>([])
        let making = DispatchSemaphore(value: 0)
        let mayBeMade = DispatchSemaphore(value: 0)
        let ended = DispatchGroup()
        let pool = ReaderPool<Int>(limit: 1, timeout: .zero) {
            making.signal()
            mayBeMade.wait()
            log.withLock { $0.append("made") }
            return 1
        } close: { _ in
            log.withLock { $0.append("reader closed") }
        }
        func thread(_ body: @escaping @Sendable () -> Void) {
            ended.enter()
            Thread.detachNewThread {
                body()
                ended.leave()
            }
        }
        let mayReturn = DispatchSemaphore(value: 0)
        thread { try? pool.lend { _ in mayReturn.wait() } }
        making.wait()
        thread {
            pool.closeAll()
            log.withLock { $0.append("pool closed") }
            mayReturn.signal()
        }
        // Busy as long as the pool is open.
        var isOpen = true
        while isOpen {
            do {
                try pool.lend { _ in }
            } catch KernelError.storeClosed {
                isOpen = false
            } catch {
                sched_yield()
            }
        }
        mayBeMade.signal()
        ended.wait()
        #expect(log.withLock { $0 } == ["made", "pool closed", "reader closed"])
    }
}
