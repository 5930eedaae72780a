/// How a connection is set up.
package struct ConnectionOptions: Sendable {
    /// When a commit counts as written.
    package enum Synchronous: String, Sendable {
        /// Each commit waits for the disk: it survives a power cut.
        case full = "FULL"
        /// A power cut may lose the last commits, never the file's structure.
        case normal = "NORMAL"
        /// For stores that nobody needs after the process: private memory stores.
        case off = "OFF"
    }

    package var synchronous: Synchronous
    /// How long a statement waits for a lock that another connection holds.
    package var busyTimeout: Duration
    /// The page cache. SQLite's own 2 MB makes large inserts a third slower.
    var cacheKiB: Int
    /// How many idle statements are kept prepared.
    var statementLimit: Int

    package init(
        synchronous: Synchronous = .full, busyTimeout: Duration = .seconds(5), cacheKiB: Int = 16000,
        statementLimit: Int = 256
    ) {
        self.synchronous = synchronous
        self.busyTimeout = busyTimeout
        self.cacheKiB = cacheKiB
        self.statementLimit = statementLimit
    }
}

/// What a connection is for.
package enum ConnectionRole: Sendable {
    /// Reads and writes, and creates the file when it is missing.
    case writer
    /// Reads only (`PRAGMA query_only`). The file must exist.
    case reader
}
