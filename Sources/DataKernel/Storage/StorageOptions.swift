package import KernelSQL
package import KernelSQLite

/// How a storage works.
public struct StorageOptions: Sendable {
    public enum Durability: Sendable {
        /// A save that returned survives a power cut. One sync for each save.
        case full
        /// A power cut may take the last saves with it, never the store's integrity. Several times faster for small
        /// saves.
        case normal
    }

    public var durability: Durability
    /// How long to wait for another process that writes, before ``KernelError/storeBusy(_:)``.
    public var busyTimeout: Duration
    /// How long a unit of work waits for others of this process to end, before ``KernelError/storeBusy(_:)``. nil: for
    /// ever. Two units that wait for each other's storage would never end otherwise.
    /// The same for async units, which wait in a queue.
    public var unitTimeout: Duration?
    /// The version of the model. A store that was written by a program with a higher one is refused with
    /// ``KernelError/storeNewer(found:supported:)``.
    public var modelVersion: Int
    /// Called with each statement after it ran, on the thread that ran it.
    public var trace: (@Sendable (SQLTrace) -> Void)?
    /// Whether traces show values. They may be secrets: off unless asked for.
    public var tracesValues: Bool
    /// Makes calls to the database fail. For tests.
    package var fault: (@Sendable (FaultPoint) -> ResultCode?)?

    public init(
        durability: Durability = .full, busyTimeout: Duration = .seconds(5), unitTimeout: Duration? = .seconds(60),
        modelVersion: Int = 1,
        trace: (@Sendable (SQLTrace) -> Void)? = nil, tracesValues: Bool = false
    ) {
        self.durability = durability
        self.busyTimeout = busyTimeout
        self.unitTimeout = unitTimeout
        self.modelVersion = modelVersion
        self.trace = trace
        self.tracesValues = tracesValues
    }
}

/// One statement that ran.
public struct SQLTrace: Sendable, CustomStringConvertible {
    /// The statement, with `?` where values go.
    public let sql: String
    /// How long it took, all its rows included.
    public let duration: Duration
    /// The statement with its values, if ``StorageOptions/tracesValues`` is on.
    public let expandedSQL: String?

    public var description: String { "\(duration)  \(expandedSQL ?? sql)" }
}
