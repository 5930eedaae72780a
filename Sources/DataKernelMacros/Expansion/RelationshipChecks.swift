/// What keeps a stored property with `@Relationship` from being a relationship.
enum RelationshipChecks {
    /// One at most: what follows from the first would only hide it.
    static func diagnostics(_ property: Property, _ source: SourceMap) -> [Diagnostic] {
        let issue =
            declaration(property, source) ?? property.attributes.lazy.compactMap { wrapper($0, source) }.first
            ?? repetition(property, source) ?? property.bindings.lazy.compactMap { binding($0, source) }.first
        return [issue].compactMap { $0 }
    }

    private static func declaration(_ property: Property, _ source: SourceMap) -> Diagnostic? {
        if property.isConditional {
            return source.diagnostic(
                property.keyword,
                "the table cannot depend on #if: move the property out of it, or write @Transient without "
                    + "@Relationship")
        }
        for modifier in property.modifiers {
            switch modifier.name {
            case "lazy":
                return source.diagnostic(
                    modifier.range, "a relationship loads itself when it is first touched: remove lazy")
            case "weak", "unowned":
                return source.diagnostic(
                    modifier.range,
                    "a relationship is a key in the store and holds no reference: remove \(modifier.name)")
            default: continue
            }
        }
        if property.isLet {
            return source.diagnostic(
                property.keyword, "a relationship loads itself when it is touched: write var, or private(set) var")
        }
        if property.bindings.count > 1 {
            let second = property.bindings[1]
            return source.diagnostic(
                second.nameRange,
                "a macro cannot reach two properties of one var: write @Relationship var \(second.name) on its own")
        }
        return nil
    }

    private static func wrapper(_ attribute: Attribute, _ source: SourceMap) -> Diagnostic? {
        if attribute.shortName == "Relationship" || PropertyChecks.harmless.contains(attribute.shortName) { return nil }
        return source.diagnostic(
            attribute.range,
            "a relationship cannot be combined with @\(attribute.name): remove it, or write it on a computed property")
    }

    private static func repetition(_ property: Property, _ source: SourceMap) -> Diagnostic? {
        let written = property.attributes.filter { $0.shortName == "Relationship" }
        guard written.count > 1 else { return nil }
        return source.diagnostic(written[1].range, "a relationship is described once: write one @Relationship")
    }

    private static func binding(_ binding: Binding, _ source: SourceMap) -> Diagnostic? {
        if binding.isPattern {
            return source.diagnostic(binding.nameRange, "a relationship has one name: write a var for each")
        }
        if let issue = PropertyChecks.nameIssue(binding, macro: "Relationship") {
            return source.diagnostic(binding.nameRange, issue)
        }
        if binding.accessors == .observers, let range = binding.accessorRange {
            return source.diagnostic(
                range, "a relationship cannot be observed in its class: write a computed property around it")
        }
        guard let range = binding.type else {
            return source.diagnostic(
                binding.nameRange,
                "a relationship needs its type: write \(binding.name): T? or \(binding.name): [T], T being an entity")
        }
        do {
            return initialValue(binding, try RelationshipType(range, in: source.lexer), source)
        } catch {
            return source.diagnostic(error.range, error.message)
        }
    }

    /// A new object's relationships begin empty; `nil` and `[]` say so and nothing else.
    private static func initialValue(
        _ binding: Binding, _ type: RelationshipType, _ source: SourceMap
    ) -> Diagnostic? {
        guard let value = binding.value else { return nil }
        let text = String(source.lexer.text(value).filter { !$0.isWhitespace })
        switch type.kind {
        case .toOne where text == "nil", .toMany where text == "[]": return nil
        case .toOne:
            return source.diagnostic(value, "a relationship begins as nil: remove the initial value, or write nil")
        case .toMany:
            return source.diagnostic(value, "a relationship begins as empty: remove the initial value, or write []")
        case .required:
            return source.diagnostic(
                value, "an initial value would be made for each new object: remove it, and set the relationship")
        }
    }
}
