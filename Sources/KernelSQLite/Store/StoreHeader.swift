internal import CKernelSQLite
internal import KernelSQL

/// What the first 100 bytes of a file say. See https://sqlite.org/fileformat.html, section 1.3.
struct StoreHeader {
    private let bytes: [UInt8]
    private let fileSize: Int64

    /// Reads the header, without a lock and without a look at the `-wal`. Throws ``KernelError``: no rights, no
    /// database.
    ///
    /// Through SQLite's file layer, not through `open` and `close`: closing a descriptor drops every lock that this
    /// process holds on the file, those of connections that are open elsewhere in it too.
    init(path: String) throws {
        var database: OpaquePointer?
        let code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
        defer { sqlite3_close_v2(database) }
        guard code == SQLITE_OK else { throw KernelError.cannotOpen(path: path, reason: Self.message(database)) }
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard let file, let read = file.pointee.pMethods?.pointee.xRead else {
            throw KernelError.cannotOpen(path: path, reason: Self.message(database))
        }
        var buffer = [UInt8](repeating: 0, count: 100)
        switch read(file, &buffer, 100, 0) {
        case SQLITE_OK: break
        case SQLITE_IOERR | 2 << 8: throw KernelError.notADatabase(path: path)  // a short read
        case let code:
            let failure = DatabaseFailure(code: ResultCode(code), message: String(cString: sqlite3_errstr(code)))
            throw KernelError.database(failure)
        }
        guard buffer.starts(with: Array("SQLite format 3\0".utf8)) else { throw KernelError.notADatabase(path: path) }
        bytes = buffer
        var size: sqlite3_int64 = 0
        _ = file.pointee.pMethods?.pointee.xFileSize?(file, &size)
        fileSize = size
    }

    private static func message(_ database: OpaquePointer?) -> String {
        let code = sqlite3_system_errno(database)
        return code == 0 ? String(cString: sqlite3_errmsg(database)) : StoreFile.reason(code)
    }

    var applicationID: Int32 { integer(at: 68) }
    var userVersion: Int32 { integer(at: 60) }
    /// Zero until the first table is created.
    var schemaCookie: Int32 { integer(at: 40) }

    func content(path: String) throws -> StoreFile.Content {
        guard applicationID == StoreFile.applicationID else {
            if applicationID == 0, schemaCookie == 0 { return .nothing }
            throw KernelError.foreignStore(path: path, applicationID: Int(applicationID))
        }
        guard userVersion <= StoreFile.formatVersion else {
            throw KernelError.storeNewer(found: Int(userVersion), supported: Int(StoreFile.formatVersion))
        }
        if isCutOff, !StoreFile.hasLog(path: path) {
            let failure = DatabaseFailure(code: .corrupt, message: "the file ends before its last page")
            throw KernelError.storeDamaged(path: path, failure)
        }
        return .store
    }

    /// Whether the file is shorter than its header says. SQLite itself notices when it needs a page that is missing,
    /// which may be long after others were written. With a `-wal` the missing pages may be in there.
    private var isCutOff: Bool {
        // The size is valid only if it was written with the last change.
        guard integer(at: 92) == integer(at: 24) else { return false }
        let stored = Int64(bytes[16]) << 8 | Int64(bytes[17])
        let pageSize = stored == 1 ? 65_536 : stored
        return fileSize < pageSize * Int64(integer(at: 28))
    }

    private func integer(at offset: Int) -> Int32 {
        Int32(bitPattern: bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
}
