import DataKernel
import Foundation
import KernelSQL
import Testing

@Suite("What is wrong with a request is thrown when it is used")
struct RequestErrorTests {
    /// The message of the error that the request throws, or nil when it throws none.
    private func fault(_ request: Request<Truck>) -> String? {
        do {
            _ = try request.checked()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("an unknown attribute, with a suggestion")
    func unknownAttribute() {
        #expect(fault(Request().filter("modle", equalTo: 1)) == "Truck has no attribute modle; did you mean model?")
        #expect(fault(Request().sort("colour")) == "Truck has no attribute colour")
        #expect(fault(Request().filter("_id", equalTo: 1)) == "Truck has no attribute _id")
        #expect(fault(Request().filter(#"model" = 1 --"#, contains: "")) != nil)
    }

    @Test("a value of the wrong kind names the attribute and both kinds, not the value")
    func wrongKind() {
        #expect(
            fault(Request().filter("year", equalTo: "secret"))
                == "Request<Truck>: year is an integer; it was compared with text")
        #expect(fault(Request().filter("year", lessThan: 3.5)) != nil)
        #expect(fault(Request().filter("model", equalTo: 3)) != nil)
        #expect(fault(Request().filter("key", equalTo: "A")) != nil)
        #expect(fault(Request().filter("price", equalTo: "cheap")) != nil)
        #expect(fault(Request().filter("address", equalTo: "street")) != nil)
        #expect(fault(Request().filter("year", oneOf: ["a", "b"])) != nil)
        #expect(fault(Request().filter("year", between: "a"..."b")) != nil)
    }

    @Test("values that lose nothing by it are converted")
    func conversions() throws {
        func stored(_ name: String, _ value: (any AttributeValue)?) throws -> [QueryArgument] {
            try arguments(Request<Truck>().filter(name, equalTo: value))
        }
        #expect(try stored("weight", 3) == [.value(.real(3))])
        #expect(try stored("price", 3) == [.value(.text("3"))])
        #expect(try stored("price", 0.1) == [.value(.text("0.1"))])
        #expect(try stored("price", Decimal(string: "1.50")) == [.value(.text("1.5"))])
        #expect(try stored("fuel", Truck.Fuel.diesel) == [.value(.text("diesel"))])
        #expect(try stored("fuel", "diesel") == [.value(.text("diesel"))])
        #expect(try stored("home", URL(string: "https://a.org/")) == [.value(.text("https://a.org/"))])
        #expect(try stored("used", true) == [.value(.integer(1))])
        #expect(try stored("mark", nil) == [])
        #expect(try stored("mark", String?.none) == [])
        #expect(
            try stored("builtAt", Date(timeIntervalSinceReferenceDate: 0.25)) == [.value(.real(0.25))])
    }

    @Test("NaN and too large an integer, in every form")
    func unstorable() {
        #expect(
            fault(Request().filter(\.weight == .nan))
                == "Request<Truck>: the value for weight is NaN, which the store cannot hold")
        #expect(fault(Request().filter("weight", lessThan: Double.nan)) != nil)
        #expect(fault(Request().filter("price", equalTo: Double.nan)) != nil)
        #expect(fault(Request().filter(\.price == .nan)) != nil)
        #expect(fault(Request().filter(\.serial == .max)) != nil)
        #expect(fault(Request().filter(.oneOf(\.serial, [1, .max]))) != nil)
        #expect(fault(Request().filter(where: { $0.weight.between(1...(.infinity)) && $0.weight != .nan })) != nil)
    }

    @Test("a key path that is no attribute tells the spelling that works")
    func noAttribute() throws {
        let paths = [
            fault(Request().filter(\.badge == nil)), fault(Request().filter(\.model.count == 3)),
            fault(Request().sort(\.badge)), fault(Request().filter(where: { $0.badge.contains("a") })),
        ]
        for message in paths { #expect(try #require(message).contains("filter(where:")) }
    }

    @Test("text operators on what is no text, and order on what has none")
    func operators() {
        #expect(
            fault(Request().filter("year", contains: "1"))
                == "Request<Truck>: year is an integer; only text can be searched as text")
        #expect(fault(Request().filter("year", equalTo: 1, comparing: .insensitive)) != nil)
        #expect(fault(Request().sort("year", comparing: .insensitive)) != nil)
        #expect(
            fault(Request().filter("year", lessThan: nil))
                == "Request<Truck>: nil has no order, so year cannot be compared with it")
        #expect(fault(Request().filter(\.address < Truck.Address())) != nil)
        #expect(fault(Request().sort(\.address)) != nil)
    }

    @Test("a negative limit or offset")
    func negative() {
        #expect(fault(Request().limit(-1)) == "Request<Truck>: its limit is negative")
        #expect(fault(Request().offset(-1)) == "Request<Truck>: its offset is negative")
        #expect(fault(Request().limit(-1).limit(1)) == nil)
    }

    @Test("a failure is not lost among sound conditions, nor by a negation")
    func failuresRise() {
        let sound: Condition<Truck> = \.year == 1
        #expect(fault(Request().filter(sound || !(sound && \.weight == .nan))) != nil)
        #expect(fault(Request().filter("modle", equalTo: 1).filter(sound).sort(\.year)) != nil)
        #expect(fault(Request().sort("modle").sort(\.year).filter(sound)) != nil)
    }
}
