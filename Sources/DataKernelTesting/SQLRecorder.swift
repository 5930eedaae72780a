public import DataKernel
internal import Synchronization

/// Keeps the statements that a storage runs, so that a test can compare and count them.
///
/// ```swift
/// let recorder = SQLRecorder()
/// let storage = try SQLiteStorage(store: .memory, model: [Car.self], options: recorder.options())
/// let statements = try recorder.record { try storage.perform(ephemeral: true) { … } }
/// ```
public final class SQLRecorder: Sendable {
    private let recorded = Mutex<[String]>([])

    public init() {}

    /// Options whose trace hook is this recorder.
    public func options(_ base: StorageOptions = StorageOptions()) -> StorageOptions {
        var options = base
        options.trace = { [self] event in recorded.withLock { $0.append(event.sql) } }
        return options
    }

    /// What ran so far, in order, and forgets it.
    public func take() -> [String] {
        recorded.withLock { statements in
            defer { statements = [] }
            return statements
        }
    }

    /// What runs during `body`.
    public func record(_ body: () throws -> Void) rethrows -> [String] {
        _ = take()
        try body()
        return take()
    }
}
