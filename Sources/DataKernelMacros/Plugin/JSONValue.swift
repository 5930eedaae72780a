/// A JSON value, for the messages of the compiler.
///
/// Written here because Foundation would have to be loaded at every start of the plugin, and the compiler starts
/// one for each module that uses a macro.
enum JSONValue {
    case null
    case bool(Bool)
    /// Whole numbers only; the protocol has no others.
    case number(Int)
    case string(String)
    case array([JSONValue])
    /// The keys in the order of the text, and each one's value at its key's place.
    case object([String], [JSONValue])

    /// Null when this is no object, or has no such key.
    @inline(never)
    subscript(key: String) -> JSONValue {
        guard case .object(let keys, let values) = self, let index = keys.firstIndex(of: key) else { return .null }
        return values[index]
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var number: Int? { if case .number(let value) = self { value } else { nil } }
    var array: [JSONValue] { if case .array(let values) = self { values } else { [] } }
}

extension String {
    /// The text as a JSON string, its quotes included.
    var json: String {
        var text = [Byte.quote]
        for byte in bytes {
            if byte == Byte.newline {
                text += "\\n".bytes
            } else if byte < Byte.space {
                let digit = byte & 0xF
                text += (byte < 0x10 ? "\\u000" : "\\u001").bytes
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            } else {
                if byte == Byte.quote || byte == Byte.backslash { text.append(Byte.backslash) }
                text.append(byte)
            }
        }
        text.append(Byte.quote)
        return text.text
    }
}
