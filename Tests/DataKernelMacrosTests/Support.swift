@testable import DataKernelMacros

/// The requests that the compiler would send for a source text, and the answers.
struct Asking {
    /// The text, with leading blank lines as the compiler sends them.
    let source: String
    var context: [String] = []
    /// Where in its file the text begins.
    let offset = 1000

    private func piece(_ text: String, at offset: Int = 0) -> SourcePiece {
        SourcePiece(text: text, fileName: "File.swift", offset: offset)
    }

    /// `@Entity…` as it stands in the text.
    private var attribute: SourcePiece {
        var lexer = Lexer(source)
        let head = lexer.readHead()
        let range = head.attributes.first { $0.shortName == "Entity" }?.range ?? 0..<0
        return piece(lexer.text(range), at: offset + range.lowerBound)
    }

    func request(_ role: String, macro: String = "Entity", conformances: [String] = []) -> ExpansionRequest {
        ExpansionRequest(
            macro: macro, role: role, attribute: attribute, declaration: piece(source, at: offset), parent: nil,
            extendedType: nil, conformances: conformances, context: context.map { piece($0) })
    }

    var members: Expansion {
        var server = MacroServer()
        return server.expansion(of: request("member"))
    }

    func extensions(missing: [String]) -> Expansion {
        var server = MacroServer()
        return server.expansion(of: request("extension", conformances: missing))
    }

    /// What is put before one of the members, given as written.
    func memberAttribute(_ member: String) -> String {
        var server = MacroServer()
        var request = request("memberAttribute")
        request.parent = request.declaration
        request.declaration = piece(member)
        request.context = [piece(source)] + request.context
        return server.expansion(of: request).source
    }

    /// The accessors of a property on its own.
    func accessors(_ macro: String) -> Expansion {
        var server = MacroServer()
        return server.expansion(of: request("accessor", macro: macro))
    }

    /// What the macros of that name before a declaration say of it.
    func peers(_ macro: String = "Attribute") -> Expansion {
        var server = MacroServer()
        return server.expansion(of: request("peer", macro: macro))
    }

    /// The diagnostics as "token: message", the token being what stands at the offset up to `length` bytes.
    func diagnostics(of expansion: Expansion) -> [(rest: String, message: String)] {
        expansion.diagnostics.map { diagnostic in
            let index = diagnostic.offset - offset
            let bytes = Array(source.utf8)
            let rest = bytes.indices.contains(index) ? String(decoding: bytes[index...], as: UTF8.self) : ""
            return (rest, diagnostic.message)
        }
    }
}

/// The stored properties that the scanner finds in the first type of a text.
func storedNames(_ source: String) -> [String] {
    var lexer = Lexer(source)
    return lexer.readType().properties.filter { !$0.isStatic }.flatMap { property in
        property.bindings.filter { $0.accessors != .computed }.map(\.name)
    }
}

/// Numbers that are the same in each run.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
