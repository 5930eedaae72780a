internal import CKernelSQLite
internal import Foundation

/// The SQL functions that the kernel adds to each connection. Each gives NULL for NULL.
///
/// | function | gives |
/// |---|---|
/// | `k_decimal(x)` | data that sorts as the decimal number in `x` does; what is no number sorts after all numbers |
/// | `k_fold(x)` | `x` without case and accents; what is not text comes back as it is |
/// | `k_begins(x, y)` | 1 when the bytes of `x` begin with those of `y`, else 0 |
/// | `k_ends(x, y)` | 1 when the bytes of `x` end with those of `y`, else 0 |
/// | `k_like(x, y)` | 1 when the text `x` is like the pattern `y` (see ``LikePattern``), else 0 |
/// | `k_value(x)` | `x`, which SQLite does not take for a constant then |
enum Functions {
    static func register(on handle: Handle) throws {
        try add("k_decimal", 1, handle) { context, _, values in Functions.decimal(context, values?[0]) }
        try add("k_fold", 1, handle) { context, _, values in Functions.fold(context, values?[0]) }
        try add("k_begins", 2, handle) { context, _, values in
            Functions.compare(context, values?[0], values?[1]) { $0.holds($1, at: 0) }
        }
        try add("k_ends", 2, handle) { context, _, values in
            Functions.compare(context, values?[0], values?[1]) { $0.holds($1, at: $0.count - $1.count) }
        }
        try add("k_like", 2, handle) { context, _, values in
            Functions.compare(context, values?[0], values?[1]) { LikePattern.matches($1, $0) }
        }
        try add("k_value", 1, handle, isConstant: false) { context, _, values in
            sqlite3_result_value(context, values?[0])
        }
    }

    private typealias Body = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private static func add(
        _ name: String, _ arguments: Int32, _ handle: Handle, isConstant: Bool = true, _ body: Body
    ) throws {
        // Innocuous, or an index that uses it makes the schema unreadable where schemas are not trusted.
        let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS | (isConstant ? SQLITE_DETERMINISTIC : 0)
        let code = sqlite3_create_function_v2(handle.database, name, arguments, flags, nil, body, nil, nil, nil)
        if code != SQLITE_OK { throw handle.failure(code, sql: nil) }
    }

    private static func decimal(_ context: OpaquePointer?, _ value: OpaquePointer?) {
        let type = sqlite3_value_type(value)
        guard type != SQLITE_NULL else { return sqlite3_result_null(context) }
        let bytes = bytes(of: value)
        let key = type == SQLITE_BLOB ? DecimalKey.ofData(bytes) : DecimalKey.ofText(bytes)
        key.withUnsafeBytes { sqlite3_result_blob64(context, $0.baseAddress, $0.count.length, copied) }
    }

    private static func fold(_ context: OpaquePointer?, _ value: OpaquePointer?) {
        guard sqlite3_value_type(value) == SQLITE_TEXT else { return sqlite3_result_value(context, value) }
        var folded = TextFolding.fold(utf8: bytes(of: value))
        folded.withUTF8 { bytes in
            guard !bytes.isEmpty else { return sqlite3_result_text(context, "", 0, copied) }
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_result_text64(context, $0.baseAddress, $0.count.length, copied, utf8Encoding)
            }
        }
    }

    private static func compare(
        _ context: OpaquePointer?, _ value: OpaquePointer?, _ part: OpaquePointer?,
        _ test: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
    ) {
        guard sqlite3_value_type(value) != SQLITE_NULL, sqlite3_value_type(part) != SQLITE_NULL else {
            return sqlite3_result_null(context)
        }
        sqlite3_result_int(context, test(bytes(of: value), bytes(of: part)) ? 1 : 0)
    }

    /// The bytes of text or data, NUL among them or not; a number's are those of its text. Valid until the value is
    /// converted or the function returns.
    private static func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
        let isData = sqlite3_value_type(value) == SQLITE_BLOB
        let start = isData ? sqlite3_value_blob(value) : sqlite3_value_text(value).map { UnsafeRawPointer($0) }
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes of `part` stand at `start`.
    fileprivate func holds(_ part: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard start >= 0, part.count <= count - start else { return false }
        guard let own = baseAddress, let other = part.baseAddress else { return true }
        return memcmp(own + start, other, part.count) == 0
    }
}
