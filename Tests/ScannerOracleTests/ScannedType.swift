import SwiftSyntax

@testable import DataKernelMacros

/// What both are asked about one type.
struct ScannedType: Equatable {
    var keyword: String
    var name: String
    var isFinal: Bool
    var isGeneric: Bool
    var plainInits: Int
    var properties: [ScannedProperty]
}

/// What both are asked about one property.
struct ScannedProperty: Equatable {
    var name: String
    var type: String?
    var value: String?
    var isLet: Bool
    var isStatic: Bool
    var accessors: Accessors
    var attributes: Int
    var modifiers: [String]
    var isConditional: Bool
}

extension ScannedType {
    init(_ type: Declaration, _ lexer: Lexer) {
        self.init(
            keyword: type.keyword, name: type.name, isFinal: type.modifier("final") != nil,
            isGeneric: type.generics != nil,
            plainInits: type.members.filter(\.isPlainInit).count,
            properties: type.properties.flatMap { property in
                property.bindings.map { ScannedProperty($0, of: property, lexer) }
            })
    }
}

extension ScannedProperty {
    init(_ binding: Binding, of property: Declaration, _ lexer: Lexer) {
        self.init(
            name: binding.name, type: binding.type.map { lexer.text($0) }, value: binding.value.map { lexer.text($0) },
            isLet: property.isLet, isStatic: property.isStatic, accessors: binding.accessors,
            attributes: property.attributes.count, modifiers: property.modifiers.map(\.name),
            isConditional: property.isConditional)
    }

    init(_ binding: PatternBindingSyntax, of property: VariableDeclSyntax, isConditional: Bool) {
        let modifiers = property.modifiers.map { $0.name.text }
        self.init(
            name: binding.pattern.trimmedDescription, type: binding.typeAnnotation?.type.trimmedDescription,
            value: binding.initializer?.value.trimmedDescription,
            isLet: property.bindingSpecifier.tokenKind == .keyword(.let),
            isStatic: modifiers.contains("static") || modifiers.contains("class"),
            accessors: ScannedProperty.kind(binding.accessorBlock), attributes: property.attributes.count,
            modifiers: modifiers, isConditional: isConditional)
    }

    private static func kind(_ block: AccessorBlockSyntax?) -> Accessors {
        guard let block else { return .none }
        guard case .accessors(let list) = block.accessors, let first = list.first else { return .computed }
        return ["willSet", "didSet"].contains(first.accessorSpecifier.text) ? .observers : .computed
    }
}

/// Finds the types of a file and what the parser says of each.
final class TypeFinder: SyntaxVisitor {
    private(set) var types: [(source: String, type: ScannedType)] = []

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { add(node, node.classKeyword) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { add(node, node.structKeyword) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { add(node, node.actorKeyword) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { add(node, node.enumKeyword) }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node, node.protocolKeyword, isGeneric: node.primaryAssociatedTypeClause != nil)
    }

    private func add(
        _ node: some DeclGroupSyntax & NamedDeclSyntax & WithGenericParametersSyntax, _ keyword: TokenSyntax
    ) -> SyntaxVisitorContinueKind {
        add(node, keyword, isGeneric: node.genericParameterClause != nil)
    }

    private func add(
        _ node: some DeclGroupSyntax & NamedDeclSyntax, _ keyword: TokenSyntax, isGeneric: Bool
    ) -> SyntaxVisitorContinueKind {
        var type = ScannedType(
            keyword: keyword.text, name: node.name.text, isFinal: node.modifiers.contains { $0.name.text == "final" },
            isGeneric: isGeneric, plainInits: 0, properties: [])
        collect(node.memberBlock.members, isConditional: false, into: &type)
        types.append((node.description, type))
        return .visitChildren
    }

    private func collect(_ members: MemberBlockItemListSyntax, isConditional: Bool, into type: inout ScannedType) {
        for member in members {
            if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                for clause in condition.clauses {
                    guard case .decls(let inside) = clause.elements else { continue }
                    collect(inside, isConditional: true, into: &type)
                }
            } else if let property = member.decl.as(VariableDeclSyntax.self) {
                type.properties += property.bindings.map {
                    ScannedProperty($0, of: property, isConditional: isConditional)
                }
            } else if let initialiser = member.decl.as(InitializerDeclSyntax.self) {
                let isPlain = initialiser.optionalMark == nil && initialiser.genericParameterClause == nil
                if isPlain, initialiser.signature.parameterClause.parameters.isEmpty { type.plainInits += 1 }
            }
        }
    }
}
