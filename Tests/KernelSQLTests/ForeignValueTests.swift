import Foundation
import KernelSQL
import Testing

/// What a column may hold when another program wrote to the file, and where Swift's `==` and the store disagree.
@Suite("Values that this program did not write")
struct ForeignValueTests {
    private func read<V: AttributeValue>(_ stored: StoredValue, as type: V.Type) throws -> V {
        try V(row: MemoryRow([stored]), attribute: 0)
    }

    @Test("a number too large for Float is refused, not read as infinite")
    func floatOverflow() throws {
        #expect(throws: ValueIssue.self) { try read(.real(1e300), as: Float.self) }
        #expect(try read(.real(.infinity), as: Float.self) == .infinity)
    }

    @Test("text that a URL would change is refused", arguments: ["", "a b", "http://ü.example", "http://x/|"])
    func noURL(text: String) {
        #expect(throws: ValueIssue.self) { try read(.text(text), as: URL.self) }
    }

    @Test(
        "a URL is read as it stands",
        arguments: [
            "https://a.example/c%20d?q=%C3%B6#x", "mailto:ann@example.org", "http://[::1]:80/", "//host", "?q", "#f",
            "file:///tmp/%C3%BC%23%3F%2520", "http://u:p@h/p;a=b?c=d%20", "data:text/plain,a%7Cb", "relative/path",
        ])
    func url(text: String) throws {
        #expect(try read(.text(text), as: URL.self).absoluteString == text)
    }

    @Test("integers out of the type's range, bytes that are no UUID, and other kinds are refused")
    func misfits() {
        #expect(throws: ValueIssue.self) { try read(.integer(128), as: Int8.self) }
        #expect(throws: ValueIssue.self) { try read(.integer(-1), as: UInt64.self) }
        #expect(throws: ValueIssue.self) { try read(.integer(2), as: Bool.self) }
        #expect(throws: ValueIssue.self) { try read(.blob(Data(count: 15)), as: UUID.self) }
        #expect(throws: ValueIssue.self) { try read(.text("1"), as: Int.self) }
    }

    @Test("what cannot be read as JSON is told without the value")
    func discretion() throws {
        for text in ["{", "null", "{\"x\":\"secret\"}"] {
            let issue = try #require(throws: ValueIssue.self) { try read(.text(text), as: Point.self) }
            #expect(!issue.reason.contains("secret"))
        }
    }

    @Test("two spellings of é are one text to Swift and two to the store, in a set too")
    func normalForms() throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        #expect(composed == decomposed)
        #expect(!composed.isStored(equalTo: decomposed))
        #expect(Set([StoredValue.text(composed), .text(decomposed)]).count == 2)
        #expect(Set([composed]) == Set([decomposed]))
        #expect(!Set([composed]).isStored(equalTo: [decomposed]))
        // Of one length in bytes, and canonically equal all the same.
        #expect("\u{F900}" == "\u{8C48}")
        #expect(!"\u{F900}".isStored(equalTo: "\u{8C48}"))
    }
}
