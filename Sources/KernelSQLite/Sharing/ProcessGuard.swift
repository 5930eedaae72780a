internal import Foundation
internal import KernelSQL

/// Remembers the process that opened a store. After `fork` SQLite's locks are shared with the parent without either
/// knowing, and a row that the child has committed can be lost.
package struct ProcessGuard: Sendable {
    private let process: pid_t

    package init() { self.init(process: getpid()) }

    init(process: pid_t) { self.process = process }

    /// Throws `KernelError.usedAfterFork` in any process but the one that made the guard. Costs some 50 ns.
    package func check() throws {
        if getpid() != process { throw KernelError.usedAfterFork }
    }
}
