/// What is wrong with a request. It is kept where it arose and thrown when the request is used, so that building
/// a request needs no `try`. The entity's name and the suggestion are found only then.
package enum QueryFailure: Error, Equatable {
    case unknownAttribute(String)
    /// What was looked for in the entity that relationships lead to.
    case unknownName(String, entity: String, suggestion: String?)
    case invalid(String)

    static var tooDeep: QueryFailure {
        .invalid(
            "its conditions are nested more than \(QueryPredicate.deepest) levels deep; name values by oneOf, or split it"
        )
    }

    static var tooMany: QueryFailure {
        .invalid(
            "it has more than \(QueryPredicate.most) conditions; name values by oneOf, which takes any number of them, or "
                + "split it")
    }

    /// How many relationships a name or a key path may lead through: as many as one statement joins.
    package static var farthest: Int { TableScope.mostJoins }

    package static var tooFar: QueryFailure {
        .invalid("it leads through more than \(TableScope.mostJoins) relationships; split it")
    }

    /// Neither an attribute nor a relationship of the entity.
    package static func unknownStep(_ name: String, in entity: EntityDescription) -> QueryFailure {
        let names = ModelCheck.names(entity.attributes, entity.relationships)
        var search = Suggestion()
        return .unknownName(name, entity: entity.name, suggestion: search.nearest(to: name, among: names))
    }

    package func error(in entity: EntityDescription) -> KernelError {
        switch self {
        case .unknownAttribute(let name):
            QueryFailure.unknownStep(name, in: entity).error(in: entity)
        case .unknownName(let name, let found, let suggestion):
            .unknownAttribute(entity: found, name: name, suggestion: suggestion)
        case .invalid(let reason):
            .invalidRequest(entity: entity.name, reason: reason)
        }
    }
}
