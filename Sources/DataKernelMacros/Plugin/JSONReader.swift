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

    // Neither of the two is inlined: they are called at many places, and the second leads to itself.

    @inline(never)
    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard current == byte else { return false }
        position += 1
        return true
    }

    @inline(never)
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

    private mutating func readWord(_ word: String, _ value: JSONValue) -> JSONValue? {
        for byte in word.bytes {
            guard current == byte else { return nil }
            position += 1
        }
        return value
    }

    private mutating func readObject(depth: Int) -> JSONValue? {
        position += 1
        var keys: [String] = []
        var values: [JSONValue] = []
        if take(Byte.closeBrace) { return .object(keys, values) }
        repeat {
            skipBlanks()
            guard current == Byte.quote, let key = readString(), take(Byte.colon),
                let value = readValue(depth: depth + 1)
            else { return nil }
            keys.append(key)
            values.append(value)
        } while take(Byte.comma)
        return take(Byte.closeBrace) ? .object(keys, values) : nil
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
        while let byte = current, Byte.isDigit(byte) || Byte.isOne(byte, of: "+-.eE") { position += 1 }
        if let whole = whole(start..<position) { return .number(whole) }
        let text = bytes.text(start..<position)
        guard let real = Double(text), real >= -0x1p63, real < 0x1p63 else { return nil }
        return .number(Int(real))
    }

    /// Digits as a number, a minus sign before them or not. Nil for anything else, and for what does not fit.
    private func whole(_ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        let sign = range.isEmpty || bytes[index] != UInt8(ascii: "-") ? 1 : -1
        if sign < 0 { index += 1 }
        guard index < range.upperBound else { return nil }
        var whole = 0
        while index < range.upperBound {
            guard let digit = Byte.place(bytes[index], in: "0123456789") else { return nil }
            let (tens, tooLarge) = whole.multipliedReportingOverflow(by: 10)
            let (sum, tooMuch) = tens.addingReportingOverflow(sign * digit)
            if tooLarge || tooMuch { return nil }
            whole = sum
            index += 1
        }
        return whole
    }

    /// Text between quotes.
    private mutating func readString() -> String? {
        position += 1
        var text: [UInt8] = []
        while let byte = current {
            position += 1
            if byte == Byte.quote { return text.text }
            if byte != Byte.backslash {
                text.append(byte)
            } else if !readEscape(into: &text) {
                return nil
            }
        }
        return nil
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
        guard var scalar = readHexadecimal() else { return false }
        if scalar >= 0xD800, scalar < 0xDC00, current == Byte.backslash {
            let before = position
            position += 1
            if current == UInt8(ascii: "u") {
                position += 1
                guard let second = readHexadecimal() else { return false }
                if second >= 0xDC00, second < 0xE000 {
                    scalar = 0x10000 + (scalar - 0xD800) * 0x400 + (second - 0xDC00)
                } else {
                    position = before
                }
            } else {
                position = before
            }
        }
        text += String(Unicode.Scalar(scalar) ?? "\u{FFFD}").bytes
        return true
    }

    private mutating func readHexadecimal() -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current else { return nil }
            // Counted, since a conversion between types of integers is generic code.
            var digit: UInt32 = 0
            for candidate in "0123456789abcdefABCDEF".bytes {
                if candidate == byte { break }
                digit += 1
            }
            if digit > 21 { return nil }
            value = value * 16 + (digit > 15 ? digit - 6 : digit)
            position += 1
        }
        return value
    }
}
