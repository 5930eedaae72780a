internal import CKernelSQLite
internal import KernelSQL

/// The three statements of one savepoint depth, made once.
struct SavepointTexts {
    let open: SQLText
    let release: SQLText
    let rollback: SQLText

    init(depth: Int) {
        open = SQLText(control: "SAVEPOINT kernel_\(depth)")
        release = SQLText(control: "RELEASE kernel_\(depth)")
        rollback = SQLText(control: "ROLLBACK TO kernel_\(depth)")
    }
}

extension Connection {
    /// Begins a transaction that may write (BEGIN IMMEDIATE). Waits for other writers in turn, for `busyTimeout`
    /// at most, then throws `.busy`.
    package func begin() throws {
        try handle.process.check()
        if isRetired { throw DatabaseFailure(code: .misuse, message: "the connection is retired: a rollback failed") }
        if handle.fault != nil { try handle.consult(.begin, sql: Control.begin.text) }
        let deadline = ContinuousClock.now + options.busyTimeout
        guard turn?.take(until: deadline) ?? true else {
            throw DatabaseFailure(
                code: .busy, message: "other writers were first until the time-out", sql: Control.begin.text)
        }
        defer { turn?.pass() }
        handle.deadline = deadline
        defer { handle.deadline = nil }
        try run(Control.begin)
        guard marksLogs else { return }
        do {
            try markLog()
        } catch {
            try? rollback()
            throw error
        }
    }

    /// Commits. A failure leaves the transaction open, unless SQLite has rolled it back: ask `isInTransaction`.
    package func commit() throws {
        try handle.process.check()
        if handle.fault != nil { try handle.consult(.commit, sql: Control.commit.text) }
        resetStatements(writersOnly: true)
        try run(Control.commit)
    }

    /// Rolls the whole transaction back. Nothing happens when there is none, for instance because SQLite was
    /// first. A rollback that fails retires the connection.
    package func rollback() throws {
        try handle.process.check()
        if handle.fault != nil { try retiring { try handle.consult(.rollback, sql: Control.rollback.text) } }
        guard isInTransaction else { return }
        resetStatements(writersOnly: false)
        try retiring { try run(Control.rollback) }
    }

    /// Opens the savepoint of `depth`. The caller counts depths.
    package func savepoint(depth: Int) throws {
        try run(texts(depth).open)
    }

    /// Keeps what was done since the savepoint of `depth`, as a part of what surrounds it.
    package func release(depth: Int) throws {
        resetStatements(writersOnly: true)
        try run(texts(depth).release)
    }

    /// Undoes what was done since the savepoint of `depth`, which stays open: release it or go on. Nothing happens
    /// when there is no transaction any more.
    package func rollback(toDepth depth: Int) throws {
        try handle.process.check()
        if handle.fault != nil { try retiring { try handle.consult(.rollback, sql: texts(depth).rollback.text) } }
        guard isInTransaction else { return }
        resetStatements(writersOnly: false)
        try retiring { try run(texts(depth).rollback) }
    }

    private func retiring(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let failure as DatabaseFailure {
            retirement = failure
            throw failure
        }
    }

    private func texts(_ depth: Int) -> SavepointTexts {
        while savepoints.count <= depth { savepoints.append(SavepointTexts(depth: savepoints.count)) }
        return savepoints[depth]
    }

    /// Resets the statements that stand on a row. Before a rollback all: their further rows would come from the
    /// state after it. Before a commit those that write: COMMIT is busy while one of them is not reset. A reset
    /// statement throws at its next step (see `Statement.step`).
    private func resetStatements(writersOnly: Bool) {
        if isClosed { return }
        var next = sqlite3_next_stmt(handle.database, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0, !writersOnly || sqlite3_stmt_readonly(statement) == 0 {
                sqlite3_reset(statement)
            }
            next = sqlite3_next_stmt(handle.database, statement)
        }
    }

    private enum Control {
        static let begin = SQLText(control: "BEGIN IMMEDIATE")
        static let commit = SQLText(control: "COMMIT")
        static let rollback = SQLText(control: "ROLLBACK")
    }
}
