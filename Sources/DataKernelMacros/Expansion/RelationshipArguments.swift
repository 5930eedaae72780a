/// What `@Relationship(…)` was given.
struct RelationshipArguments {
    let source: SourceMap
    /// What the property's type says.
    let type: RelationshipType
    /// The class's name, for `Self`.
    let owner: String

    /// To be handed on to the description: as written, but with the inverse as a key path.
    func text(of attribute: Attribute) -> String? {
        guard let range = attribute.arguments else { return nil }
        let parts = source.lexer.arguments(in: range).compactMap { read($0) }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private func read(_ argument: MacroArgument) -> String? {
        switch argument.label {
        case nil: readRule(argument.value)
        case "inverse": readInverse(argument.value)
        case "ordered": readOrdered(argument)
        case "originalName": readOriginalName(argument.value)
        default: nil  // The compiler refuses labels that the macro does not have.
        }
    }

    private func readRule(_ value: Range<Int>) -> String? {
        let text = source.lexer.text(value)
        let rule = text.without(prefix: "DataKernel.DeleteRule.") ?? text.without(prefix: "DeleteRule.")
        if (rule ?? text.without(prefix: ".") ?? "").isOne(of: "nullify cascade deny noAction") { return text }
        return refuse(value, "the rule must be written out: write .nullify, .cascade, .deny or .noAction")
    }

    private func readInverse(_ value: Range<Int>) -> String? {
        let lexer = source.lexer
        let target = type.target
        if let name = lexer.literalText(value) {
            guard name.isName else {
                return refuse(value, "an inverse is one property of \(target)'s: write inverse: \"name\"")
            }
            return "inverse: \\\(target).\(name)"
        }
        guard lexer.byte(value.lowerBound) == Byte.backslash else {
            return refuse(
                value, "the inverse must be a literal: write inverse: \"name\", or inverse: \\\(target).name")
        }
        if lexer.byte(value.lowerBound + 1) == Byte.dot {
            return refuse(
                value,
                "the compiler does not look for the class here: write inverse: \\\(target)"
                    + lexer.text(value.lowerBound + 1..<value.upperBound))
        }
        return "inverse: \(lexer.text(value, replacingSelfBy: owner))"
    }

    private func readOrdered(_ argument: MacroArgument) -> String? {
        guard type.isToMany else {
            return refuse(
                argument.labelRange ?? argument.value,
                "one object has no order: remove ordered, or write [\(type.target)]")
        }
        let text = source.lexer.text(argument.value)
        if text.isOne(of: "true false") { return "ordered: \(text)" }
        return refuse(argument.value, "ordered must be a literal: write true or false")
    }

    private func readOriginalName(_ value: Range<Int>) -> String? {
        let text = source.lexer.text(value)
        if text == "nil" || source.lexer.literalText(value) != nil { return "originalName: \(text)" }
        return refuse(value, "originalName must be a plain literal: write originalName: \"name\"")
    }

    private func refuse(_ range: Range<Int>, _ message: String) -> String? {
        source.refuse(range, message)
        return nil
    }
}
