internal import CKernelSQLite
package import Foundation
package import KernelSQL

/// A prepared statement: bind, step, read `row`, and give it back to its connection.
///
/// Every `bind` fills the next parameter; `rewind()` begins again at the first. A bind that fails is remembered
/// and thrown by the next `step`, so that binding needs no `try`. Bindings stay over a `reset()`.
/// A statement that is dropped instead of being given back is finalised.
package final class Statement: Binder {
    package let sql: String
    package let row: StatementRow
    private let parameterCount: Int
    /// The cache's place for this statement; nil for one that is not cached.
    let slot: StatementSlot?
    let pointer: OpaquePointer
    private let handle: Handle
    private let isControl: Bool
    private let isSingle: Bool
    // Touched once or more for every value and row. Each access is over before the next begins, so the run-time check
    // of overlapping accesses finds nothing.
    @exclusivity(unchecked)
    private var nextParameter: Int32 = 1
    @exclusivity(unchecked)
    private var bindFailure: DatabaseFailure?
    @exclusivity(unchecked)
    private var isRunning = false
    @exclusivity(unchecked)
    private var rowCount = 0
    /// Whether something is bound that must not be kept until the next use.
    @exclusivity(unchecked)
    private var holdsMuch = false
    private var began = ContinuousClock.now

    init(pointer: OpaquePointer, sql: String, isControl: Bool, slot: StatementSlot?, handle: Handle) {
        self.pointer = pointer
        self.sql = sql
        self.isControl = isControl
        self.slot = slot
        self.handle = handle
        isSingle = slot?.text.isSingle ?? false
        row = StatementRow(statement: pointer)
        parameterCount = Int(sqlite3_bind_parameter_count(pointer))
        super.init()
    }

    deinit {
        row.statement = nil
        if !handle.process.isForked { sqlite3_finalize(pointer) }
    }

    // MARK: Binding

    /// Up to so many bytes, a text or a blob may stay bound while the statement is idle.
    private static let smallValue = 256

    /// Begins again: ends a run in progress, and the next `bind` fills the first parameter.
    package func rewind() {
        reset()
        nextParameter = 1
        bindFailure = nil
    }

    override package func bindNull() {
        check(sqlite3_bind_null(pointer, takeParameter()))
    }

    override package func bind(integer value: Int64) {
        check(sqlite3_bind_int64(pointer, takeParameter(), value))
    }

    override package func bind(real value: Double) {
        check(sqlite3_bind_double(pointer, takeParameter(), value))
    }

    override package func bind(text value: String) {
        let parameter = takeParameter()
        // No bytes may have no address, and text without an address would be NULL.
        guard !value.isEmpty else { return check(sqlite3_bind_text(pointer, parameter, "", 0, copied)) }
        var value = value
        let code = value.withUTF8 { bytes in
            if bytes.count > Statement.smallValue { holdsMuch = true }
            return bytes.withMemoryRebound(to: CChar.self) { bytes in
                sqlite3_bind_text64(
                    pointer, parameter, bytes.baseAddress, bytes.count.length, copied, utf8Encoding)
            }
        }
        check(code)
    }

    override package func bind(blob value: Data) {
        if value.count > Statement.smallValue { holdsMuch = true }
        let parameter = takeParameter()
        // No bytes have no address, and a blob without an address would be NULL.
        guard !value.isEmpty else { return check(sqlite3_bind_zeroblob(pointer, parameter, 0)) }
        check(
            value.withUnsafeBytes { sqlite3_bind_blob64(pointer, parameter, $0.baseAddress, $0.count.length, copied) })
    }

    package func bind(stored value: StoredValue) {
        switch value {
        case .null: bindNull()
        case .integer(let value): bind(integer: value)
        case .real(let value): bind(real: value)
        case .text(let value): bind(text: value)
        case .blob(let value): bind(blob: value)
        }
    }

    /// Binds a list for `kernel_values(?)`. The statement keeps the list until the parameter is bound anew.
    package func bind(list: ValueList) {
        holdsMuch = true
        check(list.bind(to: pointer, parameter: takeParameter()))
    }

    private func takeParameter() -> Int32 {
        defer { nextParameter += 1 }
        return nextParameter
    }

    private func check(_ code: Int32) {
        if code != SQLITE_OK, bindFailure == nil { bindFailure = handle.failure(code, sql: sql) }
    }

    // MARK: Running

    /// Goes to the next row; the first call begins a run. False: there is no further row, and the statement is
    /// reset. Throws ``DatabaseFailure``, also for a bind that failed and for parameters left unbound.
    package func step() throws -> Bool {
        if handle.isClosed { throw Handle.closed }
        if let bindFailure { throw bindFailure }
        if !isRunning {
            try begin()
        } else if isSingle, rowCount > 0 {
            // There is no other one, and asking for it costs as much as a tenth of finding the first.
            reset()
            return false
        } else if sqlite3_stmt_busy(pointer) == 0 {
            // Stepping on would silently run the statement a second time.
            isRunning = false
            throw DatabaseFailure(code: .abort, message: "the rows ended with a rollback or commit", sql: sql)
        }
        handle.counters.steps += 1
        switch sqlite3_step(pointer) {
        case SQLITE_ROW:
            rowCount += 1
            return true
        case SQLITE_DONE:
            reset()
            return false
        case let code:
            let failure = handle.failure(code, sql: sql)
            end(failure)
            throw failure
        }
    }

    /// Runs to the end, whatever rows come, and resets.
    package func run() throws {
        while try step() {}
    }

    /// Ends a run in progress. Bindings stay.
    package func reset() {
        if isRunning { end(nil) }
    }

    /// Ends a run and lets go of what is bound.
    func clear() {
        reset()
        // Only after the reset: registers of a run may point into a bound list. Small values stay: a run does not begin
        // before all parameters are bound anew.
        if holdsMuch { sqlite3_clear_bindings(pointer) }
        holdsMuch = false
        nextParameter = 1
        bindFailure = nil
    }

    private func begin() throws {
        guard Int(nextParameter) == parameterCount + 1 else {
            let message = "\(parameterCount) parameters, \(nextParameter - 1) bound"
            throw DatabaseFailure(code: .misuse, message: message, sql: sql)
        }
        if handle.fault != nil, !isControl { try handle.consult(.run(sql), sql: sql) }
        if handle.trace != nil { began = .now }
        handle.counters.runs += 1
        rowCount = 0
        isRunning = true
    }

    private func end(_ failure: DatabaseFailure?) {
        isRunning = false
        if let trace = handle.trace {
            let event = TraceEvent(
                sql: sql, expandedSQL: handle.tracesValues ? expanded() : nil, duration: began.duration(to: .now),
                rows: rowCount, failure: failure)
            sqlite3_reset(pointer)
            trace(event)
        } else {
            sqlite3_reset(pointer)
        }
    }

    private func expanded() -> String? {
        guard let text = sqlite3_expanded_sql(pointer) else { return nil }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }

    /// Whether the statement leaves the database as it is.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 }
}
