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
        let body = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: exponent >> UInt32($0)) } + number.digits
        return number.isNegative ? [1] + body.map { ~$0 } + [0xFF] : [3] + body
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
            var rest = text[...]
            isNegative = Self.sign(&rest)
            let whole = Self.run(&rest)
            let fraction = rest.first == UInt8(ascii: ".") ? Self.run(&rest, skipping: 1) : rest.prefix(0)
            guard whole.count + fraction.count > 0, let written = Self.exponent(&rest), rest.isEmpty else { return nil }
            digits.reserveCapacity(whole.count + fraction.count)
            digits += whole
            digits += fraction
            let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
            digits.removeFirst(leading)
            while digits.last == UInt8(ascii: "0") { digits.removeLast() }
            if digits.isEmpty { return }
            guard let exponent = Int32(exactly: whole.count - leading + written) else { return nil }
            self.exponent = exponent
        }

        private static func sign(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
            guard let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else { return false }
            rest.removeFirst()
            return first == UInt8(ascii: "-")
        }

        private static func run(
            _ rest: inout Slice<UnsafeRawBufferPointer>, skipping: Int = 0
        ) -> Slice<UnsafeRawBufferPointer> {
            rest.removeFirst(skipping)
            let run = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            rest.removeFirst(run.count)
            return run
        }

        /// The written exponent; 0 when there is none, nil when it is unreadable or beyond all reason.
        private static func exponent(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Int? {
            guard let first = rest.first, first | 0x20 == UInt8(ascii: "e") else { return 0 }
            rest.removeFirst()
            let isNegative = sign(&rest)
            let run = run(&rest)
            guard !run.isEmpty, run.count < 10 else { return nil }
            let value = run.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return isNegative ? -value : value
        }
    }
}
