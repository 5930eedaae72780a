internal import CKernelSQLite
internal import KernelSQL

/// Tells SQLite to make a copy at once. The header spells it as a cast, which Swift does not import.
var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

extension ResultCode {
    static let abort = ResultCode(SQLITE_ABORT)
    /// SQLITE_READONLY_DBMOVED: the file lost its name while it was open.
    static let readOnlyMoved = ResultCode(8 | 4 << 8)
}
