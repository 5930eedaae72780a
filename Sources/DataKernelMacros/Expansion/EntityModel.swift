/// A class with `@Entity`: what its expansion is made of, and what is wrong with it.
struct EntityModel {
    let type: TypeDeclaration
    let source: SourceMap
    /// The class's name as written.
    var name: String { type.name }
    /// `public `, `package ` or nothing.
    private(set) var access = ""
    private(set) var arguments = EntityArguments()
    /// In the order of their declaration, the keys of to-one relationships among them.
    private(set) var attributes: [EntityAttribute] = []
    private(set) var relationships: [EntityRelationship] = []
    /// Attributes and relationships in the order of their declaration.
    private(set) var declared: [Declared] = []
    /// Names that `unique` and `indexes` may have beside the attributes': properties of which something else is said
    /// already.
    private(set) var otherNames: [String] = []
    private(set) var diagnostics: [Diagnostic] = []
    /// Whether nothing is expanded, since the class cannot be an entity as it is.
    private(set) var isRefused = false

    /// A place in `attributes` or `relationships`.
    enum Declared: Equatable {
        case attribute(Int), relationship(Int)
    }

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
        let relationship = property.attributes.first { $0.shortName == "Relationship" }
        let issues =
            relationship == nil
            ? PropertyChecks.diagnostics(property, source) : RelationshipChecks.diagnostics(property, source)
        diagnostics += issues
        guard issues.isEmpty else {
            otherNames += property.bindings.map(\.plainName)
            return
        }
        for binding in property.bindings {
            checkName(binding)
            if let relationship {
                add(binding, as: relationship)
            } else {
                add(binding, of: property)
            }
        }
    }

    private mutating func checkName(_ binding: Binding) {
        let name = binding.plainName
        let others = attributes.map(\.plainName) + relationships.map(\.plainName)
        guard let other = others.first(where: { $0.lowercased() == name.lowercased() }) else { return }
        diagnostics.append(
            source.diagnostic(
                binding.nameRange,
                "the store cannot tell \(name) from \(other), since its names have no case: choose another name"))
    }

    private mutating func add(_ binding: Binding, of property: Property) {
        var attribute = EntityAttribute(
            name: binding.name, declaration: source.lexer.text(binding.range, replacingSelfBy: name))
        if let written = property.attributes.first(where: { $0.shortName == "Attribute" }) {
            let options = AttributeArguments(written, source, owner: name)
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
        declared.append(.attribute(attributes.count))
        attributes.append(attribute)
    }

    private mutating func add(_ binding: Binding, as written: Attribute) {
        // Without a type that can be a relationship's there has been a diagnostic, and this is not reached.
        guard let range = binding.type, var type = try? RelationshipType(range, in: source.lexer) else { return }
        type.replaceSelf(by: name)
        let arguments = RelationshipArguments(written, source, type, owner: name)
        diagnostics += arguments.diagnostics
        declared.append(.relationship(relationships.count))
        relationships.append(EntityRelationship(name: binding.name, type: type, arguments: arguments.text))
        guard !type.isToMany else { return }
        attributes.append(
            EntityAttribute(
                name: binding.name, declaration: "\(binding.name) = DataKernel.KernelLink()", isLink: true))
    }
}

extension Lexer {
    /// The text with `Self` as the class is called: the struct that it is copied into has another `Self`.
    func text(_ range: Range<Int>, replacingSelfBy name: String) -> String {
        var lexer = self
        lexer.move(to: range.lowerBound)
        var result = ""
        var copied = range.lowerBound
        var isMember = false
        while lexer.position < range.upperBound {
            let token = lexer.next()
            guard token.kind != .end else { break }
            // A dot before it makes it another type's member; the dots of `1...Self.most` do not.
            if matches(token, "Self"), !isMember {
                result += text(copied..<token.start) + name
                copied = token.end
            }
            isMember = matches(token, ".")
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
