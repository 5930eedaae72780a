/// What `@Entity(…)` was given.
struct EntityArguments {
    private(set) var name: String?
    private(set) var unique: [[String]] = []
    private(set) var indexes: [[String]] = []
    private(set) var isObservable = false
    private(set) var diagnostics: [Diagnostic] = []
    /// Each name in `unique` and `indexes`, for the check whether there is such an attribute.
    private var mentioned: [(name: String, diagnostic: Diagnostic)] = []

    init() {}

    init(_ attribute: SourcePiece) {
        let source = SourceMap(attribute)
        var lexer = source.lexer
        guard let list = lexer.readAttribute().arguments else { return }
        for argument in lexer.arguments(in: list) {
            switch argument.label {
            case nil: readName(argument.value, source)
            case "unique": unique = readGroups(argument.value, "unique", source)
            case "indexes": indexes = readGroups(argument.value, "indexes", source)
            case "observable": readObservable(argument.value, source)
            default: break  // The compiler refuses labels that the macro does not have.
            }
        }
    }

    private mutating func readName(_ value: Range<Int>, _ source: SourceMap) {
        if source.lexer.text(value) == "nil" { return }
        name = source.lexer.literalText(value)
        if name == nil {
            diagnostics.append(source.diagnostic(value, "the entity's name must be a plain literal: write \"Name\""))
        }
    }

    private mutating func readObservable(_ value: Range<Int>, _ source: SourceMap) {
        switch source.lexer.text(value) {
        case "true": isObservable = true
        case "false": isObservable = false
        default: diagnostics.append(source.diagnostic(value, "observable must be a literal: write true or false"))
        }
    }

    private mutating func readGroups(_ value: Range<Int>, _ label: String, _ source: SourceMap) -> [[String]] {
        let lexer = source.lexer
        guard let groups = lexer.literalElements(value) else { return refuseGroups(value, label, source) }
        var result: [[String]] = []
        for group in groups {
            guard let elements = lexer.literalElements(group) else { return refuseGroups(group, label, source) }
            var names: [String] = []
            for element in elements {
                guard let name = lexer.literalText(element) else { return refuseGroups(element, label, source) }
                names.append(name)
                mentioned.append(
                    (
                        name,
                        source.diagnostic(
                            element,
                            "\(label): names \(name), which has no column: write the name of an attribute or a to-one "
                                + "relationship")
                    ))
            }
            result.append(names)
        }
        return result
    }

    private mutating func refuseGroups(_ range: Range<Int>, _ label: String, _ source: SourceMap) -> [[String]] {
        diagnostics.append(
            source.diagnostic(
                range, "\(label) must be literals, a list of attribute names for each group: write [[\"a\", \"b\"]]"))
        return []
    }

    func unknownNames(_ known: [String]) -> [Diagnostic] {
        mentioned.filter { !known.contains($0.name) }.map(\.diagnostic)
    }
}
