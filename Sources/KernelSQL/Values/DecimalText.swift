import Foundation

/// The one spelling under which a Decimal is stored: no exponent, no trailing zeros after the point, no "-0".
/// Equal numbers therefore have equal text, and the store can look them up by an ordinary index.
enum DecimalText {
    static func canonical(_ value: Decimal) -> String {
        var text = value.description
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text == "-0" ? "0" : text }
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    /// The number that the whole text spells, if a Decimal can hold it exactly. `Decimal(string:)` alone reads
    /// "12 cars" as 12, "-" as 0, and rounds what has too many digits.
    static func value(_ text: String) -> Decimal? {
        guard let digits = significantDigits(text), let value = Decimal(string: text, locale: nil), !value.isNaN else {
            return nil
        }
        // 38 digits always fit, 39 sometimes.
        if digits > 38, significantDigits(canonical(value)) != digits || digits > 39 { return nil }
        return value
    }

    /// The text in the stored spelling, or nil when it spells no decimal number.
    static func respelt(_ text: String) -> String? { value(text).map(canonical) }

    /// How many digits there are between the first and the last that is not 0; nil when the text is no number:
    /// sign, digits with at most one point among them, exponent.
    private static func significantDigits(_ text: String) -> Int? {
        text.withBytes(significantDigits)
    }

    private static func significantDigits(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var position = 0
        skipSign(bytes, &position)
        var (digits, significant, trailingZeros, hasPoint) = (0, 0, 0, false)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else if isDigit(byte) {
                digits += 1
                if significant > 0 || byte != UInt8(ascii: "0") { significant += 1 }
                trailingZeros = byte == UInt8(ascii: "0") ? trailingZeros + 1 : 0
            } else {
                break
            }
            position += 1
        }
        guard digits > 0, position == bytes.count || isExponent(bytes, position) else { return nil }
        return max(0, significant - trailingZeros)
    }

    private static func isExponent(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        guard bytes[start] | 0x20 == UInt8(ascii: "e") else { return false }
        var position = start + 1
        skipSign(bytes, &position)
        guard position < bytes.count else { return false }
        while position < bytes.count, isDigit(bytes[position]) { position += 1 }
        return position == bytes.count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func skipSign(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) {
        guard position < bytes.count else { return }
        if bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") { position += 1 }
    }
}
