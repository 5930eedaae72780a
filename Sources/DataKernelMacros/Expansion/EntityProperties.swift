/// An attribute as the expansion needs it.
struct EntityAttribute {
    /// As written, in backticks when it is.
    var name: String
    /// Name, type and initial value, `Self` spelled out.
    var declaration: String
    /// What `@Attribute` was given, as written.
    var arguments: String?
    var isPrimaryKey = false
    /// Whether it is the key of a to-one relationship.
    var isLink = false
    /// What the store calls it.
    var plainName: String { Binding.plain(name) }

    /// The name as an argument's label. Swift warns of backticks there unless they are needed.
    var label: String {
        let needsBackticks =
            ["inout", "var", "let"].contains(plainName) || !plainName.utf8.allSatisfy(Byte.isWord)
            || plainName.utf8.first.map(Byte.isDigit) ?? true
        return needsBackticks ? name : plainName
    }
}

/// A relationship as the expansion needs it.
struct EntityRelationship {
    /// As written, in backticks when it is.
    var name: String
    var type: RelationshipType
    /// What the description is given: as written, but with the inverse as a key path.
    var arguments: String?
    var plainName: String { Binding.plain(name) }
}
