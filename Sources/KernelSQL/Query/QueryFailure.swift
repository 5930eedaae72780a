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

    /// Neither an attribute nor a relationship of the entity.
    package static func unknownStep(_ name: String, in entity: EntityDescription) -> QueryFailure {
        let names = ModelCheck.names(entity.attributes, entity.relationships)
        return .unknownName(name, entity: entity.name, suggestion: Suggestion.nearest(to: name, among: names))
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

/// Finds the name that a misspelt one was meant to be.
enum Suggestion {
    /// The nearest candidate, if at most a third of the letters (at least one) are wrong.
    static func nearest(to name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.lowercased())
        var (nearest, least): (String?, Int) = (nil, .max)
        for candidate in candidates {
            let distance = distance(wanted, Array(candidate.lowercased()))
            if distance < least { (nearest, least) = (candidate, distance) }
        }
        return nearest.flatMap { least <= max(1, max(wanted.count, $0.count) / 3) ? $0 : nil }
    }

    /// How many letters must be added, removed, changed or swapped with their neighbour.
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0..<b.count + 1)
        for i in a.indices {
            var current = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, current[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[b.count]
    }
}
