import CKernelSQLite
import Foundation

/// A SQLite file without the kernel: how a soak damages one, and looks at what is left.
final class RawDatabase {
    private let database: OpaquePointer

    init(_ url: URL) throws {
        var database: OpaquePointer?
        let code = sqlite3_open_v2(url.path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let database else {
            sqlite3_close_v2(database)
            throw SoakFailure("SQLite cannot open \(url.path): \(code)")
        }
        self.database = database
    }

    deinit { sqlite3_close_v2(database) }

    func run(_ sql: String) throws {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SoakFailure("\(String(cString: sqlite3_errmsg(database))) in: \(sql)") }
    }

    /// The first column of all rows, as text.
    func texts(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw SoakFailure("\(String(cString: sqlite3_errmsg(database))) in: \(sql)")
        }
        var found: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: found.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
            case SQLITE_DONE: return found
            default: throw SoakFailure("\(String(cString: sqlite3_errmsg(database))) in: \(sql)")
            }
        }
    }

    var tables: [String] {
        get throws { try texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") }
    }

    func columns(_ table: String) throws -> [String] {
        try texts("SELECT name FROM pragma_table_info(\(RawDatabase.literal(table)))")
    }

    /// The rows of a table, each as SQL literals, in the order of their texts.
    func rows(_ table: String) throws -> [String] {
        let values = try columns(table).map { "quote(\(RawDatabase.quoted($0)))" }.joined(separator: " || ',' || ")
        return try texts("SELECT \(values) FROM \(RawDatabase.quoted(table)) ORDER BY 1")
    }

    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
    static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
}
