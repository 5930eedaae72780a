public import KernelSQL

// Conditions on an attribute that is named by a string, for requests that are put together at run time. Names and
// kinds of values are checked when the request is used.
extension Request {
    /// Only objects whose attribute has this value; with nil, those that have none.
    ///
    /// ```swift
    /// Request<Car>().filter("mark", equalTo: "Honda")
    /// Request<Car>().filter("owner.name", equalTo: "Ann").filter("wheels.count", greaterThan: 3)
    /// ```
    /// ```sql
    /// … WHERE "mark" = ?
    /// … LEFT JOIN "Person" AS "owner" ON "owner"."_id" = "Car"."owner" WHERE "owner"."name" = ? AND …
    /// ```
    ///
    /// Dots lead through to-one relationships, and what is nil on the way makes the value nil. A to-many relationship
    /// has a `count`.
    public func filter(
        _ attribute: String, equalTo value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        filtered(Lookup.compare(attribute, in: E.entity, .equal, value, comparing))
    }

    /// Only objects whose attribute has another value or none; with nil, those that have one.
    public func filter(
        _ attribute: String, notEqualTo value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        filtered(Lookup.compare(attribute, in: E.entity, .notEqual, value, comparing))
    }

    /// Only objects that have a lesser value. nil is an error: it has no order.
    public func filter(
        _ attribute: String, lessThan value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        filtered(Lookup.compare(attribute, in: E.entity, .less, value, comparing))
    }

    /// Only objects that have a lesser value or this one. nil is an error: it has no order.
    public func filter(
        _ attribute: String, lessThanOrEqualTo value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        filtered(Lookup.compare(attribute, in: E.entity, .lessOrEqual, value, comparing))
    }

    /// Only objects that have a greater value. nil is an error: it has no order.
    public func filter(
        _ attribute: String, greaterThan value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        filtered(Lookup.compare(attribute, in: E.entity, .greater, value, comparing))
    }

    /// Only objects that have a greater value or this one. nil is an error: it has no order.
    public func filter(
        _ attribute: String, greaterThanOrEqualTo value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        filtered(Lookup.compare(attribute, in: E.entity, .greaterOrEqual, value, comparing))
    }

    /// Only objects that have a value in the range: see ``ConditionRange``.
    ///
    /// ```swift
    /// Request<Car>().filter("year", between: 1970...1979)
    /// Request<Car>().filter("year", between: ..<1980)
    /// ```
    public func filter<V: AttributeValue & Comparable>(
        _ attribute: String, between range: some ConditionRange<V>, comparing: TextComparison = .exact
    ) -> Request {
        filtered(Lookup.between(attribute, in: E.entity, range.kernelBounds, comparing))
    }

    /// Only objects that have one of the values. No values find nothing; nil among the values finds nil. Any number
    /// of values is one argument.
    public func filter<V: AttributeValue>(
        _ attribute: String, oneOf values: some Sequence<V>, comparing: TextComparison = .exact
    ) -> Request {
        filtered(Lookup.oneOf(attribute, in: E.entity, values, comparing))
    }

    /// Only objects whose text has `text` in it. Every character stands for itself.
    public func filter(_ attribute: String, contains text: String, comparing: TextComparison = .exact) -> Request {
        filtered(Lookup.match(attribute, in: E.entity, .contains, text, comparing))
    }

    /// Only objects whose text begins with `text`.
    public func filter(_ attribute: String, beginsWith text: String, comparing: TextComparison = .exact) -> Request {
        filtered(Lookup.match(attribute, in: E.entity, .beginsWith, text, comparing))
    }

    /// Only objects whose text ends with `text`.
    public func filter(_ attribute: String, endsWith text: String, comparing: TextComparison = .exact) -> Request {
        filtered(Lookup.match(attribute, in: E.entity, .endsWith, text, comparing))
    }

    /// Only objects whose text is LIKE the pattern: see ``Condition/like(_:_:comparing:)``.
    public func filter(_ attribute: String, like pattern: String, comparing: TextComparison = .exact) -> Request {
        filtered(Lookup.match(attribute, in: E.entity, .like, pattern, comparing))
    }
}

extension Request {
    /// Only objects whose to-one relationship of this name leads to the object.
    ///
    /// ```swift
    /// Request<Car>().filter("owner", equalTo: ann)
    /// ```
    /// ```sql
    /// … WHERE "owner" = ?
    /// ```
    public func filter(_ relationship: String, equalTo object: some Entity) -> Request {
        filtered(Lookup.compare(relationship, in: E.entity, .equal, object))
    }

    /// Only objects whose to-one relationship of this name leads to another object, or to none.
    public func filter(_ relationship: String, notEqualTo object: some Entity) -> Request {
        filtered(Lookup.compare(relationship, in: E.entity, .notEqual, object))
    }
}
