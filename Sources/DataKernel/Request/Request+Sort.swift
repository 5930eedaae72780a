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
        guard let position = E.entity.position(of: attribute) else { return failing(Lookup.notAnAttribute) }
        return sorted(position, direction, nils, comparing)
    }

    /// In the order of the attribute of this name: see ``sort(_:_:nils:comparing:)``.
    ///
    /// ```swift
    /// Request<Car>().sort("model", ascending: true)
    /// ```
    public func sort(
        _ attribute: String, ascending: Bool = true, nils: NilPlacement? = nil, comparing: TextComparison = .exact
    ) -> Request {
        guard let position = E.entity.position(of: attribute) else { return failing(.unknownAttribute(attribute)) }
        return sorted(position, ascending ? .ascending : .descending, nils, comparing)
    }

    private func sorted(
        _ position: Int, _ direction: SortDirection, _ nils: NilPlacement?, _ comparing: TextComparison
    ) -> Request {
        let attribute = E.entity.attributes[position]
        do {
            try attribute.requireOrder()
            if comparing == .insensitive { try attribute.requireText() }
        } catch {
            return failing(error.failure)
        }
        var request = self
        request.order.append(SortKey(AttributePath(position), direction, nils: nils, comparing: comparing))
        return request
    }

    private func failing(_ failure: QueryFailure) -> Request {
        var request = self
        request.failure = self.failure ?? failure
        return request
    }
}
