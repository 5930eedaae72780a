/// What keeps a type from being an entity, whatever its properties are. Each is said at the token that is to be
/// changed, and with one of them nothing is expanded: what followed from it would only hide it.
enum ClassChecks {
    static func diagnostics(_ type: TypeDeclaration, _ source: SourceMap, _ context: [SourcePiece]) -> [Diagnostic] {
        if let issue = kind(type, source) { return [issue] }
        var issues = [inheritance(type, source), visibility(type, source, context)].compactMap { $0 }
        if let generics = type.generics {
            issues.append(
                source.diagnostic(
                    generics, "an entity is one table and cannot be generic: write final class \(type.name) without <>")
            )
        }
        if let outer = Self.surroundings(context).first(where: { $0.generics != nil }) {
            issues.append(
                source.diagnostic(
                    type.nameRange,
                    "an entity is one table and cannot be inside the generic \(outer.keyword) \(outer.name): write it "
                        + "outside"))
        }
        issues += type.attributes.compactMap { attribute($0, source) }
        issues += conformances(type, source)
        return issues
    }

    private static func kind(_ type: TypeDeclaration, _ source: SourceMap) -> Diagnostic? {
        if type.keyword == "class" { return nil }
        let reason =
            switch type.keyword {
            case "actor": "objects belong to their context, not to an actor"
            default: "objects of an entity have identity"
            }
        return source.diagnostic(type.keywordRange, "\(reason): write final class \(type.name)")
    }

    private static func inheritance(_ type: TypeDeclaration, _ source: SourceMap) -> Diagnostic? {
        let reason = "an entity has no subclasses, since their properties would have no columns"
        if let open = type.modifier("open") {
            return source.diagnostic(open.range, "\(reason): write public final class \(type.name)")
        }
        if type.modifier("final") == nil {
            return source.diagnostic(type.keywordRange, "\(reason): write final class \(type.name)")
        }
        return nil
    }

    private static func visibility(
        _ type: TypeDeclaration, _ source: SourceMap, _ context: [SourcePiece]
    ) -> Diagnostic? {
        let surroundings = Self.surroundings(context)
        if let own = type.modifier("private"), !surroundings.isEmpty {
            return source.diagnostic(
                own.range, "the conformance cannot reach a private type inside another: write fileprivate")
        }
        // A private type at the level of the file can be reached from all of it; the outermost comes last.
        guard let outer = surroundings.dropLast().first(where: { $0.modifier("private") != nil }) else { return nil }
        return source.diagnostic(
            type.nameRange,
            "the conformance cannot reach a type inside the private \(outer.keyword) \(outer.name): write fileprivate "
                + "\(outer.keyword) \(outer.name)")
    }

    /// The types around, the innermost first.
    private static func surroundings(_ context: [SourcePiece]) -> [TypeDeclaration] {
        context.compactMap { piece in
            var lexer = Lexer(piece.text)
            let outer = lexer.readType()
            return ["class", "struct", "enum", "actor", "extension"].contains(outer.keyword) ? outer : nil
        }
    }

    private static func attribute(_ attribute: Attribute, _ source: SourceMap) -> Diagnostic? {
        let name = attribute.name.split(separator: ".").last.map(String.init) ?? attribute.name
        if name == "Observable" {
            return source.diagnostic(
                attribute.range, "@Observable would add accessors of its own: write @Entity(observable: true) instead")
        }
        if name.hasSuffix("Actor") {
            return source.diagnostic(
                attribute.range,
                "objects belong to their context, not to an actor: remove @\(attribute.name), and reach them from the "
                    + "main actor through uiContext")
        }
        return nil
    }

    private static func conformances(_ type: TypeDeclaration, _ source: SourceMap) -> [Diagnostic] {
        guard let list = type.inheritance else { return [] }
        return source.lexer.arguments(in: list).compactMap { argument in
            let words = source.lexer.text(argument.value).split(whereSeparator: \.isWhitespace)
            guard words.last == "Sendable" || words.last == "Swift.Sendable" else { return nil }
            return source.diagnostic(
                argument.value,
                "an object must not leave its context, and Sendable would let it: remove it, and hand on its objectID")
        }
    }
}
