import Testing

@testable import PackageIndexCore

@Suite("Reading an index, stanza by stanza")
struct ReadingTests {
    @Test("fields, continuation lines and comments")
    func fields() throws {
        let items = read("# a note\nPackage: a\nTag: x::y,\n# between two lines\n z::w\nEmpty:\nVersion:1\n")
        let stanza = try #require(items.stanzas.first)
        #expect(items.broken.isEmpty && items.stanzas.count == 1)
        #expect(stanza.line == 2)
        #expect(stanza.fields.map(\.name) == ["Package", "Tag", "Empty", "Version"])
        #expect(stanza["tag"]?.value == "x::y,\nz::w")
        #expect(stanza["Tag"]?.line(at: 0) == 3)
        #expect(stanza["Tag"]?.line(at: 6) == 5)
        #expect(stanza["Empty"]?.value == "")
        #expect(stanza["Version"]?.value == "1")
        #expect(stanza["Homepage"] == nil)
    }

    @Test("lines may end in CRLF, and blanks make a blank line", arguments: 1...9)
    func lineEnds(chunk: Int) {
        let items = read("Package: a\r\nTag: x,\r\n y\r\n\r\n \t\r\n\r\nPackage: b\r\n", chunk: chunk)
        #expect(items.broken.isEmpty)
        #expect(items.stanzas.map { $0["Package"]?.value } == ["a", "b"])
        #expect(items.stanzas[0]["Tag"]?.value == "x,\ny")
        #expect(items.stanzas.map(\.line) == [1, 7])
    }

    @Test("the last line needs no end, and an empty stream has no stanza")
    func ends() {
        #expect(read("Package: a").stanzas.map { $0["Package"]?.value } == ["a"])
        #expect(read("").stanzas.isEmpty)
        #expect(read("\n\n \n# only a note\n\n").stanzas.isEmpty)
    }

    @Test(
        "a broken stanza is reported with its line and its package, and its neighbours are kept",
        arguments: [
            ("Package: p\nno colon here\nVersion: 1", 5, "p", BrokenStanza.Fault.noColon),
            ("no colon here\nPackage: p", 4, "p", .noColon),
            (" continues nothing\nPackage: p", 4, "p", .nothingToContinue),
            ("Package: p\n: value", 5, "p", .badFieldName),
            ("Package: p\nTwo words: value", 5, "p", .badFieldName),
            ("Package: p\n-x: value", 5, "p", .badFieldName),
            ("Package: p\nTag: a\nTAG: b", 6, "p", .duplicateField("TAG")),
            ("Package: p\nPackage: q", 5, "p", .duplicateField("Package")),
            ("Package: p\nTag: a%NULb", 5, "p", .nul),
            ("Package: p\nTag: a,\n b%NUL", 6, "p", .nul),
        ])
    func broken(text: String, line: Int, package: String?, fault: BrokenStanza.Fault) {
        let text = text.replacing("%NUL", with: "\0")  // which the names of test cases had better not contain
        let items = read("Package: before\n\n# note\n\(text)\n\nPackage: behind\n")
        #expect(items.broken == [BrokenStanza(line: line, package: package, fault: fault)])
        #expect(items.stanzas.map { $0["Package"]?.value } == ["before", "behind"])
    }

    @Test("bytes that are not UTF-8 are a fault of their line", arguments: 1...7)
    func notUTF8(chunk: Int) {
        let bytes = Array("Package: a\n\nPackage: p\nTag: é,\n ".utf8) + [0xC3, 0x28] + Array("\n\nPackage: b\n".utf8)
        let items = read(bytes, chunk: chunk)
        #expect(items.broken == [BrokenStanza(line: 5, package: "p", fault: .notUTF8)])
        #expect(items.stanzas.map { $0["Package"]?.value } == ["a", "b"])
    }

    @Test("a stanza without end is given up at the limit, be it one line or many")
    func tooLong() {
        let one = "Package: p\nTag: " + String(repeating: "x", count: 5000)
        let many = "Package: q\nTag:" + String(repeating: "\n x", count: 2500)
        let items = read("Package: a\n\n\(one)\n\n\(many)\n\nPackage: b\n", limit: 1000)
        #expect(items.broken.map(\.fault) == [.tooLong(limit: 1000), .tooLong(limit: 1000)])
        #expect(items.broken.map(\.package) == ["p", "q"])
        #expect(items.broken[0].line == 4)
        #expect(items.stanzas.map { $0["Package"]?.value } == ["a", "b"])
    }

    @Test("a stanza of exactly the limit is read")
    func limit() {
        let text = "Package: " + String(repeating: "p", count: 90) + "\n"
        #expect(read(text, limit: 100).stanzas.count == 1)
        #expect(read(text, limit: 99).broken.map(\.fault) == [.tooLong(limit: 99)])
    }

    @Test("what the stream throws comes out")
    func failingStream() throws {
        struct Torn: Error {}
        var chunks = [Array("Package: a\n\nPackage: b\n".utf8)]
        var reader = StanzaReader { if chunks.isEmpty { throw Torn() } else { chunks.removeFirst() } }
        guard case .stanza = try reader.next() else {
            Issue.record("the first stanza is whole")
            return
        }
        #expect(throws: Torn.self) { _ = try reader.next() }
    }
}

/// Everything that a reader finds in a text.
struct Items {
    var stanzas: [Stanza] = []
    var broken: [BrokenStanza] = []
}

func read(_ text: String, chunk: Int = 1 << 16, limit: Int = 1 << 20) -> Items {
    read(Array(text.utf8), chunk: chunk, limit: limit)
}

func read(_ bytes: [UInt8], chunk: Int = 1 << 16, limit: Int = 1 << 20) -> Items {
    var items = Items()
    var reader = StanzaReader(bytes: bytes, chunk: chunk, limit: limit)
    do {
        while let item = try reader.next() {
            switch item {
            case .stanza(let stanza): items.stanzas.append(stanza)
            case .broken(let broken): items.broken.append(broken)
            }
        }
    } catch {
        Issue.record(error)
    }
    return items
}
