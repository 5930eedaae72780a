extension EntityModel {
    /// Which number each relationship has: what its accessors ask the kernel for.
    var relationshipNumbers: String {
        "private enum KernelRelationships {\n\(lines("    static let $ = #", relationships))\n}"
    }

    /// How the kernel reads and writes the keys of to-one relationships.
    var links: String {
        let links = attributes.filter(\.isLink)
        return """
            \(access)func kernelLink(_ attribute: Int) -> Int64 {
                switch attribute {
            \(lines("    case #: kernelValues?.$.row ?? 0", links))
                default: 0
                }
            }
            \(access)func kernelSetLink(_ attribute: Int, _ row: Int64) {
                if kernelValues == nil { kernelValues = KernelValues() }
                if kernelState.isClean { kernelTrack() }
                switch attribute {
            \(lines("    case #: kernelValues!.$.row = row", links))
                default: break
                }
            }
            """
    }
}

/// The accessors of one relationship.
struct RelationshipAccessors {
    let expansion: Expansion

    init(_ request: ExpansionRequest, observed: Bool) {
        var lexer = Lexer(request.declaration.text)
        guard let binding = lexer.readMember().bindings.first,
            let type = binding.type.flatMap({ RelationshipType(lexer.spelledType($0)) })
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
