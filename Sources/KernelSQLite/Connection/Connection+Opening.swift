internal import CKernelSQLite
internal import KernelSQL

extension Connection {
    static func open(path: String, role: ConnectionRole, options: ConnectionOptions) throws -> Handle {
        // Readers open for writing too: a WAL file's reader must be able to create the -shm. query_only holds them.
        var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        if role == .writer { flags |= SQLITE_OPEN_CREATE }
        var database: OpaquePointer?
        let code = sqlite3_open_v2(path, &database, flags, nil)
        guard let database else {
            throw DatabaseFailure(code: .noMemory, message: "no memory to open \(path)")
        }
        // Even a failed open gives a handle, which says why and must be closed.
        let handle = Handle(database: database, busyTimeout: options.busyTimeout)
        guard code == SQLITE_OK else { throw handle.failure(code, sql: nil) }
        return handle
    }

    /// Settings in the order in which they take effect: those that need no look into the file first.
    func configure() throws {
        try check(kernel_db_config(handle.database, SQLITE_DBCONFIG_DQS_DML, 0))
        try check(kernel_db_config(handle.database, SQLITE_DBCONFIG_DQS_DDL, 0))
        try check(kernel_db_config(handle.database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0))
        try check(kernel_db_config(handle.database, SQLITE_DBCONFIG_ENABLE_FKEY, 1))
        BusyHandler.install(on: handle)
        try Functions.register(on: handle)
        try ValuesModule.register(on: handle)
        if role == .writer { try setWAL() }
        if role == .reader { try execute("PRAGMA query_only=on") }
        // A first look into the file: what cannot be read is told here, and the -wal is opened while it has a name.
        _ = try integer(Connection.schemaVersion)
        handle.lateSettings =
            "PRAGMA synchronous=\(options.synchronous.rawValue); PRAGMA cache_size=-\(options.cacheKiB)"
            + (role == .writer ? "; PRAGMA journal_size_limit=\(Connection.logLimit)" : "")
    }

    /// Switching to WAL needs the file alone for a moment, and SQLite does not always wait for that by itself.
    private func setWAL() throws {
        let end = ContinuousClock.now + options.busyTimeout
        while true {
            do {
                var mode = ""
                try rows(Connection.walMode) { mode = try $0.text(0) }
                if mode == "wal" { return }
                throw DatabaseFailure(code: .cannotOpen, message: "no WAL is possible here: the mode stays \(mode)")
            } catch let failure as DatabaseFailure {
                guard case .busy = failure.code, ContinuousClock.now < end else { throw failure }
                BusyHandler.pause()
            }
        }
    }

    func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw handle.failure(code, sql: nil) }
    }

    private static let schemaVersion = SQLText("PRAGMA schema_version")
    private static let walMode = SQLText("PRAGMA journal_mode=WAL")
}
