/// An attribute as the expansion needs it.
struct EntityAttribute {
    /// As written, in backticks when it is.
    var name: String
    /// Name, type and initial value, `Self` spelled out.
    var declaration: String
    /// What `@Attribute` was given, as written.
    var arguments: String?
    var isPrimaryKey = false
    /// What the store calls it.
    var plainName: String { Binding.plain(name) }

    /// The name as an argument's label. Swift warns of backticks there unless they are needed.
    var label: String {
        let needsBackticks =
            ["inout", "var", "let"].contains(plainName) || !plainName.utf8.allSatisfy(Byte.isWord)
            || plainName.utf8.first.map(Byte.isDigit) ?? true
        return needsBackticks ? name : plainName
    }
}

/// A class with `@Entity`: what its expansion is made of, and what is wrong with it.
struct EntityModel {
    let type: TypeDeclaration
    let source: SourceMap
    /// The class's name as written.
    var name: String { type.name }
    /// `public `, `package ` or nothing.
    private(set) var access = ""
    private(set) var arguments = EntityArguments()
    private(set) var attributes: [EntityAttribute] = []
    /// Names that `unique` and `indexes` may have beside the attributes': relationships, and properties of which
    /// something else is said already.
    private(set) var otherNames: [String] = []
    private(set) var diagnostics: [Diagnostic] = []
    /// Whether nothing is expanded, since the class cannot be an entity as it is.
    private(set) var isRefused = false

    init(_ declaration: SourcePiece, attribute: SourcePiece, context: [SourcePiece]) {
        source = SourceMap(declaration)
        var lexer = source.lexer
        type = lexer.readType()
        for level in ["public", "package"] where type.modifier(level) != nil { access = level + " " }
        arguments = EntityArguments(attribute)
        diagnostics = ClassChecks.diagnostics(type, source, context)
        isRefused = !diagnostics.isEmpty
        guard !isRefused else { return }
        for property in type.properties { add(property) }
        diagnostics += arguments.diagnostics + arguments.unknownNames(attributes.map(\.plainName) + otherNames)
    }

    var hasPlainInit: Bool {
        type.members.contains { if case .other(let other) = $0 { other.isPlainInit } else { false } }
    }

    private mutating func add(_ property: Property) {
        if property.isStatic || property.bindings.allSatisfy({ $0.accessors == .computed }) { return }
        let names = property.attributes.map(\.shortName)
        if names.contains("Transient") { return }
        if names.contains("Relationship") {
            otherNames += property.bindings.map(\.plainName)
            return
        }
        let issues = PropertyChecks.diagnostics(property, source)
        diagnostics += issues
        guard issues.isEmpty else {
            otherNames += property.bindings.map(\.plainName)
            return
        }
        for binding in property.bindings { add(binding, of: property) }
    }

    private mutating func add(_ binding: Binding, of property: Property) {
        var attribute = EntityAttribute(
            name: binding.name, declaration: source.lexer.text(binding.range, replacingSelfBy: name))
        if let written = property.attributes.first(where: { $0.shortName == "Attribute" }) {
            let options = AttributeArguments(written, source)
            diagnostics += options.diagnostics
            attribute.arguments = options.text
            attribute.isPrimaryKey = options.isPrimaryKey
            if options.isPrimaryKey, let first = attributes.first(where: \.isPrimaryKey) {
                diagnostics.append(
                    source.diagnostic(
                        written.range,
                        "an entity has one primary key, and \(first.name) is it: write @Attribute(.unique) here"))
            }
        }
        if let other = attributes.first(where: { $0.plainName.lowercased() == attribute.plainName.lowercased() }) {
            diagnostics.append(
                source.diagnostic(
                    binding.nameRange,
                    "the store cannot tell \(attribute.plainName) from \(other.plainName), since its names have no "
                        + "case: choose another name"))
        }
        attributes.append(attribute)
    }
}

extension Lexer {
    /// The text with `Self` as the class is called: the struct that it is copied into has another `Self`.
    func text(_ range: Range<Int>, replacingSelfBy name: String) -> String {
        var lexer = self
        lexer.move(to: range.lowerBound)
        var result = ""
        var copied = range.lowerBound
        while lexer.position < range.upperBound {
            let token = lexer.next()
            guard token.kind != .end else { break }
            if matches(token, "Self"), byte(token.start - 1) != Byte.dot {
                result += text(copied..<token.start) + name
                copied = token.end
            }
        }
        return result + text(copied..<range.upperBound)
    }
}

/// Keeps the last class that was read: the compiler asks about it once for each of its members.
struct ModelCache {
    private var key: SourcePiece?
    private var attribute: SourcePiece?
    private var model: EntityModel?

    mutating func model(of request: ExpansionRequest) -> EntityModel {
        let declaration = request.parent ?? request.declaration
        if let model, key == declaration, attribute == request.attribute { return model }
        // The role memberAttribute is told of the class among the context; the class is no context of its own.
        let context = request.parent == nil ? request.context : Array(request.context.dropFirst())
        let model = EntityModel(declaration, attribute: request.attribute, context: context)
        (key, attribute, self.model) = (declaration, request.attribute, model)
        return model
    }
}
