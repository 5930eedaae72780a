/// How text is compared.
public enum TextComparison: UInt8, Sendable, Hashable {
    /// Byte by byte, as the store orders text.
    case exact
    /// Without regard to case and accents, the same in every locale.
    case insensitive
}

/// How two values are compared. The raw value is part of a query's shape.
package enum Comparison: UInt, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

    /// Whether it asks for an order, which nil and JSON do not have.
    package var isOrdering: Bool { rawValue >= Comparison.less.rawValue }
}

/// How a text is searched. The raw value is part of a query's shape.
package enum TextMatch: UInt, Sendable {
    case contains, beginsWith, endsWith, like
}

/// What a row must satisfy. A condition is true or it is not: a comparison with a nil attribute is not true, and
/// `not` makes that true, as in Swift.
///
/// Build junctions and negations by ``and(_:)``, ``or(_:)`` and ``negated``: they keep the tree shallow, and let
/// a failure rise to the root, so that one look tells whether the whole is sound.
package enum QueryPredicate: Sendable {
    case compare(AttributePath, Comparison, StoredValue, TextComparison)
    indirect case between(AttributePath, StoredValue, StoredValue, TextComparison)
    case oneOf(AttributePath, [StoredValue], TextComparison)
    case match(AttributePath, TextMatch, String, TextComparison)
    /// Two attributes of one row are equal; nil equals nil.
    case sameValue(AttributePath, AttributePath)
    /// At least one object of a to-many relationship satisfies the condition, or is there at all. Built by
    /// ``has(_:where:)``.
    indirect case any(RelationPath, QueryPredicate?)
    indirect case not(QueryPredicate)
    case junction(Junction)
    case failure(QueryFailure)
}

extension QueryPredicate {
    /// How many parentheses may be open at once. SQLite's parser gives up at some 30 (see ``Junction/fanOut``),
    /// and the statement around the condition needs a few.
    package static let deepest = 20

    /// A sub-query has ten tokens open at its WHERE, as many as three parentheses.
    static let subqueryDepth = 3

    /// How many conditions a request may have. SQLite takes more, but 250,000 values in all, and some seconds for these.
    package static let most = 200_000

    package func and(_ other: QueryPredicate) -> QueryPredicate { Junction.join(.and, self, other) }
    package func or(_ other: QueryPredicate) -> QueryPredicate { Junction.join(.or, self, other) }

    package var negated: QueryPredicate {
        switch self {
        case .not(let inner): inner
        case .failure: self
        default: depth < QueryPredicate.deepest ? .not(self) : .failure(.tooDeep)
        }
    }

    /// How many parentheses are open at once when this is rendered. Hardly a walk: a negation holds no negation,
    /// junctions know their own, and sub-queries are at most six levels deep.
    var depth: Int {
        switch self {
        case .junction(let junction): junction.depth
        case .any(_, let inner): (inner?.depth ?? 0) + QueryPredicate.subqueryDepth
        // NOT EXISTS opens no parenthesis of its own.
        case .not(let inner): if case .any = inner { inner.depth } else { inner.depth + 1 }
        default: 0
        }
    }

    /// How many conditions there are, in sub-queries too. No more of a walk than ``depth``.
    package var weight: Int {
        switch self {
        case .junction(let junction): junction.weight
        case .any(_, let inner): (inner?.weight ?? 0) + 1
        case .not(let inner): inner.weight
        default: 1
        }
    }

    package var failure: QueryFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
