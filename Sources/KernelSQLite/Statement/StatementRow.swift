internal import CKernelSQLite
package import Foundation
package import KernelSQL

/// The row that a statement stands on. Attribute `i` is column `base + i`; with a `base` of 1, attribute -1 is the
/// first column. Valid until the statement's next step.
package final class StatementRow: Row {
    // nil once the statement is finalised. SQLite answers NULL for every column of no statement.
    // Not checked for overlapping accesses, like the fields of Row and for the same reason.
    @exclusivity(unchecked)
    var statement: OpaquePointer?

    init(statement: OpaquePointer) {
        self.statement = statement
        super.init()
    }

    override package func isNull(_ attribute: Int) -> Bool {
        lastRead = attribute
        return sqlite3_value_type(value(attribute)) == SQLITE_NULL
    }

    override package func integer(_ attribute: Int) throws -> Int64 {
        lastRead = attribute
        let value = value(attribute)
        let type = sqlite3_value_type(value)
        guard type == SQLITE_INTEGER else { throw Self.issue(found: type, wanted: "an integer") }
        return sqlite3_value_int64(value)
    }

    override package func integerIfAny(_ attribute: Int) throws -> Int64? {
        lastRead = attribute
        let value = value(attribute)
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return sqlite3_value_int64(value)
        case SQLITE_NULL: return nil
        case let type: throw Self.issue(found: type, wanted: "an integer")
        }
    }

    /// Also takes an integer: other programs write `5` where a real belongs.
    override package func real(_ attribute: Int) throws -> Double {
        lastRead = attribute
        let value = value(attribute)
        let type = sqlite3_value_type(value)
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { throw Self.issue(found: type, wanted: "a number") }
        return sqlite3_value_double(value)
    }

    override package func realIfAny(_ attribute: Int) throws -> Double? {
        lastRead = attribute
        let value = value(attribute)
        switch sqlite3_value_type(value) {
        case SQLITE_FLOAT, SQLITE_INTEGER: return sqlite3_value_double(value)
        case SQLITE_NULL: return nil
        case let type: throw Self.issue(found: type, wanted: "a number")
        }
    }

    override package func text(_ attribute: Int) throws -> String {
        lastRead = attribute
        let value = value(attribute)
        let type = sqlite3_value_type(value)
        guard type == SQLITE_TEXT else { throw Self.issue(found: type, wanted: "text") }
        return try Self.text(of: value)
    }

    override package func textIfAny(_ attribute: Int) throws -> String? {
        lastRead = attribute
        let value = value(attribute)
        switch sqlite3_value_type(value) {
        case SQLITE_TEXT: return try Self.text(of: value)
        case SQLITE_NULL: return nil
        case let type: throw Self.issue(found: type, wanted: "text")
        }
    }

    /// The text of a value that is one.
    @inline(__always)
    private static func text(of value: OpaquePointer?) throws -> String {
        // The text first, its length after: the other order would measure the text before it is converted.
        guard let bytes = sqlite3_value_text(value) else {
            throw ValueIssue("could not be read: no memory")
        }
        let count = Int(sqlite3_value_bytes(value))
        let buffer = UnsafeBufferPointer(start: bytes, count: count)
        let text = string(buffer)
        guard ASCII.holdsOnly(buffer) || isWhole(text, buffer) else {
            throw ValueIssue("holds text that is not valid UTF-8")
        }
        return text
    }

    /// Up to 15 bytes a string has them in itself, and is made of them at two thirds of what decoding takes; longer
    /// ones would cost a tenth more that way. Both repair what is not UTF-8.
    @inline(__always)
    private static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.count <= 15 else { return String(decoding: bytes, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: bytes.count) {
            UnsafeMutableRawBufferPointer($0).copyMemory(from: UnsafeRawBufferPointer(bytes))
            return bytes.count
        }
    }

    /// Decoding repairs what is not UTF-8; then the bytes differ. (String(validating:as:) is not specialised in the
    /// standard library and looks up generic metadata for each text: a fifth of a fetch.)
    private static func isWhole(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let isEqual = text.utf8.withContiguousStorageIfAvailable { decoded in
            guard decoded.count == bytes.count, let start = decoded.baseAddress, let other = bytes.baseAddress else {
                return bytes.isEmpty
            }
            return memcmp(start, other, bytes.count) == 0
        }
        return isEqual ?? true
    }

    override package func blob(_ attribute: Int) throws -> Data {
        lastRead = attribute
        let column = column(attribute)
        let type = sqlite3_column_type(statement, column)
        guard type == SQLITE_BLOB else { throw Self.issue(found: type, wanted: "data") }
        // An empty blob has no address.
        guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }

    /// The value as it stands there, whatever its type.
    package func stored(_ attribute: Int) throws -> StoredValue {
        switch sqlite3_column_type(statement, column(attribute)) {
        case SQLITE_INTEGER: .integer(try integer(attribute))
        case SQLITE_FLOAT: .real(try real(attribute))
        case SQLITE_TEXT: .text(try text(attribute))
        case SQLITE_BLOB: .blob(try blob(attribute))
        default: .null
        }
    }

    /// How many columns the row has, those before `base` included.
    package var columnCount: Int { Int(sqlite3_column_count(statement)) }

    /// The column's value, by one call that finds the column and several that only look at the value: a tenth of a
    /// fetch. SQLite calls such a value unprotected, which matters when several threads use the connection; this one
    /// is confined to one at a time.
    private func value(_ attribute: Int) -> OpaquePointer? { sqlite3_column_value(statement, column(attribute)) }

    private func column(_ attribute: Int) -> Int32 {
        Int32(truncatingIfNeeded: base &+ attribute)
    }

    private static func issue(found type: Int32, wanted: String) -> ValueIssue {
        let found =
            switch type {
            case SQLITE_INTEGER: "an integer"
            case SQLITE_FLOAT: "a real number"
            case SQLITE_TEXT: "text"
            case SQLITE_BLOB: "data"
            default: "nil"
            }
        return ValueIssue("holds \(found) where \(wanted) belongs")
    }
}
