internal import Dispatch
internal import Synchronization

/// Runs one block on a queue while its caller's task waits.
///
/// Proof of `@unchecked Sendable`: the block is taken out under the lock, by one thread, once; the caller is suspended
/// from handing it in until it is gone again, as `withoutActuallyEscaping` demands.
final class Job<R>: @unchecked Sendable {
    private let work: Mutex<(() throws -> sending R)?>
    private let isCancelled = Atomic(false)

    init(_ work: sending @escaping () throws -> sending R) { self.work = Mutex(work) }

    /// Throws `CancellationError` when the task was cancelled before the block began.
    func run(on queue: DispatchQueue, isolation: isolated (any Actor)? = #isolation) async throws -> sending R {
        let outcome: Outcome<R> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    // The block must be gone before the caller goes on.
                    let outcome = self.outcome()
                    continuation.resume(returning: outcome)
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .releasing)
        }
        return try outcome.get()
    }

    private func outcome() -> Outcome<R> {
        let work = work.withLock { work in
            defer { work = nil }
            return work
        }
        guard let work, !isCancelled.load(ordering: .acquiring) else { return Outcome(.failure(CancellationError())) }
        do {
            return Outcome(.success(try work()))
        } catch {
            return Outcome(.failure(error))
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
