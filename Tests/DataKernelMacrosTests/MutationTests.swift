import Testing

@testable import DataKernelMacros

/// The compiler asks while its user types, so half a class is the usual case.
@Suite("Damaged sources")
struct MutationTests {
    static let sources =
        ScannerTests.bodies.map { "@Entity(unique: [[\"a\"]])\npublic final class A: P {\n\($0.0)\n}" }
        + [ExpansionTests.car, RelationshipExpansionTests.car] + RelationshipDiagnosticTests.types.map(\.source)
        + RelationshipDiagnosticTests.arguments.map(\.source) + DiagnosticTests.properties.map(\.source)
        + DiagnosticTests.arguments.map(\.source)
    static let fragments = [
        "{", "}", "(", ")", "[", "]", "<", ">", "\"", "\"\"\"", "#", "#\"", "\\(", "/*", "*/", "//", "/", "`", "@", ":",
        ",",
        ";", ".", "->", "?", "=", "var ", "class ", "init", "#if ", "#endif", "\n", "\u{0}", "é", "\u{FEFF}", "Self",
        "any ",
    ]

    /// Everything that can be asked of a source. True when each place that is pointed at lies in the source.
    private func askAll(_ source: String) -> Bool {
        let asking = Asking(source: source)
        let expansions = [
            asking.members, asking.extensions(missing: ["Entity"]), asking.peers(), asking.peers("Relationship"),
            asking.accessors("KernelAttribute"), asking.accessors("KernelRelationship"),
        ]
        _ = asking.memberAttribute(source)
        let end = asking.offset + source.utf8.count
        return expansions.flatMap(\.diagnostics).allSatisfy { (asking.offset...end).contains($0.offset) }
    }

    @Test("cut off anywhere, they are answered", arguments: sources)
    func cut(source: String) {
        let bytes = Array(source.utf8)
        for end in stride(from: 0, to: bytes.count, by: 3) {
            #expect(askAll(String(decoding: bytes[..<end], as: UTF8.self)))
        }
    }

    @Test("with pieces put in, taken out and doubled, they are answered", arguments: 0..<40)
    func mutated(seed: Int) throws {
        var random = SeededNumbers(UInt64(seed))
        for _ in 0..<25 {
            var bytes = Array(try #require(Self.sources.randomElement(using: &random)).utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let end = min(bytes.count, place + Int.random(in: 0...12, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.insert(contentsOf: (Self.fragments.randomElement(using: &random) ?? "").utf8, at: place)
                case 1: bytes.removeSubrange(place..<end)
                case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
                default: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
                }
            }
            let source = String(decoding: bytes, as: UTF8.self)
            #expect(askAll(source), "\(source)")
        }
    }

    @Test("damaged messages are answered", arguments: 0..<20)
    func messages(seed: Int) throws {
        var random = SeededNumbers(UInt64(seed) &+ 1_000)
        let message = JSONValue.object(
            ["expandAttachedMacro"],
            [
                .object(
                    ["macro", "macroRole", "lexicalContext", "attributeSyntax", "declSyntax"],
                    [
                        .object(["name", "typeName"], [.string("Entity"), .string("Entity")]),
                        .string("member"), .array([]), .object(["source"], [.string("@Entity")]),
                        .object(["source", "location"], [.string(ExpansionTests.car), .null]),
                    ])
            ]
        ).encoded
        for _ in 0..<20 {
            var bytes = message
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : Byte.quote
            }
            var server = MacroServer()
            let answer = try #require(JSONReader.value(of: server.answer(bytes)))
            #expect(answer["expandMacroResult"]["expandedSource"].string != nil)
        }
    }
}
