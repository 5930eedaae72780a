import Foundation
import KernelSQL
import Testing

/// A row of values that were bound before, as a store would give them back.
final class MemoryRow: Row {
    private let values: [StoredValue]
    init(_ values: [StoredValue]) { self.values = values }

    override func isNull(_ attribute: Int) -> Bool { values[attribute].isNull }
    override func integer(_ attribute: Int) throws -> Int64 {
        guard case .integer(let value) = values[attribute] else { throw wrong(attribute) }
        return value
    }
    override func real(_ attribute: Int) throws -> Double {
        guard case .real(let value) = values[attribute] else { throw wrong(attribute) }
        return value
    }
    override func text(_ attribute: Int) throws -> String {
        guard case .text(let value) = values[attribute] else { throw wrong(attribute) }
        return value
    }
    override func blob(_ attribute: Int) throws -> Data {
        guard case .blob(let value) = values[attribute] else { throw wrong(attribute) }
        return value
    }
    private func wrong(_ attribute: Int) -> ValueIssue { ValueIssue("holds \(values[attribute].kindName)") }
}

/// The value after it was stored and read. Checks on the way that its class can hold its stored form.
func roundTrip<V: AttributeValue>(_ value: V) throws -> V {
    let stored = try StoredValue(value)
    #expect(stored.isNull ? V.isOptional : V.storageClass.canHold(stored), "\(V.self): \(stored.kindName)")
    #expect(try value.queryValue() == stored, "a query binds what a save does")
    return try V(row: MemoryRow([stored]), attribute: 0)
}

func expectRoundTrip<V: AttributeValue & Equatable>(_ values: [V]) throws {
    for value in values {
        let back = try roundTrip(value)
        #expect(back == value)
        #expect(value.isStored(equalTo: back))
        #expect(try roundTrip(V?.some(value)) == value)
    }
}

enum Fuel: String, AttributeValue, Codable { case petrol, diesel }
enum Grade: Int, AttributeValue { case low = -1, high = 9 }
struct Rights: OptionSet, AttributeValue, Codable { let rawValue: Int }
struct Point: Codable, AttributeValue, Hashable {
    var x = 0.0
    var name: String?
    var at = Date(timeIntervalSinceReferenceDate: 0)
    var price: Decimal = 0
}
/// Encodes as a bare JSON value, not as an object.
struct Celsius: Codable, AttributeValue, Hashable {
    var degrees: Int?
    init(degrees: Int?) { self.degrees = degrees }
    init(from decoder: any Decoder) throws { degrees = try decoder.singleValueContainer().decode(Int?.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(degrees)
    }
}

@Suite("Every value comes back as it went in")
struct ValueRoundTripTests {
    @Test("integers and their extremes")
    func integers() throws {
        try expectRoundTrip([Int.min, -1, 0, 1, .max])
        try expectRoundTrip([Int8.min, .max])
        try expectRoundTrip([Int16.min, .max])
        try expectRoundTrip([Int32.min, .max])
        try expectRoundTrip([Int64.min, .max])
        try expectRoundTrip([UInt8.min, .max])
        try expectRoundTrip([UInt16.max])
        try expectRoundTrip([UInt32.max])
        try expectRoundTrip([UInt64(Int64.max), 0])
        try expectRoundTrip([true, false])
        #expect(throws: ValueIssue.self) { try StoredValue(UInt64(Int64.max) + 1) }
        #expect(throws: ValueIssue.self) { try UInt.max.queryValue() }
        #expect(throws: ValueIssue.self) { try UInt8(row: MemoryRow([.integer(256)]), attribute: 0) }
        #expect(throws: ValueIssue.self) { try Bool(row: MemoryRow([.integer(2)]), attribute: 0) }
    }

    @Test("reals, to the bit, and no NaN")
    func reals() throws {
        var random = SeededGenerator(state: 7)
        let doubles = (0..<5_000).map { _ in Double(bitPattern: random.next()) }.filter { !$0.isNaN }
        for value in doubles + [.infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
            #expect(try roundTrip(value).bitPattern == value.bitPattern)
        }
        let floats = (0..<5_000).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: random.next())) }
        for value in floats where !value.isNaN { #expect(try roundTrip(value).bitPattern == value.bitPattern) }
        for _ in 0..<5_000 {
            let date = Date(timeIntervalSinceReferenceDate: .random(in: -1e10...1e10, using: &random))
            #expect(try roundTrip(date) == date)
        }
        #expect(throws: ValueIssue.self) { try StoredValue(Double.nan) }
        #expect(throws: ValueIssue.self) { try Double.nan.queryValue() }
        #expect(throws: ValueIssue.self) { try StoredValue(Float.nan) }
        #expect(throws: ValueIssue.self) { try StoredValue(Date(timeIntervalSinceReferenceDate: .nan)) }
    }

    @Test("text and data, empty and odd, are not nil")
    func text() throws {
        try expectRoundTrip(["", "a\u{0}b", "é", "e\u{301}", "🚗", "null", "%_\\"])
        try expectRoundTrip([Data(), Data([0]), Data(0...255)])
        #expect(!"é".isStored(equalTo: "e\u{301}"))
        try expectRoundTrip((0..<100).map { _ in UUID() })
        #expect(throws: ValueIssue.self) { try UUID(row: MemoryRow([.blob(Data(count: 15))]), attribute: 0) }
    }

    @Test("URLs, but none whose base would be lost")
    func urls() throws {
        let texts = ["https://a.org/b?c=d%20e#f", "mailto:a@b.org", "a/b", "http://[::1]:80/", "https://a.org/%C3%A9"]
        try expectRoundTrip(texts.compactMap { URL(string: $0) } + [URL(fileURLWithPath: "/a b/ü%20#?.txt")])
        let relative = URL(string: "b", relativeTo: URL(string: "https://a.org/"))
        #expect(throws: ValueIssue.self) { try StoredValue(relative) }
        try expectRoundTrip([relative?.absoluteURL])
    }

    @Test("enums and option sets are their raw values, Codable or not")
    func raw() throws {
        try expectRoundTrip([Fuel.petrol, .diesel])
        try expectRoundTrip([Grade.low, .high])
        try expectRoundTrip([Rights(rawValue: 5)])
        #expect(try StoredValue(Fuel.diesel) == .text("diesel"))
        #expect(try StoredValue(Rights(rawValue: 5)) == .integer(5))
        #expect(Fuel.storageClass == .text)
        #expect(Rights.storageClass == .integer)
        #expect(throws: ValueIssue.self) { try Fuel(row: MemoryRow([.text("coal")]), attribute: 0) }
    }

    @Test("Codable values are JSON, bare values too, and nil inside is not nil outside")
    func codable() throws {
        try expectRoundTrip([
            Point(), Point(x: 0.1, name: "null", at: Date(timeIntervalSinceReferenceDate: 0.1), price: 12.5),
        ])
        try expectRoundTrip([Celsius(degrees: 3), Celsius(degrees: nil)])
        #expect(try StoredValue(Celsius(degrees: 3)) == .text("3"))
        try expectRoundTrip([["b", "a/b"], []])
        try expectRoundTrip([["b": 1, "a": 2], [:]])
        try expectRoundTrip([["a", nil]])
        #expect(try StoredValue(Point?.none) == .null)
        #expect(throws: ValueIssue.self) { try StoredValue(Point(x: .nan)) }
    }

    @Test("equal sets and dictionaries have equal text, whatever order they were filled in")
    func canonicalJSON() throws {
        for seed in 0..<50 {
            var random = SeededGenerator(state: UInt64(seed))
            let names = (0..<40).map { "n\($0)" }
            var one = Set<String>()
            var two = Set<String>(minimumCapacity: 1_000)
            for name in names { one.insert(name) }
            for name in names.shuffled(using: &random) { two.insert(name) }
            #expect(try StoredValue(one) == StoredValue(two))
            var first: [Fuel: Int] = [:]
            for fuel in [Fuel.petrol, .diesel].shuffled(using: &random) { first[fuel] = 1 }
            #expect(try StoredValue(first) == StoredValue([Fuel.diesel: 1, .petrol: 1]))
            var small: [UUID: String] = [:]
            var large = [UUID: String](minimumCapacity: 500)
            let keys = (0..<20).map { _ in UUID() }
            for key in keys { small[key] = "v" }
            for key in keys.shuffled(using: &random) { large[key] = "v" }
            #expect(try StoredValue(small) == StoredValue(large))
            try expectRoundTrip([small, large])
        }
        try expectRoundTrip([Set([1.5, 2.5]), []])
    }

    @Test("an Optional of an Optional is a fault of the model")
    func nestedOptional() {
        final class Odd { var a: Int??; var b: Int? }
        let odd = EntityDescription(Odd.self, name: "Odd") { entity in
            entity.attribute("a", \Odd.a)
            entity.attribute("b", \Odd.b)
        }
        #expect(odd.issues == ["Odd.a: an Optional of an Optional; the store has one nil only"])
    }
}
