internal import CKernelSQLite
internal import KernelSQL

/// Tells SQLite to make a copy at once. The header spells it as a cast, which Swift does not import.
var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

/// SQLITE_UTF8, in the type of the functions that take a length of 64 bits.
let utf8Encoding: UInt8 = 1

extension Int {
    /// A count of bytes as SQLite takes it. By way of Int64, which is converted to anyway: each further type that has
    /// conversions is much code to compile.
    var length: sqlite3_uint64 { sqlite3_uint64(bitPattern: Int64(self)) }
}

extension ResultCode {
    static var abort: ResultCode { ResultCode(SQLITE_ABORT) }
    /// SQLITE_READONLY_DBMOVED, 8 | 4 << 8: the file lost its name while it was open.
    static var readOnlyMoved: ResultCode { ResultCode(1032) }
}
