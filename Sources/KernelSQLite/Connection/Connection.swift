internal import CKernelSQLite
package import KernelSQL

/// One connection to a database file. Belongs to one thread at a time: whoever shares it (the unit gate, the
/// reader pool) sees to that. Every failure is a ``DatabaseFailure``.
package final class Connection {
    package let path: String
    package let role: ConnectionRole
    package let options: ConnectionOptions
    /// Why a rollback failed, if one did: the state of the transaction is unknown, and no new one may begin here.
    package internal(set) var retirement: DatabaseFailure?
    package var isRetired: Bool { retirement != nil }
    /// Whether the first transaction of each log says which file the log is for. See ``LogMark``.
    package var marksLogs = false
    /// Stops what runs here, from any thread.
    package let interrupter: Interrupter

    let handle: Handle
    let cache: StatementCache
    let turn: TurnFile?
    /// By their depth.
    var savepoints: [SavepointTexts] = []

    /// Opens the file at an absolute `path` and sets the connection up: foreign keys on, WAL, no double-quoted
    /// strings, no trust in the file's schema, the kernel's functions registered. A writer creates a missing file.
    package init(path: String, role: ConnectionRole, options: ConnectionOptions = ConnectionOptions()) throws {
        // A relative name could be taken for a URI or a memory database.
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw DatabaseFailure(code: .cannotOpen, message: "not an absolute path: \(path)")
        }
        self.path = path
        self.role = role
        self.options = options
        // Before SQLite may make the file, and again when it has.
        let file = try OpenFile(path: path)
        handle = try Self.open(path: path, role: role, options: options)
        handle.file = try file ?? OpenFile(path: path)
        interrupter = handle.interrupter
        cache = StatementCache(limit: options.statementLimit, handle: handle)
        turn = role == .writer ? TurnFile(path: path + StoreFile.turnSuffix) : nil
        try configure()
    }

    deinit { close() }

    /// Finalises the idle statements and closes. Statements still borrowed throw from then on. May be called again.
    package func close() {
        cache.removeAll()
        handle.close()
        turn?.close()
    }

    /// Closes the connection to a file that was removed, or is about to be. The last connection to a file copies the log
    /// into it and deletes the log by its path, where the log of another file may lie by now: this one does neither.
    package func closeRemoved() {
        if !handle.isClosed { _ = kernel_db_config(handle.database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
        close()
    }

    /// The file that it was opened on. nil after `close`.
    package var file: OpenFile? { handle.file }

    /// Whether the file that it was opened on is that one, and still stands at the path.
    package func isOn(_ file: OpenFile) -> Bool {
        handle.file?.id == file.id && file.isStill(at: path) && !hasMoved
    }

    package var isClosed: Bool { handle.isClosed }

    // MARK: Statements

    /// A statement for `text`, the caller's alone until it gives it back. Prepares only when none is idle.
    package func borrow(_ text: SQLText) throws -> Statement {
        if handle.isClosed { throw Handle.closed }
        return try cache.borrow(text)
    }

    /// Takes a borrowed statement back: resets it and forgets its bindings.
    package func giveBack(_ statement: Statement) {
        cache.giveBack(statement)
    }

    /// Runs every statement in `sql`, one after another. For schema changes and settings: nothing is cached.
    package func execute(_ sql: String) throws {
        var rest = sql[...]
        while !rest.isEmpty {
            let (statement, tail) = try handle.prepare(rest)
            rest = tail
            try statement?.run()
        }
    }

    /// Runs `text` to its end. Gives how many rows it inserted, updated or deleted itself.
    @discardableResult
    package func run(_ text: SQLText, bind: (Statement) throws -> Void = { _ in }) throws -> Int {
        let statement = try borrow(text)
        defer { giveBack(statement) }
        try bind(statement)
        let before = sqlite3_total_changes64(handle.database)
        try statement.run()
        // SQLite's count is the last writing statement's; it stays when this one wrote nothing.
        return sqlite3_total_changes64(handle.database) == before ? 0 : changes
    }

    /// Runs `text` and calls `each` with every row. The row is valid during the call only.
    package func rows(
        _ text: SQLText, bind: (Statement) throws -> Void = { _ in }, each: (StatementRow) throws -> Void
    ) throws {
        let statement = try borrow(text)
        defer { giveBack(statement) }
        try bind(statement)
        while try statement.step() { try each(statement.row) }
    }

    // MARK: State

    /// Whether a transaction is open. Asks SQLite, which may have rolled back by itself.
    package var isInTransaction: Bool { !isClosed && sqlite3_get_autocommit(handle.database) == 0 }

    /// How many `?` a statement may have.
    package var variableLimit: Int {
        isClosed ? 0 : Int(sqlite3_limit(handle.database, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
    }

    /// The rows that the last INSERT, UPDATE or DELETE changed itself.
    package var changes: Int { isClosed ? 0 : Int(sqlite3_changes64(handle.database)) }

    /// How many rows this connection has inserted, updated and deleted since it was opened, rolled back or not.
    package var totalChanges: Int64 { isClosed ? 0 : sqlite3_total_changes64(handle.database) }

    /// A number that changes when another connection has committed.
    package func dataVersion() throws -> Int64 {
        try integer(Texts.dataVersion)
    }

    /// Whether a COMMIT now would fail for a foreign key. Costs next to nothing; blind to violations of old.
    package var hasDeferredViolations: Bool {
        guard !isClosed else { return false }
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle.database, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return current != 0
    }

    /// Whether the file was renamed or removed since it was opened. Always true for a memory store after its unlink.
    package var hasMoved: Bool {
        guard !isClosed else { return false }
        var moved: Int32 = 0
        let code = sqlite3_file_control(handle.database, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        return code == SQLITE_OK && moved != 0
    }

    /// Makes what runs here fail with `.interrupt`. From another thread use ``interrupter``.
    package func interrupt() { interrupter.interrupt() }

    /// The first column of the first row, as an integer.
    package func integer(_ text: SQLText) throws -> Int64 {
        var result: Int64 = 0
        try rows(text) { row in result = try row.integer(0) }
        return result
    }

    // MARK: Observation

    package var counters: Counters {
        get { handle.counters }
        set { handle.counters = newValue }
    }

    /// Called at the end of every run.
    package var trace: ((TraceEvent) -> Void)? {
        get { handle.trace }
        set { handle.trace = newValue }
    }

    /// Whether traces carry the bound values. Off by default: values may be private.
    package var tracesValues: Bool {
        get { handle.tracesValues }
        set { handle.tracesValues = newValue }
    }

    /// Consulted before each prepare, run, begin, commit and rollback; a code it gives is thrown instead.
    package var fault: ((FaultPoint) -> ResultCode?)? {
        get { handle.fault }
        set { handle.fault = newValue }
    }

    private enum Texts {
        static let dataVersion = SQLText("PRAGMA data_version")
    }
}
