/// A result code of the database, primary or extended. A primary code matches each of its extended codes:
///
/// ```swift
/// if case .constraint = failure.code { … }      // also .constraintUnique
/// ```
public struct ResultCode: Sendable, Hashable, CustomStringConvertible {
    public let rawValue: Int32
    public init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// The code without its extension.
    public var primary: ResultCode { ResultCode(rawValue & 0xFF) }

    public static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
        pattern.rawValue == code.rawValue || (pattern.rawValue < 256 && pattern.rawValue == code.rawValue & 0xFF)
    }

    public var description: String { String(rawValue) }
}

// The names are SQLite's (https://sqlite.org/rescode.html). Computed: a constant would be made when first asked for.
extension ResultCode {
    public static var error: ResultCode { ResultCode(1) }
    public static var busy: ResultCode { ResultCode(5) }
    public static var locked: ResultCode { ResultCode(6) }
    public static var noMemory: ResultCode { ResultCode(7) }
    public static var readOnly: ResultCode { ResultCode(8) }
    public static var interrupt: ResultCode { ResultCode(9) }
    public static var ioError: ResultCode { ResultCode(10) }
    public static var corrupt: ResultCode { ResultCode(11) }
    public static var full: ResultCode { ResultCode(13) }
    public static var cannotOpen: ResultCode { ResultCode(14) }
    public static var schema: ResultCode { ResultCode(17) }
    public static var tooBig: ResultCode { ResultCode(18) }
    public static var constraint: ResultCode { ResultCode(19) }
    public static var mismatch: ResultCode { ResultCode(20) }
    public static var misuse: ResultCode { ResultCode(21) }
    public static var notADatabase: ResultCode { ResultCode(26) }
    public static var constraintForeignKey: ResultCode { ResultCode(787) }
    public static var constraintNotNull: ResultCode { ResultCode(1299) }
    public static var constraintPrimaryKey: ResultCode { ResultCode(1555) }
    public static var constraintUnique: ResultCode { ResultCode(2067) }
    public static var constraintRowID: ResultCode { ResultCode(2579) }
}

/// What the database said when a call failed: its code, its message and the statement. Never a bound value.
///
/// These are SQLite's words, for a log. ``reason`` has the model's.
public struct DatabaseFailure: Error, Sendable, CustomStringConvertible {
    public let code: ResultCode
    public let message: String
    public let sql: String?
    /// The number of the operating system's error behind it (`errno`), where there was one.
    public let systemError: Int32?

    public init(code: ResultCode, message: String, sql: String? = nil, systemError: Int32? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
        self.systemError = systemError
    }

    public var description: String {
        let error = "SQLite error \(code.rawValue): " + message
        return sql.map { error + " in: " + $0 } ?? error
    }
}
