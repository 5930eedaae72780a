/// What `@Relationship(…)` was given.
struct RelationshipArguments {
    /// To be handed on to the description: as written, but with the inverse as a key path.
    private(set) var text: String?
    private(set) var diagnostics: [Diagnostic] = []
    private let source: SourceMap
    private let type: RelationshipType
    private let owner: String

    /// - Parameters:
    ///   - type: What the property's type says.
    ///   - owner: The class's name, for `Self`.
    init(_ attribute: Attribute, _ source: SourceMap, _ type: RelationshipType, owner: String) {
        (self.source, self.type, self.owner) = (source, type, owner)
        guard let range = attribute.arguments else { return }
        let parts = source.lexer.arguments(in: range).compactMap { read($0) }
        text = parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private mutating func read(_ argument: MacroArgument) -> String? {
        switch argument.label {
        case nil: readRule(argument.value)
        case "inverse": readInverse(argument.value)
        case "ordered": readOrdered(argument)
        case "originalName": readOriginalName(argument.value)
        default: nil  // The compiler refuses labels that the macro does not have.
        }
    }

    private mutating func readRule(_ value: Range<Int>) -> String? {
        let text = source.lexer.text(value)
        for rule in ["nullify", "cascade", "deny", "noAction"] {
            for prefix in [".", "DeleteRule.", "DataKernel.DeleteRule."] where text == prefix + rule { return text }
        }
        return refuse(value, "the rule must be written out: write .nullify, .cascade, .deny or .noAction")
    }

    private mutating func readInverse(_ value: Range<Int>) -> String? {
        let lexer = source.lexer
        let target = type.target
        if let name = lexer.literalText(value) {
            guard name.utf8.allSatisfy(Byte.isWord), let first = name.utf8.first, !Byte.isDigit(first) else {
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

    private mutating func readOrdered(_ argument: MacroArgument) -> String? {
        guard type.isToMany else {
            return refuse(
                argument.labelRange ?? argument.value,
                "one object has no order: remove ordered, or write [\(type.target)]")
        }
        let text = source.lexer.text(argument.value)
        if text == "true" || text == "false" { return "ordered: \(text)" }
        return refuse(argument.value, "ordered must be a literal: write true or false")
    }

    private mutating func readOriginalName(_ value: Range<Int>) -> String? {
        let text = source.lexer.text(value)
        if text == "nil" || source.lexer.literalText(value) != nil { return "originalName: \(text)" }
        return refuse(value, "originalName must be a plain literal: write originalName: \"name\"")
    }

    private mutating func refuse(_ range: Range<Int>, _ message: String) -> String? {
        diagnostics.append(source.diagnostic(range, message))
        return nil
    }
}
