/// What `@Attribute(…)` was given.
struct AttributeArguments {
    /// As written, to be handed on to the description.
    private(set) var text: String?
    private(set) var isPrimaryKey = false
    private(set) var diagnostics: [Diagnostic] = []

    /// - Parameter owner: The class's name, for `Self`.
    init(_ attribute: Attribute, _ source: SourceMap, owner: String) {
        guard let range = attribute.arguments else { return }
        let lexer = source.lexer
        var parts: [String] = []
        for argument in lexer.arguments(in: range) {
            let value = lexer.text(argument.value, replacingSelfBy: owner)
            if let label = argument.label {
                if label == "originalName", value != "nil", lexer.literalText(argument.value) == nil {
                    diagnostics.append(
                        source.diagnostic(
                            argument.value, "originalName must be a plain literal: write originalName: \"name\""))
                }
                parts.append("\(label): \(value)")
            } else {
                if let option = AttributeArguments.option(argument.value, lexer) {
                    if option == "primaryKey" { isPrimaryKey = true }
                } else {
                    diagnostics.append(
                        source.diagnostic(
                            argument.value,
                            "options must be written out: write .primaryKey, .unique, .indexed, .range(…), "
                                + ".maxLength(…) or .pattern(…)"))
                }
                parts.append(value)
            }
        }
        text = parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The name of an option that is written out, with or without arguments of its own.
    private static func option(_ range: Range<Int>, _ lexer: Lexer) -> String? {
        var rest = lexer
        rest.move(to: range.lowerBound)
        var name = ""
        while rest.peek().start < range.upperBound, !rest.matches(rest.peek(), "(") { name += rest.text(rest.next()) }
        for prefix in ["DataKernel.AttributeOption", "AttributeOption"] where name.hasPrefix(prefix + ".") {
            name.removeFirst(prefix.count)
        }
        let hasArguments = rest.peek().start < range.upperBound
        if hasArguments { rest.skipGroup() }
        guard rest.position >= range.upperBound, name.hasPrefix(".") else { return nil }
        let options = hasArguments ? ["range", "maxLength", "pattern"] : ["primaryKey", "unique", "indexed"]
        return options.first { $0 == name.dropFirst() }
    }
}
