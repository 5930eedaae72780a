public import KernelSQL

extension Request {
    /// Only objects for which the condition holds. After another filter: for which both hold.
    ///
    /// ```swift
    /// Request<Car>().filter(\.mark == "Honda" && \.year > 2010)
    /// ```
    /// ```sql
    /// … WHERE "mark" = ? AND "year" > ?
    /// ```
    public consuming func filter(_ condition: consuming Condition<E>) -> Request { filtered(condition.predicate) }

    /// Only objects for which the condition holds, written on `$0` in place of key paths:
    ///
    /// ```swift
    /// Request<Car>().filter(where: { $0.mark.contains("on") && $0.year > 3 })
    /// ```
    ///
    /// The compiler explains mistakes best in this form: it names the misspelt member. The second parameter is not
    /// for use; without it, the compiler answers a misspelt `filter(\.yeer > 3)` by "missing argument label 'where:'".
    public func filter(where condition: (Fields<E>) -> Condition<E>, _: Void = ()) -> Request {
        filtered(condition(Fields()).predicate)
    }

    consuming func filtered(_ added: consuming QueryPredicate) -> Request {
        query.add(added)
        return self
    }
}

// One attribute, its key path and a word.
extension Request {
    /// Only objects whose text has `text` in it. Every character stands for itself.
    public func filter<V: TextAttribute>(
        _ attribute: KeyPath<E, V>, contains text: String, comparing: TextComparison = .exact
    ) -> Request {
        filter(.contains(attribute, text, comparing: comparing))
    }

    /// Only objects whose text begins with `text`.
    public func filter<V: TextAttribute>(
        _ attribute: KeyPath<E, V>, beginsWith text: String, comparing: TextComparison = .exact
    ) -> Request {
        filter(.beginsWith(attribute, text, comparing: comparing))
    }

    /// Only objects whose text ends with `text`.
    public func filter<V: TextAttribute>(
        _ attribute: KeyPath<E, V>, endsWith text: String, comparing: TextComparison = .exact
    ) -> Request {
        filter(.endsWith(attribute, text, comparing: comparing))
    }

    /// Only objects whose text is LIKE the pattern: see ``Condition/like(_:_:comparing:)``.
    public func filter<V: TextAttribute>(
        _ attribute: KeyPath<E, V>, like pattern: String, comparing: TextComparison = .exact
    ) -> Request {
        filter(.like(attribute, pattern, comparing: comparing))
    }

    /// Only objects that have one of the values: see ``Condition/oneOf(_:_:comparing:)``.
    public func filter<V: Queryable>(
        _ attribute: KeyPath<E, V>, oneOf values: some Sequence<V>, comparing: TextComparison = .exact
    ) -> Request {
        filter(.oneOf(attribute, values, comparing: comparing))
    }

    /// The same for an optional attribute and values that are not.
    public func filter<V: Queryable>(
        _ attribute: KeyPath<E, V?>, oneOf values: some Sequence<V>, comparing: TextComparison = .exact
    ) -> Request {
        filter(.oneOf(attribute, values, comparing: comparing))
    }

    /// Only objects whose to-one relationship leads to one of the objects that have these ids.
    public func filter<V: ToOneValue>(_ relationship: KeyPath<E, V>, oneOf ids: some Sequence<ObjectID>) -> Request {
        filter(.oneOf(relationship, ids))
    }

    /// Only objects that have a value in the range: see ``ConditionRange``.
    public func filter<V: Queryable>(
        _ attribute: KeyPath<E, V>, between range: some ConditionRange<V.Comparand>
    ) -> Request where V.Comparand: Comparable {
        filter(.between(attribute, range))
    }
}
