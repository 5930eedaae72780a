public import KernelSQL

extension Request {
    /// In the order of an attribute; after another sort, in that of this one where the others are equal. Where all
    /// are equal, in that of the row's id, so that pages never overlap.
    ///
    /// ```swift
    /// Request<Car>().sort(\.mark).sort(\.year, .descending, nils: .last)
    /// ```
    /// ```sql
    /// … ORDER BY "mark", "year" DESC, "_id" DESC
    /// ```
    ///
    /// - Parameters:
    ///   - nils: Where objects without a value go. If not said: first when ascending, last when descending.
    ///   - comparing: `.insensitive` sorts text without regard to case and accents.
    public func sort<V: Queryable>(
        _ attribute: KeyPath<E, V>, _ direction: SortDirection = .ascending, nils: NilPlacement? = nil,
        comparing: TextComparison = .exact
    ) -> Request {
        sorted(by: Lookup.meaning(attribute), direction, nils, comparing)
    }

    /// The same with a `Bool` for the direction, as names take it.
    public func sort<V: Queryable>(
        _ attribute: KeyPath<E, V>, ascending: Bool, nils: NilPlacement? = nil, comparing: TextComparison = .exact
    ) -> Request {
        sort(attribute, ascending ? .ascending : .descending, nils: nils, comparing: comparing)
    }

    /// In the order of an attribute that is reached through relationships: see ``sort(_:_:nils:comparing:)``. Objects
    /// without one on the way are where those without a value are.
    ///
    /// ```swift
    /// Request<Car>().sort(by: { $0.owner.name }).sort(by: { $0.wheels.count }, .descending)
    /// ```
    /// ```sql
    /// … LEFT JOIN "Person" AS "owner" ON "owner"."_id" = "Car"."owner" ORDER BY "owner"."name", …
    /// ```
    public func sort<V: Queryable>(
        by attribute: (Fields<E>) -> KeyPath<E, V>, _ direction: SortDirection = .ascending,
        nils: NilPlacement? = nil, comparing: TextComparison = .exact
    ) -> Request {
        sort(attribute(Fields()), direction, nils: nils, comparing: comparing)
    }

    /// The same with a `Bool` for the direction.
    public func sort<V: Queryable>(
        by attribute: (Fields<E>) -> KeyPath<E, V>, ascending: Bool, nils: NilPlacement? = nil,
        comparing: TextComparison = .exact
    ) -> Request {
        sort(attribute(Fields()), ascending: ascending, nils: nils, comparing: comparing)
    }

    /// In the order of the attribute of this name: see ``sort(_:_:nils:comparing:)``.
    ///
    /// ```swift
    /// Request<Car>().sort("model").sort("year", .descending)
    /// Request<Car>().sort("owner.name").sort("wheels.count")
    /// ```
    public func sort(
        _ attribute: String, _ direction: SortDirection = .ascending, nils: NilPlacement? = nil,
        comparing: TextComparison = .exact
    ) -> Request {
        sorted(by: Lookup.meaning(attribute, in: E.entity), direction, nils, comparing)
    }

    /// The same with a `Bool` for the direction.
    ///
    /// ```swift
    /// Request<Car>().sort("model", ascending: true)
    /// ```
    public func sort(
        _ attribute: String, ascending: Bool, nils: NilPlacement? = nil, comparing: TextComparison = .exact
    ) -> Request {
        sort(attribute, ascending ? .ascending : .descending, nils: nils, comparing: comparing)
    }

    private func sorted(
        by meaning: Result<HopTable.Meaning, QueryFailure>, _ direction: SortDirection, _ nils: NilPlacement?,
        _ comparing: TextComparison
    ) -> Request {
        switch meaning {
        case .success(let found): sorted(found, direction, nils, comparing)
        case .failure(let failure): failing(failure)
        }
    }

    private func sorted(
        _ found: HopTable.Meaning, _ direction: SortDirection, _ nils: NilPlacement?, _ comparing: TextComparison
    ) -> Request {
        do {
            try found.attribute.requireOrder()
            if comparing == .insensitive { try found.attribute.requireText() }
        } catch {
            return failing(error.failure)
        }
        // SQLite takes 2,000; each sort copies those before it.
        if query.order.count == 1_000 { return failing(.invalid("it is sorted by more than 1,000 keys")) }
        var request = self
        request.query.order.append(SortKey(found.path, direction, nils: nils, comparing: comparing))
        return request
    }

    func failing(_ failure: QueryFailure) -> Request {
        var request = self
        request.failure = self.failure ?? failure
        return request
    }
}
