import DataKernel
import Foundation
import Synchronization
import Testing

/// A door that one thread or task waits at until another one opens it. A thread's waiting ends with an error after a
/// time-out, so that a test fails instead of hanging.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    struct NotOpened: Error {}

    private let state = Mutex(State())
    private let condition = DispatchSemaphore(value: 0)

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        condition.signal()
        for continuation in waiting { continuation.resume() }
    }

    /// Blocks the calling thread. For units of work.
    func wait() throws {
        if condition.wait(timeout: .now() + 60) == .timedOut { throw NotOpened() }
        condition.signal()
    }

    /// Suspends the calling task.
    func opened() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// Runs a block on a thread of its own: what blocks must not take a thread of Swift's concurrency.
func onThread<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
