/// What `@Attribute` and `@Relationship` can be written on.
enum PeerChecks {
    static func attribute(_ request: ExpansionRequest) -> Expansion {
        let source = SourceMap(request.declaration)
        var lexer = source.lexer
        let peer = lexer.readMember()
        guard let written = peer.attribute("Attribute") else { return Expansion() }
        if let transient = peer.attribute("Transient") {
            source.refuse(transient.range, "what is @Transient is no attribute: write one of the two")
        } else if let relationship = peer.attribute("Relationship") {
            source.refuse(relationship.range, "a relationship is no attribute: write one of the two")
        } else if !peer.isStored {
            source.refuse(
                written.range,
                "only a stored property of an object is an attribute: remove @Attribute, or write a var without a getter"
            )
        }
        return Expansion(diagnostics: source.diagnostics)
    }

    static func relationship(_ request: ExpansionRequest) -> Expansion {
        let source = SourceMap(request.declaration)
        var lexer = source.lexer
        let peer = lexer.readMember()
        // Beside @Attribute, that one says so.
        guard let written = peer.attribute("Relationship"), peer.attribute("Attribute") == nil else {
            return Expansion()
        }
        if let transient = peer.attribute("Transient") {
            source.refuse(transient.range, "what is @Transient is no relationship: write one of the two")
        } else if !peer.isStored {
            source.refuse(
                written.range,
                "only a stored property of an object is a relationship: remove @Relationship, or write a var without a "
                    + "getter")
        }
        return Expansion(diagnostics: source.diagnostics)
    }
}
