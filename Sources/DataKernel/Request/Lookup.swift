import KernelSQL

/// Makes predicates of key paths and typed values. The operators, the static functions of ``Condition`` and the
/// forms of `filter` that take a key path call it; the key path is looked up here and let go.
enum Lookup {
    static func compare<E: Entity>(
        _ path: KeyPath<E, some Any>, _ comparison: Comparison, _ value: some Queryable,
        _ comparing: TextComparison = .exact
    ) -> QueryPredicate {
        // The form that most programs use most: nothing can be wrong with it but the key path and the value, and what is
        // wrong is said below.
        if !comparison.isOrdering, comparing == .exact, let position = E.entity.position(of: path),
            let value = try? value.queryValue()
        {
            return .compare(AttributePath(position), comparison, value, .exact)
        }
        return on(path) { position, attribute in
            if comparison.isOrdering { try attribute.requireOrder() }
            if comparing == .insensitive { try attribute.requireText() }
            return .compare(position, comparison, try attribute.stored(value), comparing)
        }
    }

    static func between<E: Entity>(
        _ path: KeyPath<E, some Any>, _ range: ClosedRange<some AttributeValue>
    ) -> QueryPredicate {
        on(path) { position, attribute in
            try attribute.requireOrder()
            return .between(
                position, try attribute.stored(range.lowerBound), try attribute.stored(range.upperBound), .exact)
        }
    }

    static func oneOf<E: Entity>(
        _ path: KeyPath<E, some Any>, _ values: some Sequence<some Queryable>, _ comparing: TextComparison
    ) -> QueryPredicate {
        on(path) { position, attribute in
            if comparing == .insensitive { try attribute.requireText() }
            return .oneOf(position, try values.map { try attribute.stored($0) }, comparing)
        }
    }

    static func match<E: Entity>(
        _ path: KeyPath<E, some Any>, _ match: TextMatch, _ text: String, _ comparing: TextComparison
    ) -> QueryPredicate {
        on(path) { position, attribute in
            try attribute.requireText()
            return .match(position, match, text, comparing)
        }
    }

    static func sameValue<E: Entity>(_ left: KeyPath<E, some Any>, _ right: KeyPath<E, some Any>) -> QueryPredicate {
        on(left) { leftPath, _ in
            on(right) { rightPath, _ in
                // Rows of different entities may have the same id.
                let (one, other) = (E.entity.target(of: leftPath), E.entity.target(of: rightPath))
                if one !== other {
                    throw RequestFault(
                        "objects of \(one?.name ?? "none") are compared with those of \(other?.name ?? "none")")
                }
                return .sameValue(leftPath, rightPath)
            }
        }
    }

    /// Calls `body` with the attribute, or says what is wrong with the key path or what `body` found wrong.
    static func on<E: Entity>(
        _ path: KeyPath<E, some Any>, _ body: (AttributePath, AttributeDescription) throws -> QueryPredicate
    ) -> QueryPredicate {
        guard let (path, attribute) = meaning(path) else { return .failure(notAnAttribute) }
        do {
            return try body(path, attribute)
        } catch {
            return .failure(RequestFault.failure(error))
        }
    }

    /// The attribute of a key path, or where it leads to through relationships.
    static func meaning<E: Entity>(_ path: KeyPath<E, some Any>) -> HopTable.Meaning? {
        let entity = E.entity
        if let position = entity.position(of: path) { return (AttributePath(position), entity.attributes[position]) }
        return HopTable.meaning(of: path)
    }

    /// The key path is not named: Swift describes one as an address.
    static let notAnAttribute = QueryFailure.invalid(
        "a key path in it leads to no attribute. Paths through other values, such as \\.owner?.name or "
            + "\\.model.count, cannot be resolved; write filter(where: { $0.mark.contains(\"on\") }), whose hops are "
            + "attributes or relationships each. @Transient and computed properties are not in the store")

    static let noRelationship = QueryFailure.invalid(
        "a key path in it is no relationship of the entity. @Transient and computed properties are not in the store")
}

/// Carries what is wrong with one condition from where it is found to where the predicate is made.
struct RequestFault: Error {
    let failure: QueryFailure
    init(_ reason: String) { failure = .invalid(reason) }

    /// Nothing but this type is thrown here; closures of typed errors have to be written out in full, though.
    static func failure(_ error: any Error) -> QueryFailure {
        (error as? RequestFault)?.failure ?? error as? QueryFailure ?? .invalid("\(type(of: error))")
    }
}

extension AttributeDescription {
    /// The stored form of a value. Names the attribute when the store cannot hold it.
    func stored(_ value: some Queryable) throws(RequestFault) -> StoredValue {
        do {
            return try value.queryValue()
        } catch let issue as ValueIssue {
            throw RequestFault("the value for \(name) \(issue.reason)")
        } catch {
            throw RequestFault("the value for \(name) cannot be stored: \(type(of: error))")
        }
    }

    func requireText() throws(RequestFault) {
        let kind = relationship == nil ? storageClass.kindName : "a relationship"
        if !isText { throw RequestFault("\(name) is \(kind); only text can be searched as text") }
    }

    func requireOrder() throws(RequestFault) {
        if relationship != nil {
            throw RequestFault("\(name) is a relationship, which has no order; name an attribute of what it leads to")
        }
        if storageClass == .json {
            throw RequestFault("\(name) is stored as JSON, which has no order; keep what to sort by in an attribute")
        }
    }
}
