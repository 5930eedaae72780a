/// A JSON value, for the messages of the compiler.
///
/// Written here because Foundation would have to be loaded at every start of the plugin, and the compiler starts
/// one for each module that uses a macro.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    /// Whole numbers only; the protocol has no others.
    case number(Int)
    case string(String)
    case array([JSONValue])
    /// In the order of the text.
    case object([(key: String, value: JSONValue)])

    static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a.elementsEqual(b) { $0.key == $1.key && $0.value == $1.value }
        default: false
        }
    }

    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var number: Int? { if case .number(let value) = self { value } else { nil } }
    var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
}

extension JSONValue {
    /// The value as JSON text.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += String(value).utf8
        case .string(let text): JSONValue.write(text, to: &bytes)
        case .array(let values):
            bytes.append(Byte.openBracket)
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(Byte.comma) }
                value.write(to: &bytes)
            }
            bytes.append(Byte.closeBracket)
        case .object(let members):
            bytes.append(Byte.openBrace)
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(Byte.comma) }
                JSONValue.write(member.key, to: &bytes)
                bytes.append(Byte.colon)
                member.value.write(to: &bytes)
            }
            bytes.append(Byte.closeBrace)
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(Byte.quote)
        for byte in text.utf8 {
            switch byte {
            case Byte.quote: bytes += "\\\"".utf8
            case Byte.backslash: bytes += "\\\\".utf8
            case Byte.newline: bytes += "\\n".utf8
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes += "\\u".utf8
                bytes += String(repeating: "0", count: 4 - digits.utf8.count).utf8
                bytes += digits.utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(Byte.quote)
    }
}
