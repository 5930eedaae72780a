internal import CKernelSQLite
internal import KernelSQL

/// The bytes of a database file as they lie there: no lock, no look at the `-wal`, nothing changed.
///
/// Through SQLite's file layer, not through `open` and `close`: closing a descriptor drops every lock that this
/// process holds on the file, those of connections that are open elsewhere in it too.
final class RawFile {
    private let database: OpaquePointer?
    private let file: UnsafeMutablePointer<sqlite3_file>

    /// Throws `KernelError.cannotOpen`.
    init(path: String) throws {
        var database: OpaquePointer?
        let code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
        var file: UnsafeMutablePointer<sqlite3_file>?
        if code == SQLITE_OK { sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) }
        guard let file, file.pointee.pMethods != nil else {
            defer { sqlite3_close_v2(database) }
            throw KernelError.cannotOpen(path: path, reason: Self.message(database))
        }
        self.database = database
        self.file = file
    }

    deinit { sqlite3_close_v2(database) }

    var size: Int64 {
        var size: sqlite3_int64 = 0
        _ = file.pointee.pMethods.pointee.xFileSize?(file, &size)
        return size
    }

    /// `count` bytes from `offset` on, or nil where the file ends before. Throws `KernelError.database`.
    func read(_ count: Int, at offset: Int64) throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        guard let read = file.pointee.pMethods.pointee.xRead else { return nil }
        switch read(file, &buffer, Int32(count), offset) {
        case SQLITE_OK: return buffer
        case SQLITE_IOERR | 2 << 8: return nil  // a short read
        case let code:
            let failure = DatabaseFailure(code: ResultCode(code), message: String(cString: sqlite3_errstr(code)))
            throw KernelError.database(failure)
        }
    }

    private static func message(_ database: OpaquePointer?) -> String {
        let code = sqlite3_system_errno(database)
        return code == 0 ? String(cString: sqlite3_errmsg(database)) : StoreFile.reason(code)
    }
}
