internal import Foundation
internal import KernelSQL

/// Lends what reads the store to one thread at a time each, making a few at most.
///
/// What is lent is no Sendable: the pool hands it to one borrower at a time and a lock orders the hand-overs, which
/// is what makes it safe to share. A borrower must not keep it beyond the call.
package final class ReaderPool<Lent>: @unchecked Sendable {
    private let limit: Int
    private let timeout: Duration
    private let make: () throws -> Lent
    private let close: (Lent) -> Void
    // Guards the four below, and wakes who waits for a reader or for the last one to come back.
    private let condition = NSCondition()
    private var idle: [Lent] = []
    private var existing = 0
    /// How many of the existing ones are being made.
    private var making = 0
    private var isClosed = false

    /// - Parameters:
    ///   - limit: How many exist at most.
    ///   - timeout: How long a borrower waits for one to come back.
    ///   - make: Makes one; called outside the lock, on the borrower's thread.
    ///   - close: Closes one for good.
    package init(
        limit: Int = 4, timeout: Duration = .seconds(30), make: @escaping () throws -> Lent,
        close: @escaping (Lent) -> Void
    ) {
        self.limit = max(1, limit)
        self.timeout = timeout
        self.make = make
        self.close = close
    }

    /// Runs `body` with one that nobody else has. Throws `KernelError.storeBusy` when none comes back in time, as
    /// when one thread takes more than there are, and `storeClosed` after `closeAll`.
    package func lend<R>(_ body: (Lent) throws -> R) throws -> R {
        let lent = try take()
        defer { giveBack(lent) }
        return try body(lent)
    }

    /// Makes all of them now: for a store whose file is about to lose its name.
    package func openAll() throws {
        while reserve() {
            giveBack(try makeReserved())
        }
    }

    /// Closes the idle ones now and each lent one when it comes back. Nothing is lent from then on.
    /// Waits for those that are being made: one that is half open must not see its files go. Waits for the lent ones for
    /// `duration` at most; true when all are closed.
    @discardableResult
    package func closeAll(waitingFor duration: Duration = .zero) -> Bool {
        condition.lock()
        isClosed = true
        let closing = idle
        idle = []
        existing -= closing.count
        condition.broadcast()
        while making > 0 { condition.wait() }
        condition.unlock()
        for lent in closing { close(lent) }

        let end = ContinuousClock.now + duration
        condition.lock()
        defer { condition.unlock() }
        while existing > 0 {
            if !wait(until: end) { return existing == 0 }
        }
        return true
    }

    private func take() throws -> Lent {
        let end = ContinuousClock.now + timeout
        condition.lock()
        while true {
            if isClosed {
                condition.unlock()
                throw KernelError.storeClosed
            }
            // The one used last has the warmest cache.
            if let lent = idle.popLast() {
                condition.unlock()
                return lent
            }
            if existing < limit {
                existing += 1
                making += 1
                condition.unlock()
                return try makeReserved()
            }
            if !wait(until: end), idle.isEmpty, existing >= limit, !isClosed {
                condition.unlock()
                throw KernelError.storeBusy(DatabaseFailure(code: .busy, message: "all \(limit) readers are in use"))
            }
        }
    }

    /// Waits for a signal, false when the time is up; now and then it returns without either. With the lock held.
    private func wait(until end: ContinuousClock.Instant) -> Bool {
        let rest = ContinuousClock.now.duration(to: end)
        guard rest > .zero else { return false }
        // The condition knows the wall clock only: short waits keep a clock that is set from lengthening ours.
        _ = condition.wait(until: Date.now + min(rest, .seconds(1)).seconds)
        return true
    }

    private func reserve() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed, existing < limit else { return false }
        existing += 1
        making += 1
        return true
    }

    private func makeReserved() throws -> Lent {
        let made = Result { try make() }
        condition.lock()
        making -= 1
        if case .failure = made { existing -= 1 }
        condition.broadcast()
        condition.unlock()
        return try made.get()
    }

    private func giveBack(_ lent: Lent) {
        condition.lock()
        guard isClosed else {
            idle.append(lent)
            condition.signal()
            condition.unlock()
            return
        }
        condition.unlock()
        // Closed before it stops counting: closeAll's answer means that no connection is open.
        close(lent)
        condition.lock()
        existing -= 1
        condition.broadcast()
        condition.unlock()
    }
}
