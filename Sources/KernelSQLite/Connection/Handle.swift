internal import CKernelSQLite
internal import KernelSQL
internal import Synchronization

/// What a connection and its statements share: the database handle and what is observed about it.
///
/// A statement holds it strongly, so a statement that outlives its `Connection` never meets a freed handle:
/// `sqlite3_close_v2` keeps the handle until the last statement is finalised, and `isClosed` stops its use.
final class Handle {
    let database: OpaquePointer
    let interrupter: Interrupter
    let busyTimeout: Duration
    let process = ProcessGuard()
    /// Lets a child process know that the file is open here.
    var file: OpenFile?
    // Asked at every step; no access to one of them contains another, so the run-time check is left out.
    @exclusivity(unchecked)
    var isClosed = false
    @exclusivity(unchecked)
    var counters = Counters()
    @exclusivity(unchecked)
    var trace: ((TraceEvent) -> Void)?
    var tracesValues = false
    @exclusivity(unchecked)
    var fault: ((FaultPoint) -> ResultCode?)?
    /// Settings for which SQLite reads the whole schema, which is most of opening a store of many tables: made with the
    /// first statement that is prepared, since a connection (the main actor's, say) may never be used.
    var lateSettings: String?
    /// The end of the wait that `begin` has already started; nil lets each statement wait for `busyTimeout`.
    var deadline: ContinuousClock.Instant?
    /// The end of the wait in progress.
    var waitsUntil = ContinuousClock.now

    init(database: OpaquePointer, busyTimeout: Duration) {
        self.database = database
        self.busyTimeout = busyTimeout
        interrupter = Interrupter(database)
    }

    deinit { close() }

    /// Lets go of the database. Statements must not be stepped afterwards, but may be finalised.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        // In a child after fork it stays as it is: closing would remove the log under the parent's feet.
        guard !process.isForked else { return }
        interrupter.forget()
        sqlite3_close_v2(database)
        file = nil
    }

    func applyLateSettings() throws {
        guard let settings = lateSettings else { return }
        let code = sqlite3_exec(database, settings, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql: settings) }
        lateSettings = nil
    }

    /// What SQLite says about the call that has just failed with `code`.
    func failure(_ code: Int32, sql: String?) -> DatabaseFailure {
        let text = isClosed ? sqlite3_errstr(code) : sqlite3_errmsg(database)
        let result = ResultCode(code)
        var systemError: Int32?
        // SQLite keeps the number for these two only; of others it would be an old one.
        if !isClosed, result.primary == .ioError || result.primary == .cannotOpen {
            let number = sqlite3_system_errno(database)
            if number != 0 { systemError = number }
        }
        return DatabaseFailure(
            code: result, message: text.map { String(cString: $0) } ?? "", sql: sql, systemError: systemError)
    }

    /// Throws what the fault closure asks for. Callers test `fault` for nil first, so that it costs nothing when off.
    func consult(_ point: FaultPoint, sql: String?) throws {
        guard let code = fault?(point) else { return }
        let text = sqlite3_errstr(code.rawValue).map { String(cString: $0) } ?? ""
        throw DatabaseFailure(code: code, message: text, sql: sql)
    }

    static let closed = DatabaseFailure(code: .misuse, message: "the connection is closed")
}

/// Stops what a connection is doing, from any thread.
package final class Interrupter: Sendable {
    // Behind a lock, so that an interrupt never meets a handle that is being closed.
    private let database: Mutex<UInt?>

    init(_ database: OpaquePointer) {
        self.database = Mutex(UInt(bitPattern: database))
    }

    /// Makes the statements that are running now fail with `.interrupt`. A write takes its whole transaction along.
    package func interrupt() {
        database.withLock { address in
            guard let address, let database = OpaquePointer(bitPattern: address) else { return }
            sqlite3_interrupt(database)
        }
    }

    func forget() {
        database.withLock { $0 = nil }
    }
}
