internal import Foundation
internal import KernelSQL

/// Lets one unit of work in at a time, in the order in which they came.
///
/// A plain lock would let a thread that has just left in again before those who wait. Entering and leaving happen
/// on the same thread.
package final class UnitGate: @unchecked Sendable {
    /// A thread in the queue. The gate's lock guards `isNext`.
    private final class Waiter {
        let thread = pthread_self()
        let signal = DispatchSemaphore(value: 0)
        var isNext = false
    }

    // Guards the two below.
    private let lock = NSLock()
    private var holder: pthread_t?
    private var queue: [Waiter] = []

    package init() {}

    /// Waits for its turn and enters. Throws `KernelError.storeBusy` when `timeout` is over first, or at once when
    /// the thread is inside already, which would wait for itself. nil: waits without a bound.
    package func enter(timeout: Duration?) throws {
        guard let waiter = try enterOrQueue() else { return }
        guard let timeout else { return waiter.signal.wait() }
        if waiter.signal.wait(timeout: .now() + timeout.seconds) == .success { return }
        lock.lock()
        defer { lock.unlock() }
        // The turn may have come between the time-out and the lock.
        if waiter.isNext { return }
        if let index = queue.firstIndex(where: { $0 === waiter }) { queue.remove(at: index) }
        throw Self.busy("another unit of work took longer than the time-out")
    }

    /// Enters if nobody is inside.
    package func tryEnter() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard holder == nil else { return false }
        holder = pthread_self()
        return true
    }

    /// Leaves, and lets in who has waited longest. Only for the thread that entered.
    package func leave() {
        lock.lock()
        defer { lock.unlock() }
        precondition(isHeld(by: pthread_self()), "UnitGate.leave() by a thread that is not inside")
        guard !queue.isEmpty else {
            holder = nil
            return
        }
        let next = queue.remove(at: 0)
        next.isNext = true
        holder = next.thread
        next.signal.signal()
    }

    package var isHeldByCurrentThread: Bool {
        lock.lock()
        defer { lock.unlock() }
        return isHeld(by: pthread_self())
    }

    /// How many wait. For tests, which must not sleep.
    package var waiting: Int {
        lock.lock()
        defer { lock.unlock() }
        return queue.count
    }

    private func enterOrQueue() throws -> Waiter? {
        lock.lock()
        defer { lock.unlock() }
        guard holder != nil else {
            holder = pthread_self()
            return nil
        }
        if isHeld(by: pthread_self()) { throw Self.busy("this thread is inside a unit of work already") }
        let waiter = Waiter()
        queue.append(waiter)
        return waiter
    }

    private func isHeld(by thread: pthread_t) -> Bool {
        guard let holder else { return false }
        return pthread_equal(holder, thread) != 0
    }

    private static func busy(_ message: String) -> KernelError {
        .storeBusy(DatabaseFailure(code: .busy, message: message))
    }
}

extension Duration {
    /// For interfaces that count in seconds.
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
