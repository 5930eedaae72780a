public import KernelSQL

// What has no operator in Swift. Inside a condition: `\.year > 2010 && .contains(\.model, "GT")`.
extension Condition {
    /// The attribute's text has `text` in it. Every character of `text` stands for itself. Scans the table.
    ///
    /// ```sql
    /// instr("model", ?) > 0
    /// ```
    public static func contains<V: TextAttribute>(
        _ attribute: KeyPath<E, V>, _ text: String, comparing: TextComparison = .exact
    ) -> Condition {
        Condition(Lookup.match(attribute, .contains, text, comparing))
    }

    /// The attribute's text begins with `text`. An index on the attribute is used for the lower bound.
    public static func beginsWith<V: TextAttribute>(
        _ attribute: KeyPath<E, V>, _ text: String, comparing: TextComparison = .exact
    ) -> Condition {
        Condition(Lookup.match(attribute, .beginsWith, text, comparing))
    }

    /// The attribute's text ends with `text`. Scans the table.
    public static func endsWith<V: TextAttribute>(
        _ attribute: KeyPath<E, V>, _ text: String, comparing: TextComparison = .exact
    ) -> Condition {
        Condition(Lookup.match(attribute, .endsWith, text, comparing))
    }

    /// SQL's LIKE: `%` is any text, `_` any character, `\` before one takes it for itself. LIKE makes no difference
    /// between a–z and A–Z; `.insensitive` extends that to all letters and accents.
    public static func like<V: TextAttribute>(
        _ attribute: KeyPath<E, V>, _ pattern: String, comparing: TextComparison = .exact
    ) -> Condition {
        Condition(Lookup.match(attribute, .like, pattern, comparing))
    }

    /// The attribute has one of the values. No values find nothing, whose negation finds all; nil among the values
    /// finds nil. Any number of values is one argument.
    ///
    /// ```sql
    /// "year" IN (SELECT value FROM kernel_values(?))
    /// ```
    public static func oneOf<V: Queryable>(
        _ attribute: KeyPath<E, V>, _ values: some Sequence<V>, comparing: TextComparison = .exact
    ) -> Condition {
        Condition(Lookup.oneOf(attribute, values, comparing))
    }

    /// The same for an optional attribute and values that are not.
    public static func oneOf<V: Queryable>(
        _ attribute: KeyPath<E, V?>, _ values: some Sequence<V>, comparing: TextComparison = .exact
    ) -> Condition {
        Condition(Lookup.oneOf(attribute, values, comparing))
    }

    /// The to-one relationship leads to one of the objects that have these ids.
    ///
    /// ```swift
    /// .oneOf(\.owner, people.map(\.objectID))
    /// ```
    public static func oneOf<V: ToOneValue>(_ relationship: KeyPath<E, V>, _ ids: some Sequence<ObjectID>) -> Condition
    {
        Condition(Lookup.oneOf(relationship, ids))
    }

    /// The attribute has a value in the range, which may be any of Swift's that has an end: see ``ConditionRange``.
    /// Ordered as `<` does.
    public static func between<V: Queryable>(
        _ attribute: KeyPath<E, V>, _ range: some ConditionRange<V.Comparand>
    ) -> Condition where V.Comparand: Comparable {
        Condition(Lookup.between(attribute, range.kernelBounds))
    }

    /// The two attributes of one object have the same value, or both have none. One may be optional and the other not.
    ///
    /// ```sql
    /// "model" IS "mark"
    /// ```
    public static func equal<V: Queryable, W: Queryable>(_ left: KeyPath<E, V>, _ right: KeyPath<E, W>) -> Condition
    where V.Comparand == W.Comparand {
        Condition(Lookup.sameValue(left, right))
    }

    /// The text is the same but for case and accents (with `.insensitive`; `==` does the exact form).
    public static func equal<V: TextAttribute>(
        _ attribute: KeyPath<E, V>, to text: String, comparing: TextComparison
    ) -> Condition {
        Condition(Lookup.compare(attribute, .equal, text, comparing))
    }
}
