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
        let digits = Array("0123456789abcdef".utf8)
        var text = [Byte.quote]
        for byte in utf8 {
            if byte == Byte.newline {
                text += [Byte.backslash, UInt8(ascii: "n")]
            } else if byte < Byte.space {
                text += "\\u00".utf8
                text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                if byte == Byte.quote || byte == Byte.backslash { text.append(Byte.backslash) }
                text.append(byte)
            }
        }
        text.append(Byte.quote)
        return text.text(0..<text.count)
    }
}
