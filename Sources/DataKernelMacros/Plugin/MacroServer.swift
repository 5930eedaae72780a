/// Answers the compiler's messages, one after the other.
struct MacroServer {
    private var models = ModelCache()

    /// The answer to one message. There is one for whatever comes.
    mutating func answer(_ message: [UInt8]) -> [UInt8] { answer(JSONReader.value(of: message)).bytes }

    private mutating func answer(_ json: JSONValue?) -> String {
        guard let json else { return refusal("a message that is no JSON") }
        guard case .object(let names, let bodies) = json, let name = names.first, let body = bodies.first else {
            return refusal("a message without a name")
        }
        switch name {
        case "getCapability":
            return #"{"getCapabilityResult":{"capability":{"protocolVersion":7,"features":[]}}}"#
        case "expandAttachedMacro":
            guard let request = ExpansionRequest(body) else { return refusal("an expansion without a declaration") }
            return expansion(of: request).message
        default: return refusal("the message \(name)")
        }
    }

    /// What a macro makes of a declaration in one role.
    mutating func expansion(of request: ExpansionRequest) -> Expansion {
        switch "\(request.role) \(request.macro)" {
        case "member Entity": models.model(of: request).memberExpansion
        case "memberAttribute Entity": models.model(of: request).memberAttributeExpansion(request.declaration)
        case "extension Entity": models.model(of: request).extensionExpansion(request)
        case "accessor KernelAttribute": AccessorExpansion(request, observed: false).expansion
        case "accessor KernelObservedAttribute": AccessorExpansion(request, observed: true).expansion
        case "accessor KernelRelationship": RelationshipAccessors(request, observed: false).expansion
        case "accessor KernelObservedRelationship": RelationshipAccessors(request, observed: true).expansion
        case "peer Attribute": PeerChecks.attribute(request)
        case "peer Relationship": PeerChecks.relationship(request)
        case "peer Transient": Expansion()
        default:
            Expansion(diagnostics: [
                Diagnostic(
                    message: "DataKernel's macros do not know \(request.macro) in the role \(request.role)",
                    fileName: request.attribute.fileName, offset: request.attribute.offset)
            ])
        }
    }

    private func refusal(_ what: String) -> String {
        let diagnostic = Diagnostic(
            message: "DataKernel's macros do not understand \(what); this compiler may be too new or too old for them",
            fileName: "", offset: 0)
        return Expansion(diagnostics: [diagnostic]).message
    }
}
