/// What `@Attribute(…)` was given.
struct AttributeArguments {
    /// As written, to be handed on to the description.
    private(set) var text: String?
    private(set) var isPrimaryKey = false

    /// - Parameter owner: The class's name, for `Self`.
    init(_ attribute: Attribute, _ source: SourceMap, owner: String) {
        guard let range = attribute.arguments else { return }
        let lexer = source.lexer
        var parts: [String] = []
        for argument in lexer.arguments(in: range) {
            let value = lexer.text(argument.value, replacingSelfBy: owner)
            if let label = argument.label {
                if label == "originalName", value != "nil", lexer.literalText(argument.value) == nil {
                    source.refuse(
                        argument.value, "originalName must be a plain literal: write originalName: \"name\"")
                }
                parts.append("\(label): \(value)")
            } else {
                let option = AttributeArguments.option(argument.value, lexer)
                if option == nil {
                    source.refuse(
                        argument.value,
                        "options must be written out: write .primaryKey, .unique, .indexed, .range(…), "
                            + ".maxLength(…) or .pattern(…)")
                }
                if option == "primaryKey" { isPrimaryKey = true }
                parts.append(value)
            }
        }
        text = parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The name of an option that is written out, with or without arguments of its own.
    private static func option(_ range: Range<Int>, _ lexer: Lexer) -> String? {
        var rest = lexer
        rest.move(to: range.lowerBound)
        if rest.take("DataKernel"), !rest.take(".") || !rest.isAt("AttributeOption") { return nil }
        _ = rest.take("AttributeOption")
        guard rest.take(".") else { return nil }
        let name = rest.next()
        let hasArguments = rest.isAt("(")
        if hasArguments { rest.skipGroup() }
        guard rest.position >= range.upperBound else { return nil }
        let isOption = rest.matches(name, hasArguments ? "range maxLength pattern" : "primaryKey unique indexed")
        return isOption ? rest.text(name) : nil
    }
}
