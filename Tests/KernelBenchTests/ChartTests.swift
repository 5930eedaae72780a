import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import KernelBenchWork

@Suite("The chart")
struct ChartTests {
    private let figures = [
        Figure(name: "W1", title: "create & save", value: 1.3, unit: "times", target: 1.4),
        Figure(name: "W2", title: "fetch <objects>", value: 1.5, unit: "times", target: 1.2),
        Figure(name: "W3", title: "far too slow", value: 30, unit: "times", target: 1.5),
    ]

    /// The elements of an SVG, in their order.
    private func elements(_ svg: String) throws -> [Element] {
        let reader = SVGReader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        #expect(parser.parse())
        return reader.elements
    }

    @Test("is well-formed, with a bar and a mark for each workload")
    func wellFormed() throws {
        let elements = try elements(Chart(figures: figures).svg)
        #expect(elements.first?.name == "svg")
        let bars = elements.filter { $0.name == "rect" }
        #expect(bars.map(\.kind) == ["bar", "over", "over"])
        #expect(elements.filter { $0.kind == "mark" }.count == 3)
        #expect(elements.filter { $0.kind == "line" }.count == 1)
    }

    @Test("draws bars in proportion, but for one that is cut")
    func lengths() throws {
        let svg = Chart(figures: figures).svg
        let widths = try elements(svg).filter { $0.name == "rect" }.compactMap { Double($0.attributes["width"] ?? "") }
        try #require(widths.count == 3)
        #expect(abs(widths[1] / widths[0] - 1.5 / 1.3) < 0.01)
        #expect(widths[2] / widths[0] < 4)
        #expect(svg.contains("30 →") && !svg.contains("1.5 →"))
    }

    @Test("stays inside its frame")
    func frame() throws {
        let elements = try elements(Chart(figures: figures).svg)
        let box = (elements[0].attributes["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
        try #require(box.count == 4)
        for element in elements {
            for key in ["x", "x1", "x2"] { #expect(Double(element.attributes[key] ?? "0") ?? -1 <= box[2]) }
            for key in ["y", "y1", "y2"] { #expect(Double(element.attributes[key] ?? "0") ?? -1 <= box[3]) }
            let right = (Double(element.attributes["x"] ?? "") ?? 0) + (Double(element.attributes["width"] ?? "") ?? 0)
            #expect(right <= box[2])
        }
    }

    @Test("has colours for dark mode, and none without a class")
    func dark() {
        let svg = Chart(figures: figures).svg
        #expect(svg.contains("@media (prefers-color-scheme: dark)"))
        #expect(svg.contains("create &amp; save") && svg.contains("fetch &lt;objects&gt;"))
    }

    @Test("of nothing is an empty chart")
    func empty() throws {
        let elements = try elements(Chart(figures: []).svg)
        #expect(elements.filter { $0.name == "rect" } == [])
    }
}

private struct Element: Equatable {
    let name: String
    let attributes: [String: String]
    var kind: String? { attributes["class"] }
}

private final class SVGReader: NSObject, XMLParserDelegate {
    var elements: [Element] = []

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append(Element(name: name, attributes: attributes))
    }
}
