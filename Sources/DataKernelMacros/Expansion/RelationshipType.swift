/// How many objects are at a relationship's other end, and of which class.
struct RelationshipType {
    enum Kind {
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

    /// Reads a property's type. Nil for a type that no relationship can have.
    init?(_ type: SpelledType) {
        switch type.kind {
        case .optional: kind = .toOne
        case .array: kind = .toMany
        default: kind = .required
        }
        guard (type.inner ?? type).kind == .name, type.kind != .set, let name = type.name else { return nil }
        target = name
    }

    /// `Self` would be another type, or none, where the target's name is written again.
    mutating func replaceSelf(by name: String) {
        if target == "Self" { target = name }
        if let member = target.without(prefix: "Self.") { target = "\(name).\(member)" }
    }

    /// Says what no relationship can have: which part of its type, and what to write.
    static func refuse(_ type: SpelledType, _ source: SourceMap) -> Bool {
        let name = type.name ?? "T"
        let advice = "write \(name)?, \(name) or [\(name)]" + (name == "T" ? ", T being an entity" : "")
        let part = type.kind == .set ? type : type.inner ?? type
        let message =
            switch part.kind {
            case .array where type.kind == .optional:
                "a to-many relationship is empty rather than nil: write [\(name)]"
            case .optional where type.kind == .optional:
                "a relationship leads to an object or to none: write \(name)?"
            case .optional: "a to-many relationship has no gaps: write [\(name)]"
            case .set:
                "a to-many relationship is read as an array: write [\(name)], with ordered: true if the order matters"
            case .dictionary: "a relationship has no keys: \(advice)"
            case .tuple: "a tuple is no entity: write a relationship for each of its parts"
            case .function: "a function is no entity: \(advice), or @Transient without @Relationship"
            case .existential: "a relationship leads to one class, known to the compiler: \(advice)"
            default: "a relationship leads to one object or to many: \(advice)"
            }
        return source.refuse(part.range, message)
    }
}
