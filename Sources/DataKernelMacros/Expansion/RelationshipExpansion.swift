extension EntityModel {
    /// Which number each relationship has: what its accessors ask the kernel for.
    var relationshipNumbers: String {
        let lines = relationships.enumerated().map { "    static let \($1.name) = \($0)" }
        return "private enum KernelRelationships {\n\(lines.joined(separator: "\n"))\n}"
    }

    /// How the kernel reads and writes the keys of to-one relationships.
    var links: String {
        """
        \(access)func kernelLink(_ attribute: Int) -> Int64 {
            switch attribute {
        \(linkLines { "case \($0): kernelValues?.\($1.name).row ?? 0" })
            default: 0
            }
        }
        \(access)func kernelSetLink(_ attribute: Int, _ row: Int64) {
            if kernelValues == nil { kernelValues = KernelValues() }
            if kernelState.isClean { kernelTrack() }
            switch attribute {
        \(linkLines { "case \($0): kernelValues!.\($1.name).row = row" })
            default: break
            }
        }
        """
    }

    private func linkLines(_ line: (Int, EntityAttribute) -> String) -> String {
        attributes.enumerated().filter(\.element.isLink).map { "    " + line($0, $1) }.joined(separator: "\n")
    }
}

/// The accessors of one relationship.
struct RelationshipAccessors {
    let expansion: Expansion

    init(_ request: ExpansionRequest, observed: Bool) {
        var lexer = Lexer(request.declaration.text)
        guard case .property(let property) = lexer.readMember(isConditional: false),
            let binding = property.bindings.first, let range = binding.type,
            let type = try? RelationshipType(range, in: lexer)
        else {
            expansion = Expansion()
            return
        }
        let (read, write) =
            switch type.kind {
            case .toOne: ("kernelToOne", "kernelSetToOne")
            case .required: ("kernelRequired", "kernelSetToOne")
            case .toMany: ("kernelToMany", "kernelSetToMany")
            }
        let number = "KernelRelationships.\(binding.name)"
        // The kernel itself tells observers of a change, since it changes the other end as well.
        let get =
            observed
            ? """
            {
                    kernelObservation.access(self, \\.\(binding.name))
                    return \(read)(\(number))
                }
            """ : "{ \(read)(\(number)) }"
        expansion = Expansion(
            source: """
                {
                    get \(get)
                    set { \(write)(\(number), newValue) }
                }
                """)
    }
}
