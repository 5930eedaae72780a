// Requests of thousands of conditions, as programs make them in loops.
extension Query {
    /// Whether there are so many conditions that it pays to look through them.
    package var isLarge: Bool { predicate.map { $0.weight > 500 } ?? false }

    /// The same query: conditions that compare one attribute with one value each have become one list, which finds by an
    /// index and is one argument, however many there are.
    ///
    /// ```sql
    /// "model" = ? OR "model" = ? OR …          -- "model" IN (SELECT value FROM kernel_values(?))
    /// "model" IS NOT ? AND "model" IS NOT ? …  -- ("model" IN (…)) IS NOT TRUE
    /// ```
    package var gathered: Query {
        var query = self
        query.predicate = predicate?.gathered
        return query
    }
}

extension QueryPredicate {
    fileprivate var gathered: QueryPredicate {
        switch self {
        case .junction(let junction): junction.gathered
        case .not(let inner): inner.gathered.negated
        case .any(let path, let inner): .any(path, inner?.gathered)
        default: self
        }
    }

    /// Whether the condition compares an attribute with one value, as terms of that junction can be gathered.
    fileprivate func value(for kind: Junction.Kind) -> (path: AttributePath, value: StoredValue)? {
        guard case .compare(let path, let comparison, let value, .exact) = self, !value.isNull,
            comparison == (kind == .or ? .equal : .notEqual)
        else { return nil }
        return (path, value)
    }
}

extension Junction {
    fileprivate var gathered: QueryPredicate {
        var values: [AttributePath: [StoredValue]] = [:]
        var paths: [AttributePath] = []
        var result: QueryPredicate?
        func add(_ term: QueryPredicate) { result = result.map { Junction.join(kind, $0, term) } ?? term }
        forEachTerm { term in
            guard let (path, value) = term.value(for: kind) else { return add(term.gathered) }
            if values[path]?.append(value) == nil {
                values[path] = [value]
                paths.append(path)
            }
        }
        for path in paths {
            let list = QueryPredicate.oneOf(path, values[path] ?? [], .exact)
            add(kind == .or ? list : list.negated)
        }
        // There are no junctions without terms.
        return result ?? .junction(self)
    }
}
