internal import KernelSQL

/// What a value can be between: every range of Swift that has an end. Not for conformances of your own.
///
/// ```swift
/// .between(\.year, 1970...1979)      // "year" BETWEEN ? AND ?
/// .between(\.year, 1970..<1980)      // "year" >= ? AND "year" < ?
/// .between(\.year, 1970...)          // "year" >= ?
/// .between(\.year, ..<1980)          // "year" < ?
/// ```
public protocol ConditionRange<Bound> {
    associatedtype Bound: Comparable
    var kernelBounds: ConditionBounds<Bound> { get }
}

/// The ends of a ``ConditionRange``.
public struct ConditionBounds<Bound> {
    let lower: Bound?
    let upper: Bound?
    let includesUpper: Bool
}

extension ClosedRange: ConditionRange {
    public var kernelBounds: ConditionBounds<Bound> {
        ConditionBounds(lower: lowerBound, upper: upperBound, includesUpper: true)
    }
}

extension Range: ConditionRange {
    public var kernelBounds: ConditionBounds<Bound> {
        ConditionBounds(lower: lowerBound, upper: upperBound, includesUpper: false)
    }
}

extension PartialRangeFrom: ConditionRange {
    public var kernelBounds: ConditionBounds<Bound> {
        ConditionBounds(lower: lowerBound, upper: nil, includesUpper: false)
    }
}

extension PartialRangeThrough: ConditionRange {
    public var kernelBounds: ConditionBounds<Bound> {
        ConditionBounds(lower: nil, upper: upperBound, includesUpper: true)
    }
}

extension PartialRangeUpTo: ConditionRange {
    public var kernelBounds: ConditionBounds<Bound> {
        ConditionBounds(lower: nil, upper: upperBound, includesUpper: false)
    }
}

extension ConditionBounds {
    /// The value lies between the ends, whose stored forms are given.
    func predicate(
        _ path: AttributePath, _ lower: StoredValue?, _ upper: StoredValue?, _ comparing: TextComparison
    ) -> QueryPredicate {
        let last = upper.map { QueryPredicate.compare(path, includesUpper ? .lessOrEqual : .less, $0, comparing) }
        guard let lower else { return last ?? .compare(path, .notEqual, .null, .exact) }
        if let upper, includesUpper { return .between(path, lower, upper, comparing) }
        let first = QueryPredicate.compare(path, .greaterOrEqual, lower, comparing)
        return last.map(first.and) ?? first
    }
}
