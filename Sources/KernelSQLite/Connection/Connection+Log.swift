internal import CKernelSQLite
internal import KernelSQL

extension Connection {
    /// Whether the file has the table of the log's mark, which older versions of the kernel did not make.
    package func hasLogMark() throws -> Bool {
        try integer(Texts.hasTable) > 0
    }

    /// Gives the file its first mark. Inside the transaction that makes the store or brings it up to date.
    package func makeLogMark(isNewStore: Bool) throws {
        for sql in LogMark.tableSQL(isNewStore: isNewStore) { try execute(sql) }
    }

    /// Renews the mark if the transaction that has just begun may be the first of a log. See ``LogMark``.
    func markLog() throws {
        if mayBeginLog { try run(LogMark.renew) }
    }

    /// Whether SQLite may begin the log anew with this transaction: when all of it is in the file already. It does
    /// not when another connection still reads from the log; a mark too many does no harm. If that cannot be told: yes.
    private var mayBeginLog: Bool {
        guard let index = WalIndex(handle.database) else { return true }
        return index.frames == index.framesInFile
    }

    private enum Texts {
        static let hasTable = SQLText(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(LogMark.table)'")
    }
}

// MARK: The log's length

extension Connection {
    /// How long a log may lie beside a store that nobody reads or writes: 4 MB. SQLite copies the log into the file when
    /// it has 1,000 pages, and begins anew at its front. While somebody reads what it would overwrite, it grows.
    package static var logLimit: Int { 4 << 20 }

    /// The bytes of the log that are in use; 0 if that cannot be told.
    package var logLength: Int {
        guard !isClosed, let index = WalIndex(handle.database) else { return 0 }
        return Int(index.frames) &* (index.pageSize &+ 24)
    }

    /// Copies into the file what no reader needs in the log. Waits for nobody, and nobody waits for it.
    package func copyLog() {
        guard !isClosed, !handle.process.isForked else { return }
        sqlite3_wal_checkpoint_v2(handle.database, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    /// Copies the log into the file and empties it, unless somebody reads from it or writes for longer than `wait`. To be
    /// called between two transactions.
    package func emptyLog(waiting wait: Duration = .zero) {
        guard !isClosed, !isRetired, !isInTransaction, !handle.process.isForked else { return }
        handle.deadline = .now + wait
        defer { handle.deadline = nil }
        sqlite3_wal_checkpoint_v2(handle.database, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
}

/// The index of the log, which has a documented format (https://sqlite.org/walformat.html, section 2) and is mapped into
/// memory anyway. SQLite has no call that tells what it says.
private struct WalIndex {
    private let region: UnsafeMutableRawPointer

    /// nil: there is none, or it is not as expected.
    init?(_ database: OpaquePointer) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        var region: UnsafeMutableRawPointer?
        guard let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
            methods.pointee.xShmMap?(file, 0, 32_768, 0, &region) == SQLITE_OK, let region
        else { return nil }
        self.region = region
        guard value(0) == 3_007_000 else { return nil }
    }

    var frames: UInt32 { value(16) }
    var framesInFile: UInt32 { value(96) }
    var pageSize: Int {
        let stored = Int(region.load(fromByteOffset: 14, as: UInt16.self))
        return stored == 1 ? 65_536 : stored
    }

    private func value(_ offset: Int) -> UInt32 { region.load(fromByteOffset: offset, as: UInt32.self) }
}
