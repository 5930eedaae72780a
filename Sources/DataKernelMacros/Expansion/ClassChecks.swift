/// What keeps a type from being an entity, whatever its properties are. Each is said at the token that is to be
/// changed, and with one of them nothing is expanded: what followed from it would only hide it.
enum ClassChecks {
    static func check(_ type: Declaration, _ source: SourceMap, _ context: [SourcePiece]) {
        guard kind(type, source) else { return }
        inheritance(type, source)
        let outer = surroundings(context)
        visibility(type, source, outer)
        if let generics = type.generics {
            source.refuse(
                generics, "an entity is one table and cannot be generic: write final class \(type.name) without <>")
        }
        if let generic = outer.first(where: { $0.generics != nil }) {
            source.refuse(
                type.nameRange,
                "an entity is one table and cannot be inside the generic \(generic.keyword) \(generic.name): write it "
                    + "outside")
        }
        for attribute in type.attributes { check(attribute, source) }
        conformances(type, source)
    }

    private static func kind(_ type: Declaration, _ source: SourceMap) -> Bool {
        if type.keyword == "class" { return true }
        let reason =
            type.keyword == "actor"
            ? "objects belong to their context, not to an actor" : "objects of an entity have identity"
        return source.refuse(type.keywordRange, "\(reason): write final class \(type.name)")
    }

    private static func inheritance(_ type: Declaration, _ source: SourceMap) {
        let reason = "an entity has no subclasses, since their properties would have no columns"
        if let open = type.modifier("open") {
            source.refuse(open.range, "\(reason): write public final class \(type.name)")
        } else if type.modifier("final") == nil {
            source.refuse(type.keywordRange, "\(reason): write final class \(type.name)")
        }
    }

    private static func visibility(_ type: Declaration, _ source: SourceMap, _ surroundings: [Declaration]) {
        if let own = type.modifier("private"), !surroundings.isEmpty {
            source.refuse(own.range, "the conformance cannot reach a private type inside another: write fileprivate")
        } else if let outer = surroundings.first(where: { $0.modifier("private") != nil }), outer !== surroundings.last
        {
            // A private type at the level of the file can be reached from all of it; the outermost comes last.
            source.refuse(
                type.nameRange,
                "the conformance cannot reach a type inside the private \(outer.keyword) \(outer.name): write "
                    + "fileprivate \(outer.keyword) \(outer.name)")
        }
    }

    /// The types around, the innermost first.
    private static func surroundings(_ context: [SourcePiece]) -> [Declaration] {
        var types: [Declaration] = []
        for piece in context {
            var lexer = Lexer(piece.text)
            let outer = lexer.readType()
            if outer.keyword.isOne(of: "class struct enum actor extension") { types.append(outer) }
        }
        return types
    }

    private static func check(_ attribute: Attribute, _ source: SourceMap) {
        let name = attribute.name.lastPart { $0 == Byte.dot }
        if name == "Observable" {
            source.refuse(
                attribute.range, "@Observable would add accessors of its own: write @Entity(observable: true) instead")
        } else if name.hasSuffix("Actor") {
            source.refuse(
                attribute.range,
                "objects belong to their context, not to an actor: remove @\(attribute.name), and reach them from the "
                    + "main actor through uiContext")
        }
    }

    private static func conformances(_ type: Declaration, _ source: SourceMap) {
        guard let list = type.inheritance else { return }
        for argument in source.lexer.arguments(in: list) {
            let name = source.lexer.text(argument.value).lastPart(Byte.isBlank)
            guard name.isOne(of: "Sendable Swift.Sendable") else { continue }
            source.refuse(
                argument.value,
                "an object must not leave its context, and Sendable would let it: remove it, and hand on its objectID")
        }
    }
}
