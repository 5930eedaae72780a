/// What keeps a stored property from being an attribute. Each check is false when it has refused something.
enum PropertyChecks {
    static func pass(_ property: Declaration, _ source: SourceMap) -> Bool {
        guard declaration(property, source) else { return false }
        var isFine = true
        for attribute in property.attributes where !isHarmless(attribute) {
            isFine = source.refuse(
                attribute.range,
                "an attribute cannot be combined with @\(attribute.name): remove it, or write @Transient "
                    + "@\(attribute.name)")
        }
        guard isFine else { return false }
        if property.bindings.count > 1 {
            let second = property.bindings[1]
            return source.refuse(
                second.nameRange,
                "a macro cannot reach two properties of one var: write var \(second.name) on its own")
        }
        return binding(property.bindings[0], source)
    }

    private static func declaration(_ property: Declaration, _ source: SourceMap) -> Bool {
        if property.isConditional {
            return source.refuse(
                property.keywordRange,
                "the table cannot depend on #if: move the property out of it, or write @Transient")
        }
        for modifier in property.modifiers {
            if modifier.name == "lazy" {
                return source.refuse(
                    modifier.range, "an attribute is loaded with its object: remove lazy, or write @Transient lazy var")
            }
            if modifier.name.isOne(of: "weak unowned") {
                return source.refuse(
                    modifier.range,
                    "an attribute is a value and holds no reference: write @Transient \(modifier.name) var")
            }
        }
        if property.isLet {
            return source.refuse(
                property.keywordRange,
                "an attribute is filled by a fetch: write var, or private(set) var, or @Transient let")
        }
        return true
    }

    private static func binding(_ binding: Binding, _ source: SourceMap) -> Bool {
        if binding.isPattern {
            return source.refuse(binding.nameRange, "an attribute has one name: write a var for each value")
        }
        guard name(binding, macro: "Attribute", source) else { return false }
        if binding.accessors == .observers, let range = binding.accessorRange {
            return source.refuse(
                range,
                "an attribute cannot be observed in its class: write a computed property around it, or @Transient")
        }
        if let type = binding.type, let issue = typeIssue(binding.typeShape) { return source.refuse(type, issue) }
        if binding.value == nil, binding.typeShape != .optional {
            let type = binding.type.map { source.lexer.text($0) } ?? "T"
            return source.refuse(
                binding.nameRange,
                "an attribute needs a value from the beginning: write an initial value, or \(type)?")
        }
        return true
    }

    /// Whether it is no property wrapper and changes nothing about how a property is stored.
    static func isHarmless(_ attribute: Attribute) -> Bool {
        attribute.shortName.isOne(of: "Attribute available usableFromInline _spi objc nonobjc _documentation")
    }

    static func name(_ binding: Binding, macro: String, _ source: SourceMap) -> Bool {
        let name = binding.plainName
        let isKernels = name.isOne(
            of: """
                entity pk objectID isDeleted isInserted hasChanges changedAttributes queryValue validate willSave \
                awakeFromInsert awakeFromFetch prepareForDeletion
                """)
        guard isKernels || name.hasPrefix("kernel") || name.lowercased() == "_id" else { return true }
        return source.refuse(
            binding.nameRange,
            "\(name) is a name of the kernel's: choose another, and write @\(macro)(originalName: \"\(name)\") if there "
                + "are stores with the old one")
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
