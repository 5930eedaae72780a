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
    /// not when another connection still reads from the log; a mark too many does no harm.
    ///
    /// SQLite has no call that tells. The answer is in the index of the log, which has a documented format
    /// (https://sqlite.org/walformat.html, section 2) and is mapped into memory anyway. If it is not as expected: yes.
    private var mayBeginLog: Bool {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(handle.database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        var region: UnsafeMutableRawPointer?
        guard let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
            methods.pointee.xShmMap?(file, 0, WalIndex.regionSize, 0, &region) == SQLITE_OK, let region
        else { return true }
        func value(_ offset: Int) -> UInt32 { region.load(fromByteOffset: offset, as: UInt32.self) }
        guard value(0) == WalIndex.version else { return true }
        return value(WalIndex.frames) == value(WalIndex.framesInFile)
    }

    private enum WalIndex {
        static let regionSize: Int32 = 32_768
        static let version: UInt32 = 3_007_000
        static let frames = 16
        static let framesInFile = 96
    }

    private enum Texts {
        static let hasTable = SQLText(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(LogMark.table)'")
    }
}
