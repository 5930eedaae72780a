/// Answers the compiler's messages, one after the other.
struct MacroServer {
    private var models = ModelCache()

    /// The answer to one message. There is one for whatever comes.
    mutating func answer(_ message: [UInt8]) -> [UInt8] {
        guard let json = JSONReader.value(of: message) else { return refusal("a message that is no JSON") }
        if json["getCapability"] != nil { return MacroServer.capability.encoded }
        if let body = json["expandAttachedMacro"] {
            guard let request = ExpansionRequest(body) else { return refusal("an expansion without a declaration") }
            return expansion(of: request).message.encoded
        }
        if case .object(let members) = json, let name = members.first?.key {
            return refusal("the message \(name)")
        }
        return refusal("a message without a name")
    }

    /// What a macro makes of a declaration in one role.
    mutating func expansion(of request: ExpansionRequest) -> Expansion {
        switch (request.macro, request.role) {
        case ("Entity", "member"): models.model(of: request).memberExpansion
        case ("Entity", "memberAttribute"): models.model(of: request).memberAttributeExpansion(request.declaration)
        case ("Entity", "extension"): models.model(of: request).extensionExpansion(request)
        case ("KernelAttribute", "accessor"): AccessorExpansion(request, observed: false).expansion
        case ("KernelObservedAttribute", "accessor"): AccessorExpansion(request, observed: true).expansion
        case ("KernelRelationship", "accessor"): RelationshipAccessors(request, observed: false).expansion
        case ("KernelObservedRelationship", "accessor"): RelationshipAccessors(request, observed: true).expansion
        case ("Attribute", "peer"): PeerChecks.attribute(request)
        case ("Relationship", "peer"): PeerChecks.relationship(request)
        case ("Transient", "peer"): Expansion()
        default:
            Expansion(diagnostics: [
                Diagnostic(
                    message: "DataKernel's macros do not know \(request.macro) in the role \(request.role)",
                    fileName: request.attribute.fileName, offset: request.attribute.offset)
            ])
        }
    }

    private static let capability = JSONValue.object([
        (
            "getCapabilityResult",
            .object([("capability", .object([("protocolVersion", .number(7)), ("features", .array([]))]))])
        )
    ])

    private func refusal(_ what: String) -> [UInt8] {
        let diagnostic = Diagnostic(
            message: "DataKernel's macros do not understand \(what); this compiler may be too new or too old for them",
            fileName: "", offset: 0)
        return Expansion(diagnostics: [diagnostic]).message.encoded
    }
}
