public import DataKernel
internal import KernelSQLite
internal import Synchronization

/// Makes the n-th call to the database fail, without the call being made.
///
/// ```swift
/// let faults = FaultInjector()
/// let storage = try SQLiteStorage(store: .memory, model: [Car.self], options: faults.options())
/// faults.arm(call: 3, with: .full)
/// ```
public final class FaultInjector: Sendable {
    private struct State {
        var calls = 0
        var failing: Int?
        var code = ResultCode.ioError
        var fired = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Options whose storage asks this injector before every call.
    public func options(_ base: StorageOptions = StorageOptions()) -> StorageOptions {
        var options = base
        options.fault = { [self] _ in next() }
        return options
    }

    /// Lets the calls from here on be counted from 1, and the `call`-th fail with `code`.
    public func arm(call: Int, with code: ResultCode) {
        state.withLock { $0 = State(calls: 0, failing: call, code: code) }
    }

    /// Lets all calls through again.
    public func disarm() { state.withLock { $0.failing = nil } }

    /// Whether the armed call has failed.
    public var hasFired: Bool { state.withLock { $0.fired > 0 } }

    private func next() -> ResultCode? {
        state.withLock { state in
            guard let failing = state.failing else { return nil }
            state.calls += 1
            guard state.calls == failing else { return nil }
            state.fired += 1
            return state.code
        }
    }
}
