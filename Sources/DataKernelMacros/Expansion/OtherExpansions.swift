extension EntityModel {
    /// The attribute that `@Entity` puts on a member: the accessors' on each attribute and relationship, none on
    /// anything else.
    func memberAttributeExpansion(_ member: SourcePiece) -> Expansion {
        var lexer = Lexer(member.text)
        let member = lexer.readMember()
        guard !isRefused, member.isProperty, !member.isStatic,
            let property = properties.first(where: { known in member.bindings.contains { $0.name == known.name } })
        else { return Expansion() }
        let kind = property.relationship == nil ? "Attribute" : "Relationship"
        return Expansion(source: "@DataKernel._Kernel\(arguments.isObservable ? "Observed" : "")\(kind)")
    }

    /// The conformance, unless the class has written it.
    func extensionExpansion(_ request: ExpansionRequest) -> Expansion {
        // A conformance that only follows from another one is not found in an expansion: each is named.
        var wanted: [String] = []
        if request.conformances.contains("Entity") { wanted.append("DataKernel.Entity") }
        if arguments.isObservable, request.conformances.contains("ObservableEntity") {
            wanted.append("DataKernel.ObservableEntity")
        }
        guard !isRefused, !wanted.isEmpty else { return Expansion() }
        // In a module whose code belongs to the main actor by default, a class that opts out says so once.
        let isolation = type.modifier("nonisolated") == nil ? "" : "nonisolated "
        return Expansion(
            source: "\(isolation)extension \(request.extendedType ?? name): \(wanted.joined(separator: ", ")) {}")
    }
}

/// The accessors of one attribute.
struct AccessorExpansion {
    let expansion: Expansion

    init(_ request: ExpansionRequest, observed: Bool) {
        var lexer = Lexer(request.declaration.text)
        guard let name = lexer.readMember().bindings.first?.name else {
            expansion = Expansion()
            return
        }
        let access = observed ? "\n        kernelObservation.access(self, \\.\(name))" : ""
        // Before the tracking: an observer may run a unit, whose flush takes a noted change for a written one.
        let before = observed ? "\n        kernelObservation.willSet(self, \\.\(name))" : ""
        let after = observed ? "\n        kernelObservation.didSet(self, \\.\(name))" : ""
        expansion = Expansion(
            source: """
                {
                    get {\(access)
                        if kernelValues == nil { kernelValues = KernelValues() }
                        return kernelValues!.\(name)
                    }
                    set {
                        if kernelValues == nil { kernelValues = KernelValues() }\(before)
                        if kernelState.isClean { kernelTrack() }
                        kernelValues!.\(name) = newValue\(after)
                    }
                }
                """)
    }
}
