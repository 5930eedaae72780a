/// What `@Entity(…)` was given.
struct EntityArguments {
    private(set) var name: String?
    /// As array literals; empty when there is no group.
    private(set) var unique = ""
    private(set) var indexes = ""
    private(set) var isObservable = false
    let source: SourceMap
    /// Each name in `unique` and `indexes`, under the label of the two that it is in.
    private var mentioned: [MacroArgument] = []

    init(_ attribute: SourcePiece) {
        source = SourceMap(attribute)
        var lexer = source.lexer
        guard let list = lexer.readAttribute().arguments else { return }
        for argument in lexer.arguments(in: list) {
            switch argument.label {
            case nil: readName(argument.value)
            case "unique": unique = readGroups(argument)
            case "indexes": indexes = readGroups(argument)
            case "observable": readObservable(argument.value)
            default: break  // The compiler refuses labels that the macro does not have.
            }
        }
    }

    private mutating func readName(_ value: Range<Int>) {
        if source.lexer.text(value) == "nil" { return }
        name = source.lexer.literalText(value)
        if name == nil { source.refuse(value, "the entity's name must be a plain literal: write \"Name\"") }
    }

    private mutating func readObservable(_ value: Range<Int>) {
        let text = source.lexer.text(value)
        isObservable = text == "true"
        if !text.isOne(of: "true false") { source.refuse(value, "observable must be a literal: write true or false") }
    }

    private mutating func readGroups(_ argument: MacroArgument) -> String {
        let lexer = source.lexer
        guard let groups = lexer.literalElements(argument.value) else { return refuse(argument) }
        var literals: [String] = []
        for group in groups {
            guard let names = lexer.literalElements(group.value) else { return refuse(argument, at: group) }
            for name in names {
                if lexer.literalText(name.value) == nil { return refuse(argument, at: name) }
                mentioned.append(MacroArgument(label: argument.label, value: name.value))
            }
            literals.append("[" + names.map { lexer.text($0.value) }.joined(separator: ", ") + "]")
        }
        return literals.isEmpty ? "" : "[" + literals.joined(separator: ", ") + "]"
    }

    private func refuse(_ argument: MacroArgument, at part: MacroArgument? = nil) -> String {
        let label = argument.label ?? ""
        source.refuse(
            (part ?? argument).value,
            "\(label) must be literals, a list of attribute names for each group: write [[\"a\", \"b\"]]")
        return ""
    }

    /// Refuses the names in `unique` and `indexes` that are none of these.
    func refuseNames(besides known: [String]) {
        for argument in mentioned {
            guard let name = source.lexer.literalText(argument.value), !known.contains(name) else { continue }
            source.refuse(
                argument.value,
                "\(argument.label ?? ""): names \(name), which has no column: write the name of an attribute or a "
                    + "to-one relationship")
        }
    }
}
