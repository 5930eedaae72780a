@testable import DataKernelMacros

// What only the tests do with the plugin's values: compare them, and write JSON that the compiler would send.

extension JSONValue: Equatable {
    static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let keys, let a), .object(let otherKeys, let b)): keys == otherKeys && a == b
        default: false
        }
    }

    /// The value as JSON text.
    var encoded: [UInt8] { Array(json.utf8) }

    private var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): text.json
        case .array(let values): "[\(values.map(\.json).joined(separator: ","))]"
        case .object(let keys, let values):
            "{\(zip(keys, values).map { "\($0.json):\($1.json)" }.joined(separator: ","))}"
        }
    }
}

extension Diagnostic: Equatable {
    static func == (left: Diagnostic, right: Diagnostic) -> Bool {
        left.message == right.message && left.fileName == right.fileName && left.offset == right.offset
    }
}

extension Expansion: Equatable {
    static func == (left: Expansion, right: Expansion) -> Bool {
        left.source == right.source && left.diagnostics == right.diagnostics
    }
}
