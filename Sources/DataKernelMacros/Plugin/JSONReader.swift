/// Reads JSON text. Answers nil for what is not JSON; never traps, whatever the bytes are.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0
    /// Each level is a recursion, so their number is bounded.
    private static let deepestNesting = 128

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func value(of bytes: [UInt8]) -> JSONValue? {
        var reader = JSONReader(bytes)
        guard let value = reader.readValue(depth: 0) else { return nil }
        reader.skipBlanks()
        return reader.position == bytes.count ? value : nil
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = current, byte == Byte.space || (byte >= 9 && byte <= 13) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func readValue(depth: Int) -> JSONValue? {
        skipBlanks()
        guard depth < JSONReader.deepestNesting, let first = current else { return nil }
        switch first {
        case Byte.openBrace: return readObject(depth: depth)
        case Byte.openBracket: return readArray(depth: depth)
        case Byte.quote: return readString().map(JSONValue.string)
        case UInt8(ascii: "t"): return readWord("true", .bool(true))
        case UInt8(ascii: "f"): return readWord("false", .bool(false))
        case UInt8(ascii: "n"): return readWord("null", .null)
        default: return readNumber()
        }
    }

    private mutating func readWord(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
        for index in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[index] else { return nil }
            position += 1
        }
        return value
    }

    private mutating func readObject(depth: Int) -> JSONValue? {
        position += 1
        var members: [(key: String, value: JSONValue)] = []
        if take(Byte.closeBrace) { return .object(members) }
        repeat {
            skipBlanks()
            guard current == Byte.quote, let key = readString(), take(Byte.colon),
                let value = readValue(depth: depth + 1)
            else { return nil }
            members.append((key, value))
        } while take(Byte.comma)
        return take(Byte.closeBrace) ? .object(members) : nil
    }

    private mutating func readArray(depth: Int) -> JSONValue? {
        position += 1
        var values: [JSONValue] = []
        if take(Byte.closeBracket) { return .array(values) }
        repeat {
            guard let value = readValue(depth: depth + 1) else { return nil }
            values.append(value)
        } while take(Byte.comma)
        return take(Byte.closeBracket) ? .array(values) : nil
    }

    /// Whole numbers that fit into Int, fractions cut off.
    private mutating func readNumber() -> JSONValue? {
        let start = position
        while let byte = current, Byte.isDigit(byte) || "+-.eE".utf8.contains(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let whole = Int(text) { return .number(whole) }
        guard let real = Double(text) else { return nil }
        return Int(exactly: real.rounded(.towardZero)).map(JSONValue.number)
    }

    /// Text between quotes. Stretches without escapes are taken in one piece.
    private mutating func readString() -> String? {
        position += 1
        var text: [UInt8] = []
        while true {
            let start = position
            guard let end = bytes[start...].firstIndex(where: { $0 == Byte.quote || $0 == Byte.backslash }) else {
                return nil
            }
            text += bytes[start..<end]
            position = end + 1
            if bytes[end] == Byte.quote { return String(decoding: text, as: UTF8.self) }
            guard readEscape(into: &text) else { return nil }
        }
    }

    private mutating func readEscape(into text: inout [UInt8]) -> Bool {
        guard let kind = current else { return false }
        position += 1
        switch kind {
        case UInt8(ascii: "n"): text.append(Byte.newline)
        case UInt8(ascii: "t"): text.append(Byte.tab)
        case UInt8(ascii: "r"): text.append(Byte.carriageReturn)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case Byte.quote, Byte.backslash, Byte.slash: text.append(kind)
        case UInt8(ascii: "u"): return readUnicodeEscape(into: &text)
        default: return false
        }
        return true
    }

    /// `\uXXXX`, or two of them for a character beyond the basic plane; half a pair becomes U+FFFD.
    private mutating func readUnicodeEscape(into text: inout [UInt8]) -> Bool {
        guard let first = readHexadecimal() else { return false }
        var scalar = UInt32(first)
        if first >= 0xD800, first < 0xDC00, current == Byte.backslash {
            let before = position
            position += 1
            if current == UInt8(ascii: "u") {
                position += 1
                guard let second = readHexadecimal() else { return false }
                if second >= 0xDC00, second < 0xE000 {
                    scalar = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
                } else {
                    position = before
                }
            } else {
                position = before
            }
        }
        text += String(Character(Unicode.Scalar(scalar) ?? "\u{FFFD}")).utf8
        return true
    }

    private mutating func readHexadecimal() -> UInt16? {
        guard position + 4 <= bytes.count else { return nil }
        let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        position += 4
        return UInt16(digits, radix: 16)
    }
}
