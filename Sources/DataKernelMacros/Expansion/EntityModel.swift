/// A class with `@Entity`: what its expansion is made of, and what is wrong with it.
final class EntityModel {
    let type: Declaration
    let source: SourceMap
    let arguments: EntityArguments
    /// `public `, `package ` or nothing.
    let access: String
    /// Attributes and relationships in the order of their declaration.
    private(set) var properties: [EntityProperty] = []
    /// Those with a column, the keys of to-one relationships among them.
    private(set) var attributes: [EntityProperty] = []
    private(set) var relationships: [EntityProperty] = []
    /// Whether nothing is expanded, since the class cannot be an entity as it is.
    let isRefused: Bool

    /// The class's name as written.
    var name: String { type.name }
    var diagnostics: [Diagnostic] { source.diagnostics + (isRefused ? [] : arguments.source.diagnostics) }

    init(_ declaration: SourcePiece, attribute: SourcePiece, context: [SourcePiece]) {
        source = SourceMap(declaration)
        var lexer = source.lexer
        type = lexer.readType()
        access = type.modifier("package") != nil ? "package " : type.modifier("public") != nil ? "public " : ""
        arguments = EntityArguments(attribute)
        ClassChecks.check(type, source, context)
        isRefused = !source.diagnostics.isEmpty
        if isRefused { return }
        // What the arguments may name: attributes, and properties of which something is said already.
        var known: [String] = []
        for property in type.properties where property.isStored && property.attribute("Transient") == nil {
            if let added = entityProperty(property) {
                add(added)
                if !added.isToMany { known.append(added.plainName) }
            } else {
                known += property.bindings.map(\.plainName)
            }
        }
        arguments.refuseNames(besides: known)
    }

    private func add(_ property: EntityProperty) {
        var property = property
        properties.append(property)
        if !property.isToMany {
            property.number = attributes.count
            attributes.append(property)
        }
        if property.relationship != nil {
            property.number = relationships.count
            relationships.append(property)
        }
    }

    /// Nil, and a diagnostic, when it cannot be one.
    private func entityProperty(_ property: Declaration) -> EntityProperty? {
        if let written = property.attribute("Relationship") {
            guard RelationshipChecks.pass(property, source), let binding = property.bindings.first,
                var type = binding.type.flatMap({ RelationshipType(source.lexer.spelledType($0)) })
            else { return nil }
            checkName(binding)
            type.replaceSelf(by: name)
            return EntityProperty(
                name: binding.name, declaration: "\(binding.name) = DataKernel.KernelLink()",
                arguments: RelationshipArguments(source: source, type: type, owner: name).text(of: written),
                relationship: type)
        }
        guard PropertyChecks.pass(property, source), let binding = property.bindings.first else { return nil }
        checkName(binding)
        var attribute = EntityProperty(
            name: binding.name, declaration: source.lexer.text(binding.range, replacingSelfBy: name))
        if let written = property.attribute("Attribute") {
            let options = AttributeArguments(written, source, owner: name)
            attribute.arguments = options.text
            attribute.isPrimaryKey = options.isPrimaryKey
            if options.isPrimaryKey, let first = attributes.first(where: \.isPrimaryKey) {
                source.refuse(
                    written.range,
                    "an entity has one primary key, and \(first.name) is it: write @Attribute(.unique) here")
            }
        }
        return attribute
    }

    private func checkName(_ binding: Binding) {
        let name = binding.plainName.lowercased()
        guard let other = properties.first(where: { $0.plainName.lowercased() == name }) else { return }
        source.refuse(
            binding.nameRange,
            "the store cannot tell \(binding.plainName) from \(other.plainName), since its names have no case: choose "
                + "another name")
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
    private var last: (declaration: SourcePiece, attribute: SourcePiece, model: EntityModel)?

    mutating func model(of request: ExpansionRequest) -> EntityModel {
        let declaration = request.parent ?? request.declaration
        if let last, last.declaration.isSame(as: declaration), last.attribute.isSame(as: request.attribute) {
            return last.model
        }
        // The role memberAttribute is told of the class among the context; the class is no context of its own.
        let context = request.parent == nil ? request.context : Array(request.context.dropFirst())
        let model = EntityModel(declaration, attribute: request.attribute, context: context)
        last = (declaration, request.attribute, model)
        return model
    }
}
