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
            return .compare(
                position, comparison, try attribute.stored(value, leadingTo: E.entity.target(of: position)), comparing)
        }
    }

    /// The object at the end of the path has that id. For key paths of ids see the form above.
    static func compare<E: Entity>(
        _ path: KeyPath<E, some Any>, _ comparison: Comparison, _ id: ObjectID
    ) -> QueryPredicate {
        oneOf(path, CollectionOfOne(id)) { .compare($0, comparison, $1.first ?? .null, .exact) }
    }

    /// The object at the end of the path has one of the ids.
    static func oneOf<E: Entity>(
        _ path: KeyPath<E, some Any>, _ ids: some Sequence<ObjectID>,
        _ predicate: (AttributePath, [StoredValue]) -> QueryPredicate = { .oneOf($0, $1, .exact) }
    ) -> QueryPredicate {
        on(path) { position, attribute in
            guard let target = E.entity.target(of: position) else { throw attribute.noObject }
            var rows: [StoredValue] = []
            for id in ids {
                try attribute.require(id.entityName, to: target)
                rows.append(.integer(id.row))
            }
            return predicate(position, rows)
        }
    }

    static func between<E: Entity, V: AttributeValue>(
        _ path: KeyPath<E, some Any>, _ range: ConditionBounds<V>
    ) -> QueryPredicate {
        on(path) { position, attribute in
            try attribute.requireOrder()
            return range.predicate(
                position, try range.lower.map { try attribute.stored($0) },
                try range.upper.map { try attribute.stored($0) }, .exact)
        }
    }

    static func oneOf<E: Entity>(
        _ path: KeyPath<E, some Any>, _ values: some Sequence<some Queryable>, _ comparing: TextComparison
    ) -> QueryPredicate {
        on(path) { position, attribute in
            if comparing == .insensitive { try attribute.requireText() }
            let target = E.entity.target(of: position)
            return .oneOf(position, try values.map { try attribute.stored($0, leadingTo: target) }, comparing)
        }
    }

    static func match<E: Entity>(
        _ path: KeyPath<E, some Any>, _ match: TextMatch, _ text: String, _ comparing: TextComparison
    ) -> QueryPredicate {
        on(path) { position, attribute in
            try attribute.require(match, text)
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
        do {
            let (path, attribute) = try meaning(path).get()
            return try body(path, attribute)
        } catch {
            return .failure(RequestFault.failure(error))
        }
    }

    /// The attribute of a key path, or where it leads to through relationships.
    static func meaning<E: Entity>(_ path: KeyPath<E, some Any>) -> Result<HopTable.Meaning, QueryFailure> {
        let entity = E.entity
        if let position = entity.position(of: path) {
            return .success((AttributePath(position), entity.attributes[position]))
        }
        return hopMeaning(path, E.self)
    }

    /// The same of a key path that is no attribute's. Rarely asked, so not inlined into what asks for attributes.
    @inline(never)
    private static func hopMeaning<E: Entity>(
        _ path: AnyKeyPath, _ type: E.Type
    ) -> Result<HopTable.Meaning, QueryFailure> {
        if let known = HopTable.meaning(of: path) { return known.mapError(notAnAttribute) }
        guard E.namesItself(path) else { return .failure(notAnAttribute(BrokenStep(path))) }
        HopTable.add(path, .success(AttributePath(hops: [], leaf: .id)), in: E.entity)
        return HopTable.meaning(of: path)?.mapError(notAnAttribute) ?? .failure(notAnAttribute(BrokenStep(path)))
    }

    /// Swift tells of a step that is computed, as those of entities are, its type but not its name.
    static func notAnAttribute(_ step: BrokenStep) -> QueryFailure {
        .invalid(
            "the key path \(step.text) leads to no attribute. Paths through other values, such as \\.owner?.name or "
                + "\\.model.count, cannot be resolved; write filter(where: { $0.mark.contains(\"on\") }), whose hops are "
                + "attributes or relationships each. Nor can paths through a protocol (\\T.name): write "
                + "filter(\"name\", equalTo: …) there. @Transient and computed properties are not in the store")
    }

    static func noRelationship(_ step: BrokenStep) -> QueryFailure {
        .invalid(
            "the key path \(step.text) is no relationship of the entity. @Transient and computed properties are not "
                + "in the store")
    }
}

extension Entity {
    /// Whether the key path leads to the object itself, as an object or by its id.
    static func namesItself(_ path: AnyKeyPath) -> Bool { path == \Self.objectID || path == \Self.self }
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

    /// The same of a value that, if it is an id, must be one of that entity.
    func stored(_ value: some Queryable, leadingTo target: EntityDescription?) throws(RequestFault) -> StoredValue {
        if let target, let id = value as? ObjectID { try require(id.entityName, to: target) }
        return try stored(value)
    }

    /// Throws if an id or an object of the entity of that name cannot be at the end of this relationship.
    func require(_ name: String, to target: EntityDescription) throws(RequestFault) {
        if name == target.name { return }
        throw RequestFault("\(kindOfObject(target)); it was compared with a \(name.shownName)")
    }

    func kindOfObject(_ target: EntityDescription) -> String {
        relationship == nil ? "\(name) is the id of a \(target.name)" : "\(name) is a relationship to \(target.name)"
    }

    var noObject: RequestFault { RequestFault("\(name) is no relationship; it was compared with an ObjectID") }

    /// Throws if the attribute's text cannot be searched like this.
    func require(_ match: TextMatch, _ text: String) throws(RequestFault) {
        try requireText()
        if match == .like, text.utf8.count > 50_000 {
            throw RequestFault(
                "the pattern for \(name) has \(text.utf8.count) bytes; like takes 50,000. Where it has no wildcards, use "
                    + "contains, beginsWith or endsWith")
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
