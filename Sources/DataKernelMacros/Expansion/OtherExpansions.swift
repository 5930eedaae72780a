extension EntityModel {
    /// The attribute that `@Entity` puts on a member: the accessors' on each attribute and relationship, none on
    /// anything else.
    func memberAttributeExpansion(_ member: SourcePiece) -> Expansion {
        var lexer = Lexer(member.text)
        guard !isRefused, case .property(let property) = lexer.readMember(isConditional: false), !property.isStatic
        else { return Expansion() }
        let names = property.bindings.map(\.name)
        let observed = arguments.isObservable ? "Observed" : ""
        // First, since the key of a to-one relationship is among the attributes under the same name.
        if relationships.contains(where: { names.contains($0.name) }) {
            return Expansion(source: "@DataKernel._Kernel\(observed)Relationship")
        }
        if attributes.contains(where: { names.contains($0.name) }) {
            return Expansion(source: "@DataKernel._Kernel\(observed)Attribute")
        }
        return Expansion()
    }

    /// The conformance, unless the class has written it.
    func extensionExpansion(_ request: ExpansionRequest) -> Expansion {
        // A conformance that only follows from another one is not found in an expansion: each is named.
        let wanted = (arguments.isObservable ? ["Entity", "ObservableEntity"] : ["Entity"])
            .filter(request.conformances.contains).map { "DataKernel.\($0)" }
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
        guard case .property(let property) = lexer.readMember(isConditional: false),
            let binding = property.bindings.first
        else {
            expansion = Expansion()
            return
        }
        let name = binding.name
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
