/// What keeps a stored property with `@Relationship` from being a relationship. Each check is false when it has refused
/// something.
enum RelationshipChecks {
    /// One refusal at most: what follows from the first would only hide it.
    static func pass(_ property: Declaration, _ source: SourceMap) -> Bool {
        declaration(property, source) && attributes(property, source) && binding(property.bindings[0], source)
    }

    private static func declaration(_ property: Declaration, _ source: SourceMap) -> Bool {
        if property.isConditional {
            return source.refuse(
                property.keywordRange,
                "the table cannot depend on #if: move the property out of it, or write @Transient without "
                    + "@Relationship")
        }
        for modifier in property.modifiers {
            if modifier.name == "lazy" {
                return source.refuse(
                    modifier.range, "a relationship loads itself when it is first touched: remove lazy")
            }
            if modifier.name.isOne(of: "weak unowned") {
                return source.refuse(
                    modifier.range,
                    "a relationship is a key in the store and holds no reference: remove \(modifier.name)")
            }
        }
        if property.isLet {
            return source.refuse(
                property.keywordRange, "a relationship loads itself when it is touched: write var, or private(set) var")
        }
        if property.bindings.count > 1 {
            let second = property.bindings[1]
            return source.refuse(
                second.nameRange,
                "a macro cannot reach two properties of one var: write @Relationship var \(second.name) on its own")
        }
        return true
    }

    private static func attributes(_ property: Declaration, _ source: SourceMap) -> Bool {
        for attribute in property.attributes {
            if attribute.shortName == "Relationship" || PropertyChecks.isHarmless(attribute) { continue }
            return source.refuse(
                attribute.range,
                "a relationship cannot be combined with @\(attribute.name): remove it, or write it on a computed "
                    + "property")
        }
        var isWritten = false
        for attribute in property.attributes where attribute.shortName == "Relationship" {
            if isWritten {
                return source.refuse(attribute.range, "a relationship is described once: write one @Relationship")
            }
            isWritten = true
        }
        return true
    }

    private static func binding(_ binding: Binding, _ source: SourceMap) -> Bool {
        if binding.isPattern {
            return source.refuse(binding.nameRange, "a relationship has one name: write a var for each")
        }
        guard PropertyChecks.name(binding, macro: "Relationship", source) else { return false }
        if binding.accessors == .observers, let range = binding.accessorRange {
            return source.refuse(
                range, "a relationship cannot be observed in its class: write a computed property around it")
        }
        guard let range = binding.type else {
            return source.refuse(
                binding.nameRange,
                "a relationship needs its type: write \(binding.name): T? or \(binding.name): [T], T being an entity")
        }
        let type = source.lexer.spelledType(range)
        guard let type = RelationshipType(type) else { return RelationshipType.refuse(type, source) }
        return initialValue(binding, type, source)
    }

    /// A new object's relationships begin empty; `nil` and `[]` say so and nothing else.
    private static func initialValue(_ binding: Binding, _ type: RelationshipType, _ source: SourceMap) -> Bool {
        guard let value = binding.value else { return true }
        var lexer = source.lexer
        lexer.move(to: value.lowerBound)
        switch type.kind {
        case .toOne:
            if lexer.take("nil"), lexer.position == value.upperBound { return true }
            return source.refuse(value, "a relationship begins as nil: remove the initial value, or write nil")
        case .toMany:
            if lexer.take("["), lexer.take("]"), lexer.position == value.upperBound { return true }
            return source.refuse(value, "a relationship begins as empty: remove the initial value, or write []")
        case .required:
            return source.refuse(
                value, "an initial value would be made for each new object: remove it, and set the relationship")
        }
    }
}
