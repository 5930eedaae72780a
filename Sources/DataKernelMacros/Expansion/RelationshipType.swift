/// How many objects are at a relationship's other end, and of which class.
struct RelationshipType: Equatable {
    enum Kind: Equatable {
        /// `Person?`.
        case toOne
        /// `Person`.
        case required
        /// `[Person]`.
        case toMany
    }

    var kind: Kind
    /// The class at the other end, as written.
    var target: String

    var isToMany: Bool { kind == .toMany }

    /// `Self` would be another type, or none, where the target's name is written again.
    mutating func replaceSelf(by name: String) {
        if target == "Self" { target = name }
        if target.hasPrefix("Self.") { target = name + target.dropFirst("Self".count) }
    }
}

/// A type that no relationship can have: which part of it, and what to write.
struct RelationshipTypeIssue: Error {
    var range: Range<Int>
    var message: String
}

extension RelationshipType {
    /// Reads a property's type. Throws ``RelationshipTypeIssue``.
    init(_ range: Range<Int>, in lexer: Lexer) throws(RelationshipTypeIssue) {
        try self.init(lexer.spelledType(range))
    }

    private init(_ type: SpelledType) throws(RelationshipTypeIssue) {
        let name = type.innermostName ?? "T"
        switch type.kind {
        case .name(let target):
            self.init(kind: .required, target: target)
        case .optional(let inner):
            guard case .name(let target) = inner.kind else { throw RelationshipType.issue(optional: inner, name) }
            self.init(kind: .toOne, target: target)
        case .array(let element):
            guard case .name(let target) = element.kind else { throw RelationshipType.issue(element: element, name) }
            self.init(kind: .toMany, target: target)
        default:
            throw RelationshipType.issue(type, name)
        }
    }

    private static func issue(optional inner: SpelledType, _ name: String) -> RelationshipTypeIssue {
        switch inner.kind {
        case .array:
            RelationshipTypeIssue(
                range: inner.range, message: "a to-many relationship is empty rather than nil: write [\(name)]")
        case .optional:
            RelationshipTypeIssue(
                range: inner.range, message: "a relationship leads to an object or to none: write \(name)?")
        default: issue(inner, name)
        }
    }

    private static func issue(element: SpelledType, _ name: String) -> RelationshipTypeIssue {
        if case .optional = element.kind {
            return RelationshipTypeIssue(
                range: element.range, message: "a to-many relationship has no gaps: write [\(name)]")
        }
        return issue(element, name)
    }

    private static func issue(_ type: SpelledType, _ name: String) -> RelationshipTypeIssue {
        let advice = "write \(name)?, \(name) or [\(name)]" + (name == "T" ? ", T being an entity" : "")
        let message =
            switch type.kind {
            case .set:
                "a to-many relationship is read as an array: write [\(name)], with ordered: true if the order matters"
            case .dictionary: "a relationship has no keys: \(advice)"
            case .tuple: "a tuple is no entity: write a relationship for each of its parts"
            case .function: "a function is no entity: \(advice), or @Transient without @Relationship"
            case .existential: "a relationship leads to one class, known to the compiler: \(advice)"
            default: "a relationship leads to one object or to many: \(advice)"
            }
        return RelationshipTypeIssue(range: type.range, message: message)
    }
}
