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

// The names are SQLite's (https://sqlite.org/rescode.html).
extension ResultCode {
    public static let error = ResultCode(1)
    public static let busy = ResultCode(5)
    public static let locked = ResultCode(6)
    public static let noMemory = ResultCode(7)
    public static let readOnly = ResultCode(8)
    public static let interrupt = ResultCode(9)
    public static let ioError = ResultCode(10)
    public static let corrupt = ResultCode(11)
    public static let full = ResultCode(13)
    public static let cannotOpen = ResultCode(14)
    public static let schema = ResultCode(17)
    public static let tooBig = ResultCode(18)
    public static let constraint = ResultCode(19)
    public static let mismatch = ResultCode(20)
    public static let misuse = ResultCode(21)
    public static let notADatabase = ResultCode(26)
    public static let constraintForeignKey = ResultCode(787)
    public static let constraintNotNull = ResultCode(1299)
    public static let constraintPrimaryKey = ResultCode(1555)
    public static let constraintUnique = ResultCode(2067)
    public static let constraintRowID = ResultCode(2579)
}

/// What the database said when a call failed: its code, its message and the statement. Never a bound value.
public struct DatabaseFailure: Error, Sendable, CustomStringConvertible {
    public let code: ResultCode
    public let message: String
    public let sql: String?

    public init(code: ResultCode, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    public var description: String {
        let statement = sql.map { " in: \($0)" } ?? ""
        return "SQLite error \(code.rawValue): \(message)\(statement)"
    }
}
