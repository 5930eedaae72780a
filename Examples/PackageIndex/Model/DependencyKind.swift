import DataKernel

/// How strongly a package wants another, or wants it away. The order is the one in which they are kept and shown.
enum DependencyKind: String, CaseIterable, AttributeValue {
    case preDepends = "pre-depends"
    case depends
    case recommends
    case suggests
    case enhances
    case conflicts
    case breaks
    case replaces

    /// The field's name in the index.
    var fieldName: String { self == .preDepends ? "Pre-Depends" : rawValue.capitalized }
}
