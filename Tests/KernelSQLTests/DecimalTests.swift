import Foundation
import KernelSQL
import Testing

@Suite("Decimals")
struct DecimalTests {
    private func text(_ value: Decimal) throws -> String {
        guard case .text(let text) = try StoredValue(value) else { return "no text" }
        return text
    }

    private func decimal(_ text: String) throws -> Decimal { try Decimal(row: MemoryRow([.text(text)]), attribute: 0) }

    @Test("one number has one text, whatever its exponent")
    func canonical() throws {
        #expect(try text(Decimal(sign: .plus, exponent: -3, significand: 1_500)) == "1.5")
        #expect(try text(Decimal(sign: .plus, exponent: 0, significand: 0)) == "0")
        #expect(try text(Decimal(sign: .minus, exponent: -2, significand: 100)) == "-1")
        #expect(try text(Decimal(sign: .plus, exponent: 3, significand: 2)) == "2000")
        #expect(try text(decimal("-0")) == "0")
        #expect(try text(decimal("1e3")) == "1000")
        #expect(try text(decimal("+0.10")) == "0.1")
    }

    @Test("38 digits and the largest exponents come back")
    func extremes() throws {
        let digits = "12345678901234567890123456789012345678"
        for value in [
            try decimal(digits), try decimal("-0." + digits), try decimal(digits + "e80"), .greatestFiniteMagnitude,
            .leastFiniteMagnitude, .leastNonzeroMagnitude, Decimal(sign: .plus, exponent: 127, significand: 1),
            Decimal(sign: .minus, exponent: -128, significand: 9),
        ] {
            #expect(try roundTrip(value) == value)
            #expect(try text(roundTrip(value)) == text(value))
        }
        #expect(try text(decimal(digits)) == digits)
    }

    @Test("random numbers come back, and equal ones have equal text")
    func random() throws {
        var random = SeededGenerator(state: 38)
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...38, using: &random)
            let digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            guard let significand = Decimal(string: digits) else { continue }
            let exponent = Int.random(in: -127...(127 - 38), using: &random)
            let value = Decimal(sign: .plus, exponent: exponent, significand: significand)
            let signed = Bool.random(using: &random) ? value : -value
            #expect(try roundTrip(signed) == signed, "\(digits)e\(exponent)")
            if count < 37, exponent > -127 {
                let shifted = Decimal(sign: signed.sign, exponent: exponent - 1, significand: significand * 10)
                #expect(try text(shifted) == text(signed), "\(digits)e\(exponent)")
            }
        }
    }

    @Test(
        "text that is not all a number is refused",
        arguments: [
            "", " ", "12 cars", "1,5", "0x10", "--1", "1.2.3", "e5", ".", "-", "1e", "NaN", "1e999", "1e+", ".5.",
            "1234567890123456789012345678901234567891", "0.99999999999999999999999999999999999999999",
        ])
    func refused(text: String) {
        #expect(throws: ValueIssue.self) { try decimal(text) }
    }

    @Test("NaN is refused")
    func nan() { #expect(throws: ValueIssue.self) { try StoredValue(Decimal.nan) } }
}
