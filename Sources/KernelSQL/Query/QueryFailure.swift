/// What is wrong with a request. It is kept where it arose and thrown when the request is used, so that building
/// a request needs no `try`. The entity's name and the suggestion are found only then.
package enum QueryFailure: Sendable, Hashable {
    case unknownAttribute(String)
    case invalid(String)

    static let tooDeep = QueryFailure.invalid(
        "its conditions are nested more than \(QueryPredicate.deepest) levels deep; name values by oneOf, or split it")

    package func error(in entity: EntityDescription) -> KernelError {
        switch self {
        case .unknownAttribute(let name):
            .unknownAttribute(
                entity: entity.name, name: name,
                suggestion: Suggestion.nearest(to: name, among: entity.attributes.map(\.name)))
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
        let ranked = candidates.map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, max(wanted.count, best.name.count) / 3) ? best.name : nil
    }

    /// How many letters must be added, removed, changed or swapped with their neighbour.
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
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
