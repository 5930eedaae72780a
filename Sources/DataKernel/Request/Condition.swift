package import KernelSQL

/// A condition on the objects of one entity, made by the operators on key paths and by static functions:
///
/// ```swift
/// let request = Request<Car>().filter(\.mark == "Honda" && (\.year > 2010 || .contains(\.model, "GT")))
/// let classic: Condition<Car> = \.year < 1980
/// ```
///
/// Outside a `filter`, say the type, as `classic` does: Swift would otherwise take `\Car.mark == nil` for a
/// comparison of the key path itself, which is a `Bool`.
///
/// A condition holds for an object or it does not. A comparison with a nil attribute does not hold, and its
/// negation does; `!=` keeps the objects whose attribute is nil, as in Swift.
public struct Condition<E: Entity>: Sendable {
    package let predicate: QueryPredicate

    package init(_ predicate: QueryPredicate) { self.predicate = predicate }

    /// Both hold. Any number of terms may be joined, in a loop or by `reduce` too.
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(left.predicate.and(right.predicate))
    }

    /// At least one holds. Any number of terms may be joined, in a loop or by `reduce` too.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(left.predicate.or(right.predicate))
    }

    /// The condition does not hold. Objects whose attribute is nil are among those.
    ///
    /// ```swift
    /// !(\.year > 2010)
    /// ```
    /// ```sql
    /// ("year" > ?) IS NOT TRUE
    /// ```
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(condition.predicate.negated)
    }
}
