public import KernelSQL

// Conditions on an attribute that is named by a string, for requests that are put together at run time. Names and
// kinds of values are checked when the request is used.
extension Request {
    /// Only objects whose attribute has this value; with nil, those that have none.
    ///
    /// ```swift
    /// Request<Car>().filter("mark", equalTo: "Honda")
    /// ```
    /// ```sql
    /// … WHERE "mark" = ?
    /// ```
    public func filter(
        _ attribute: String, equalTo value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        compared(attribute, .equal, value, comparing)
    }

    /// Only objects whose attribute has another value or none; with nil, those that have one.
    public func filter(
        _ attribute: String, notEqualTo value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        compared(attribute, .notEqual, value, comparing)
    }

    /// Only objects that have a lesser value. nil is an error: it has no order.
    public func filter(
        _ attribute: String, lessThan value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        compared(attribute, .less, value, comparing)
    }

    /// Only objects that have a lesser value or this one. nil is an error: it has no order.
    public func filter(
        _ attribute: String, lessThanOrEqualTo value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        compared(attribute, .lessOrEqual, value, comparing)
    }

    /// Only objects that have a greater value. nil is an error: it has no order.
    public func filter(
        _ attribute: String, greaterThan value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        compared(attribute, .greater, value, comparing)
    }

    /// Only objects that have a greater value or this one. nil is an error: it has no order.
    public func filter(
        _ attribute: String, greaterThanOrEqualTo value: (any AttributeValue)?, comparing: TextComparison = .exact
    ) -> Request {
        compared(attribute, .greaterOrEqual, value, comparing)
    }

    /// Only objects that have a value in the range, its ends included.
    ///
    /// ```swift
    /// Request<Car>().filter("year", between: 1970...1979)
    /// ```
    public func filter<V: AttributeValue & Comparable>(
        _ attribute: String, between range: ClosedRange<V>, comparing: TextComparison = .exact
    ) -> Request {
        onAttribute(attribute) { path, description in
            try description.requireOrder()
            if comparing == .insensitive { try description.requireText() }
            let low = try description.converted(range.lowerBound)
            return .between(path, low, try description.converted(range.upperBound), comparing)
        }
    }

    /// Only objects that have one of the values. No values find nothing; nil among the values finds nil. Any number
    /// of values is one argument.
    public func filter<V: AttributeValue>(
        _ attribute: String, oneOf values: some Sequence<V>, comparing: TextComparison = .exact
    ) -> Request {
        onAttribute(attribute) { path, description in
            if comparing == .insensitive { try description.requireText() }
            var stored: [StoredValue] = []
            for value in values { stored.append(try description.converted(value)) }
            return .oneOf(path, stored, comparing)
        }
    }

    /// Only objects whose text has `text` in it. Every character stands for itself.
    public func filter(_ attribute: String, contains text: String, comparing: TextComparison = .exact) -> Request {
        matching(attribute, .contains, text, comparing)
    }

    /// Only objects whose text begins with `text`.
    public func filter(_ attribute: String, beginsWith text: String, comparing: TextComparison = .exact) -> Request {
        matching(attribute, .beginsWith, text, comparing)
    }

    /// Only objects whose text ends with `text`.
    public func filter(_ attribute: String, endsWith text: String, comparing: TextComparison = .exact) -> Request {
        matching(attribute, .endsWith, text, comparing)
    }

    /// Only objects whose text is LIKE the pattern: see ``Condition/like(_:_:comparing:)``.
    public func filter(_ attribute: String, like pattern: String, comparing: TextComparison = .exact) -> Request {
        matching(attribute, .like, pattern, comparing)
    }
}

extension Request {
    private func compared(
        _ attribute: String, _ comparison: Comparison, _ value: (any AttributeValue)?, _ comparing: TextComparison
    ) -> Request {
        onAttribute(attribute) { path, description in
            let stored = if let value { try description.converted(value) } else { StoredValue.null }
            if comparison.isOrdering {
                try description.requireOrder()
                if stored.isNull { throw RequestFault("nil has no order, so \(attribute) cannot be compared with it") }
            }
            if comparing == .insensitive { try description.requireText() }
            return .compare(path, comparison, stored, comparing)
        }
    }

    private func matching(
        _ attribute: String, _ match: TextMatch, _ text: String, _ comparing: TextComparison
    ) -> Request {
        onAttribute(attribute) { path, description in
            try description.requireText()
            return .match(path, match, text, comparing)
        }
    }

    private func onAttribute(
        _ name: String, _ body: (AttributePath, AttributeDescription) throws -> QueryPredicate
    ) -> Request {
        let entity = E.entity
        guard let position = entity.position(of: name) else { return filtered(.failure(.unknownAttribute(name))) }
        do {
            return filtered(try body(AttributePath(position), entity.attributes[position]))
        } catch {
            return filtered(.failure(RequestFault.failure(error)))
        }
    }
}

extension AttributeDescription {
    /// The stored form of a value whose type is not known to fit, converted if that changes nothing about it.
    fileprivate func converted<V: AttributeValue>(_ value: V) throws(RequestFault) -> StoredValue {
        let stored = try stored(value)
        if let converted = storageClass.converting(stored, of: V.storageClass) { return converted }
        throw RequestFault("\(name) is \(storageClass.kindName); it was compared with \(V.storageClass.kindName)")
    }
}
