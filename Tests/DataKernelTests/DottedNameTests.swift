import DataKernel
import KernelSQL
import Testing

@Suite("Names with dots are read in one way by filters, sorts and prefetches")
struct DottedNameTests {
    private func fault(_ request: Request<Auto>) -> String? {
        do {
            _ = try request.checked()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func faults(_ name: String) -> [String?] {
        let autos = Request<Auto>()
        return [
            fault(autos.filter(name, equalTo: 1)), fault(autos.sort(name)), fault(autos.prefetch(name)),
            fault(autos.filter(name, contains: "")), fault(autos.filter(name, oneOf: [1])),
            fault(autos.filter(name, equalTo: Human())),
        ]
    }

    @Test(
        "a step without a name is refused by all",
        arguments: ["", ".", "..", "owner.", ".owner", "owner..town", "owner.town.", ".year", "year.", "tyres..count"])
    func emptySteps(name: String) {
        for message in faults(name) {
            #expect(
                message
                    == (name.isEmpty
                        ? "Request<Auto>: a name in it is empty"
                        : "Request<Auto>: the name \(name) has a dot without a name on both sides"))
        }
    }

    @Test("a name without end is refused before anything is made of it")
    func endless() {
        let steps = String(repeating: "owner.friends.", count: 100_000) + "name"
        for message in faults(steps) {
            #expect(message == "Request<Auto>: it leads through more than 60 relationships; split it")
        }
        let long = String(repeating: "x", count: 1_000_000)
        for message in faults(long) {
            #expect(message == "Auto has no attribute " + long.shown)
        }
        for message in faults("o\nw\u{1B}") { #expect(message == #"Auto has no attribute o\nw\u{1B}"#) }
    }

    @Test("the whole is looked for first, then its steps")
    func sound() {
        #expect(fault(Request<Auto>().filter("owner.town.name", equalTo: "Bonn").prefetch("owner.town")) == nil)
    }
}
