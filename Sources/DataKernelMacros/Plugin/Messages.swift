/// A piece of source that the compiler sends, and where it stands.
final class SourcePiece {
    let text: String
    let fileName: String
    /// The byte of the file at which the text begins, with the comments and blank lines before its first token.
    let offset: Int

    init(text: String, fileName: String, offset: Int) {
        self.text = text
        self.fileName = fileName
        self.offset = offset
    }

    convenience init?(_ json: JSONValue) {
        guard let text = json["source"].string else { return nil }
        let location = json["location"]
        self.init(text: text, fileName: location["fileName"].string ?? "", offset: location["offset"].number ?? 0)
    }

    func isSame(as other: SourcePiece) -> Bool {
        offset == other.offset && fileName == other.fileName && text == other.text
    }
}

/// `expandAttachedMacro`: one macro, in one role, at one declaration.
struct ExpansionRequest {
    var macro: String
    var role: String
    var attribute: SourcePiece
    var declaration: SourcePiece
    /// The type that a member belongs to, in the role `memberAttribute`.
    var parent: SourcePiece?
    /// The type's full name, in the role `extension`.
    var extendedType: String?
    /// The names of the conformances that are still missing, in the role `extension`.
    var conformances: [String]
    /// The declarations around this one, the innermost first, as heads without members.
    var context: [SourcePiece]
}

extension ExpansionRequest {
    init?(_ json: JSONValue) {
        guard let macro = json["macro"]["typeName"].string ?? json["macro"]["name"].string,
            let role = json["macroRole"].string,
            let attribute = SourcePiece(json["attributeSyntax"]), let declaration = SourcePiece(json["declSyntax"])
        else { return nil }
        self.macro = macro.trimmed
        self.role = role
        self.attribute = attribute
        self.declaration = declaration
        parent = SourcePiece(json["parentDeclSyntax"])
        extendedType = json["extendedTypeSyntax"]["source"].string?.trimmed
        conformances = ExpansionRequest.names(inList: json["conformanceListSyntax"]["source"].string ?? "")
        context = json["lexicalContext"].array.compactMap { SourcePiece($0) }
    }

    /// The list comes as the head of a type that does not exist, `struct Placeholder: Entity, Module.Other {}`.
    private static func names(inList text: String) -> [String] {
        var lexer = Lexer(text)
        guard let list = lexer.readType().inheritance else { return [] }
        return lexer.arguments(in: list).map { lexer.text($0.value).lastPart { $0 == Byte.dot }.trimmed }
    }
}

/// An error at a byte of a file.
struct Diagnostic {
    var message: String
    var fileName: String
    var offset: Int

    fileprivate var json: String {
        #"{"message":\#(message.json),"severity":"error","position":{"fileName":\#(fileName.json),"offset":\#(offset)},"#
            + #""highlights":[],"notes":[],"fixIts":[]}"#
    }
}

/// What a macro makes of a declaration.
struct Expansion {
    var source = ""
    var diagnostics: [Diagnostic] = []

    /// The answer to the compiler.
    var message: String {
        let diagnostics = diagnostics.map(\.json).joined(separator: ",")
        return #"{"expandMacroResult":{"expandedSource":\#(source.json),"diagnostics":[\#(diagnostics)]}}"#
    }
}
