package import KernelSQL

/// Where a test can make the database fail.
package enum FaultPoint: Sendable, Equatable {
    /// A statement is about to be prepared.
    case prepare(String)
    /// A statement is about to take its first step.
    case run(String)
    case begin
    case commit
    case rollback
}

/// One run of one statement, reported when it ends: at its last row, at a reset, or at an error.
package struct TraceEvent: Sendable {
    package let sql: String
    /// The statement with its values filled in. Only when the connection's `tracesValues` is on.
    package let expandedSQL: String?
    package let duration: Duration
    /// How many rows it gave.
    package let rows: Int
    package let failure: DatabaseFailure?
}

/// What a connection has done since it was opened. Tests pin these instead of seconds.
package struct Counters: Sendable, Equatable {
    package var prepares = 0
    package var steps = 0
    package var runs = 0
}
