internal import Foundation
internal import KernelSQL

/// Remembers the process that opened a store. After `fork` SQLite's locks are shared with the parent without either
/// knowing, and a row that the child has committed can be lost.
package struct ProcessGuard: Sendable {
    private let process: pid_t
    private let forks: Int

    package init() {
        process = getpid()
        forks = Forks.areCounted ? Forks.count : 0
    }

    /// Whether this is a child of the process that made the guard. Costs next to nothing: `getpid` is a call of the
    /// system, which can take as long as a small statement, so forks are counted instead.
    package var isForked: Bool {
        Forks.areCounted ? Forks.count != forks : getpid() != process
    }

    /// Throws `KernelError.usedAfterFork` in any process but the one that made the guard.
    package func check() throws {
        if isForked { throw KernelError.usedAfterFork }
    }
}
