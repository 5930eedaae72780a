internal import Dispatch
internal import Synchronization

/// Runs one block on a queue while its caller's task waits.
///
/// Proof of `@unchecked Sendable`: whoever takes the caller out of the lock, which one thread does, once, also takes the
/// block: to run it, or to drop it. The caller is suspended from handing the block in until it is gone again, as
/// `withoutActuallyEscaping` demands.
final class Job<R>: QueuedUnit, @unchecked Sendable {
    private struct Caller {
        var continuation: CheckedContinuation<Outcome<R>, Never>?
        var isCancelled = false
    }

    private var work: (() throws -> sending R)?
    private let caller = Mutex(Caller())

    init(_ work: sending @escaping () throws -> sending R) { self.work = work }

    /// Runs the block when its turn in the queue comes. Throws `CancellationError` as soon as the task is cancelled
    /// before the block began, and what the queue ends it with.
    func run(in queue: UnitQueue, isolation: isolated (any Actor)? = #isolation) async throws -> sending R {
        try await wait { queue.add(self) }
    }

    /// Runs the block on a queue that has room for it.
    func run(on queue: DispatchQueue, isolation: isolated (any Actor)? = #isolation) async throws -> sending R {
        try await wait { queue.async { self.run()?() } }
    }

    private func wait(isolation: isolated (any Actor)? = #isolation, _ start: () -> Void) async throws -> sending R {
        let outcome: Outcome<R> = await withTaskCancellationHandler {
            // A closure that does not use the isolation leaves the actor before the block is in the queue.
            _ = isolation
            return await withCheckedContinuation { continuation in
                let isCancelled = caller.withLock { caller in
                    caller.continuation = continuation
                    return caller.isCancelled
                }
                if isCancelled { end(CancellationError()) } else { start() }
            }
        } onCancel: {
            caller.withLock { $0.isCancelled = true }
            end(CancellationError())
        }
        return try outcome.get()
    }

    var isWaiting: Bool { caller.withLock { $0.continuation != nil } }

    func end(_ error: any Error) {
        guard let continuation = takeCaller() else { return }
        work = nil
        continuation.resume(returning: Outcome(.failure(error)))
    }

    func run() -> (() -> Void)? {
        guard let continuation = takeCaller() else { return nil }
        let outcome = outcome()
        return { continuation.resume(returning: outcome) }
    }

    private func outcome() -> Outcome<R> {
        // The block must be gone before the caller goes on.
        defer { work = nil }
        guard let work else { return Outcome(.failure(CancellationError())) }
        do {
            return Outcome(.success(try work()))
        } catch {
            return Outcome(.failure(error))
        }
    }

    /// Gives the caller to the first who asks.
    private func takeCaller() -> CheckedContinuation<Outcome<R>, Never>? {
        caller.withLock { caller in
            defer { caller.continuation = nil }
            return caller.continuation
        }
    }
}

/// Carries what a block made to its caller, past code that cannot say `sending`.
///
/// Proof of `@unchecked Sendable`: the block's value is `sending`, nobody else refers to it, and it is taken once.
struct Outcome<R>: @unchecked Sendable {
    private let result: Result<R, any Error>

    init(_ result: Result<R, any Error>) { self.result = result }

    func get() throws -> sending R {
        nonisolated(unsafe) let result = result
        return try result.get()
    }
}

/// Whether the code that asks runs where the main actor does.
enum MainThread {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Asks the main queue, not the thread: an async `main` on Linux lets other threads work on the main queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
