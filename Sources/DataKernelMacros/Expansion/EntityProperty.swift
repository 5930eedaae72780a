/// An attribute or a relationship, or both: a to-one relationship's key is among the attributes.
struct EntityProperty {
    /// As written, in backticks when it is.
    var name: String
    /// An attribute's name, type and initial value, `Self` spelled out.
    var declaration: String
    /// What the description is given: as written, but with a relationship's inverse as a key path.
    var arguments: String?
    var isPrimaryKey = false
    var relationship: RelationshipType?
    /// Which one it is among the attributes, or among the relationships.
    var number = 0

    var isToMany: Bool { relationship?.isToMany == true }
    /// Whether it is the key of a to-one relationship.
    var isLink: Bool { relationship != nil && !isToMany }
    /// What the store calls it.
    var plainName: String { Binding.plain(name) }

    /// The name as an argument's label. Swift warns of backticks there unless they are needed.
    var label: String { plainName.isName && !plainName.isOne(of: "inout var let") ? plainName : name }
}
