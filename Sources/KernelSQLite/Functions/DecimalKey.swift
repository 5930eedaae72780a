/// Bytes whose order (by memcmp) is the order of decimal numbers, however many digits they have.
///
/// The first byte is the kind: 1 negative, 2 zero, 3 positive, 4 text that is no number, 5 data. A number goes on
/// with the exponent of 0.ddd × 10^e (four bytes, the sign bit flipped) and the digits, outer zeros removed.
/// A shorter run of digits is a prefix of the longer and sorts first, as 0.1 before 0.12. For negative numbers
/// exponent and digits are complemented, and a last byte 0xFF puts the shorter after the longer.
enum DecimalKey {
    static func ofText(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        guard let number = Number(text) else { return [4] + text }
        guard !number.digits.isEmpty else { return [2] }
        let exponent = UInt32(bitPattern: number.exponent) ^ 0x8000_0000
        var key: [UInt8] = [number.isNegative ? 1 : 3]
        withUnsafeBytes(of: exponent.bigEndian) { key += $0 }
        key += number.digits
        if number.isNegative {
            for index in 1..<key.count { key[index] = ~key[index] }
            key.append(0xFF)
        }
        return key
    }

    /// Data is no number, but passes, distinct as it was: a save parks it in unique columns for a moment.
    static func ofData(_ data: UnsafeRawBufferPointer) -> [UInt8] { [5] + data }

    /// The number 0.ddd × 10^exponent. No digits: zero.
    private struct Number {
        var isNegative = false
        var digits: [UInt8] = []
        var exponent: Int32 = 0

        /// Reads `[+-] digits [. digits] [e [+-] digits]`, with a digit before or after the point; nil for all else.
        init?(_ text: UnsafeRawBufferPointer) {
            var rest = Rest(text: text)
            isNegative = rest.takeSign()
            let whole = rest.takeDigits()
            let fraction = rest.take(UInt8(ascii: ".")) ? rest.takeDigits() : 0..<0
            guard whole.count + fraction.count > 0, let written = rest.takeExponent(), rest.first == nil else {
                return nil
            }
            digits.reserveCapacity(whole.count + fraction.count)
            for position in whole { add(text[position]) }
            for position in fraction { add(text[position]) }
            if digits.isEmpty { return }
            let leading = whole.count + fraction.count - digits.count
            while digits.last == UInt8(ascii: "0") { digits.removeLast() }
            guard let exponent = Int32(exactly: whole.count - leading + written) else { return nil }
            self.exponent = exponent
        }

        private mutating func add(_ digit: UInt8) {
            if !digits.isEmpty || digit != UInt8(ascii: "0") { digits.append(digit) }
        }
    }

    /// What is left to read of a number.
    private struct Rest {
        let text: UnsafeRawBufferPointer
        private var position = 0

        init(text: UnsafeRawBufferPointer) { self.text = text }

        var first: UInt8? { position < text.count ? text[position] : nil }

        /// Whether the byte stands here; if so, goes on behind it.
        mutating func take(_ byte: UInt8) -> Bool {
            if first != byte { return false }
            position += 1
            return true
        }

        /// Whether the sign here is a minus.
        mutating func takeSign() -> Bool {
            let isNegative = take(UInt8(ascii: "-"))
            if !isNegative { _ = take(UInt8(ascii: "+")) }
            return isNegative
        }

        /// Where the digits are that stand here.
        mutating func takeDigits() -> Range<Int> {
            let start = position
            while let byte = first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
            return start..<position
        }

        /// The written exponent; 0 when there is none, nil when it is unreadable or beyond all reason.
        mutating func takeExponent() -> Int? {
            guard take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) else { return 0 }
            let isNegative = takeSign()
            let digits = takeDigits()
            guard !digits.isEmpty, digits.count < 10 else { return nil }
            var value = 0
            for position in digits { value = value * 10 + Int(text[position] - UInt8(ascii: "0")) }
            return isNegative ? -value : value
        }
    }
}
