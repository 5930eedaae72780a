/// What keeps a stored property from being an attribute.
enum PropertyChecks {
    /// Attributes that are no property wrappers and change nothing about how a property is stored.
    static let harmless: Set<String> = [
        "Attribute", "available", "usableFromInline", "_spi", "objc", "nonobjc", "_documentation",
    ]
    private static let kernelMembers: Set<String> = [
        "entity", "pk", "objectID", "isDeleted", "isInserted", "hasChanges", "changedAttributes", "queryValue",
        "validate", "willSave", "awakeFromInsert", "awakeFromFetch", "prepareForDeletion",
    ]

    static func diagnostics(_ property: Property, _ source: SourceMap) -> [Diagnostic] {
        var issues = [declaration(property, source)].compactMap { $0 }
        if issues.isEmpty { issues += property.attributes.compactMap { attribute($0, source) } }
        if issues.isEmpty, property.bindings.count > 1 {
            issues.append(
                source.diagnostic(
                    property.bindings[1].nameRange,
                    "a macro cannot reach two properties of one var: write var \(property.bindings[1].name) on its own")
            )
        }
        if issues.isEmpty { issues += property.bindings.compactMap { binding($0, source) } }
        return issues
    }

    private static func declaration(_ property: Property, _ source: SourceMap) -> Diagnostic? {
        if property.isConditional {
            return source.diagnostic(
                property.keyword, "the table cannot depend on #if: move the property out of it, or write @Transient")
        }
        for modifier in property.modifiers {
            switch modifier.name {
            case "lazy":
                return source.diagnostic(
                    modifier.range, "an attribute is loaded with its object: remove lazy, or write @Transient lazy var")
            case "weak", "unowned":
                return source.diagnostic(
                    modifier.range,
                    "an attribute is a value and holds no reference: write @Transient \(modifier.name) var")
            default: continue
            }
        }
        if property.isLet {
            return source.diagnostic(
                property.keyword, "an attribute is filled by a fetch: write var, or private(set) var, or @Transient let"
            )
        }
        return nil
    }

    private static func attribute(_ attribute: Attribute, _ source: SourceMap) -> Diagnostic? {
        if harmless.contains(attribute.shortName) { return nil }
        return source.diagnostic(
            attribute.range,
            "an attribute cannot be combined with @\(attribute.name): remove it, or write @Transient @\(attribute.name)"
        )
    }

    private static func binding(_ binding: Binding, _ source: SourceMap) -> Diagnostic? {
        if binding.isPattern {
            return source.diagnostic(binding.nameRange, "an attribute has one name: write a var for each value")
        }
        if let issue = nameIssue(binding, macro: "Attribute") { return source.diagnostic(binding.nameRange, issue) }
        if binding.accessors == .observers, let range = binding.accessorRange {
            return source.diagnostic(
                range,
                "an attribute cannot be observed in its class: write a computed property around it, or @Transient")
        }
        if let type = binding.type, let issue = typeIssue(binding.typeShape) { return source.diagnostic(type, issue) }
        if binding.value == nil, binding.typeShape != .optional {
            let type = binding.type.map { source.lexer.text($0) } ?? "T"
            return source.diagnostic(
                binding.nameRange,
                "an attribute needs a value from the beginning: write an initial value, or \(type)?")
        }
        return nil
    }

    static func nameIssue(_ binding: Binding, macro: String) -> String? {
        let name = binding.plainName
        if name.hasPrefix("kernel") || name.lowercased() == "_id" || kernelMembers.contains(name) {
            return "\(name) is a name of the kernel's: choose another, and write "
                + "@\(macro)(originalName: \"\(name)\") if there are stores with the old one"
        }
        return nil
    }

    private static func typeIssue(_ shape: TypeShape) -> String? {
        switch shape {
        case .plain, .optional: nil
        case .tuple: "a tuple cannot be stored: write a struct that is Codable and an AttributeValue, or @Transient"
        case .function: "a function cannot be stored: write @Transient"
        case .existential, .opaque:
            "an attribute has one type, known to the compiler: write a struct or enum that is an AttributeValue, or "
                + "@Transient"
        }
    }
}
