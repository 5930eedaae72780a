/// What `@Attribute` and `@Relationship` can be written on.
enum PeerChecks {
    static func attribute(_ request: ExpansionRequest) -> Expansion {
        let peer = Peer(request)
        guard let written = peer.attribute("Attribute") else { return Expansion() }
        if let transient = peer.attribute("Transient") {
            return peer.refusal(transient, "what is @Transient is no attribute: write one of the two")
        }
        if let relationship = peer.attribute("Relationship") {
            return peer.refusal(relationship, "a relationship is no attribute: write one of the two")
        }
        if peer.isStored { return Expansion() }
        return peer.refusal(
            written,
            "only a stored property of an object is an attribute: remove @Attribute, or write a var without a getter")
    }

    static func relationship(_ request: ExpansionRequest) -> Expansion {
        let peer = Peer(request)
        // Beside @Attribute, that one says so.
        guard let written = peer.attribute("Relationship"), peer.attribute("Attribute") == nil else {
            return Expansion()
        }
        if let transient = peer.attribute("Transient") {
            return peer.refusal(transient, "what is @Transient is no relationship: write one of the two")
        }
        if peer.isStored { return Expansion() }
        return peer.refusal(
            written,
            "only a stored property of an object is a relationship: remove @Relationship, or write a var without a "
                + "getter")
    }
}

/// The declaration that a peer macro is written on.
private struct Peer {
    private let source: SourceMap
    private let member: Member

    init(_ request: ExpansionRequest) {
        source = SourceMap(request.declaration)
        var lexer = source.lexer
        member = lexer.readMember(isConditional: false)
    }

    func attribute(_ name: String) -> Attribute? {
        let attributes =
            switch member {
            case .property(let property): property.attributes
            case .other(let other): other.attributes
            }
        return attributes.first { $0.shortName == name }
    }

    /// Whether it is a property whose values objects hold.
    var isStored: Bool {
        guard case .property(let property) = member, !property.isStatic else { return false }
        return property.bindings.contains { $0.accessors != .computed }
    }

    func refusal(_ attribute: Attribute, _ message: String) -> Expansion {
        Expansion(diagnostics: [source.diagnostic(attribute.range, message)])
    }
}
