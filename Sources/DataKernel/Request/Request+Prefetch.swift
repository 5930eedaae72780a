internal import KernelSQL

extension Request {
    /// Loads relationships together with the objects, in one query each, and in place of the query that the first touch
    /// of one would make.
    ///
    /// ```swift
    /// let cars = try context.fetch(Request<Car>().prefetch(\.owner.address, \.wheels))
    /// ```
    ///
    /// What a later call names is added. `count`, `exists` and `remove` load nothing, so they take no notice of it.
    public func prefetch(_ relationships: PartialKeyPath<Relations<E>>...) -> Request {
        var request = self
        for path in relationships {
            // `\.self` leads to no relationship.
            let end = Relations<E>(.success([]))[keyPath: path] as? any RelationTrail
            switch end?.way ?? .failure(BrokenStep(path)) {
            case .success(let way) where !way.isEmpty: request.add(prefetch: way)
            case .success: return request.failing(Lookup.noRelationship(BrokenStep(path)))
            case .failure(let step): return request.failing(Lookup.noRelationship(step))
            }
        }
        return request
    }

    /// Loads the relationships of these names together with the objects. Dots lead on.
    ///
    /// ```swift
    /// Request<Car>().prefetch("owner.address", "wheels")
    /// ```
    public func prefetch(_ names: String...) -> Request {
        var request = self
        for name in names {
            switch Lookup.relationships(name, in: E.entity) {
            case .success(let way): request.add(prefetch: way)
            case .failure(let failure): return request.failing(failure)
            }
        }
        return request
    }

    private mutating func add(prefetch way: [Int]) {
        if prefetches.contains(where: { $0.starts(with: way) }) { return }
        if way.count > QueryFailure.farthest { failure = failure ?? .tooFar }
        // Each is a query of its own at least, and is compared with those before it.
        if prefetches.count == 1_000 { failure = failure ?? .invalid("it prefetches more than 1,000 relationships") }
        if failure != nil { return }
        prefetches = prefetches.filter { !way.starts(with: $0) }
        prefetches.append(way)
    }
}

extension Lookup {
    /// The relationships that names with dots between them lead through, to-many ones among them.
    fileprivate static func relationships(
        _ name: String, in root: EntityDescription
    ) -> Result<[Int], QueryFailure> {
        var entity = root
        var way: [Int] = []
        // Names may hold dots themselves, so the whole is looked for first.
        if let whole = root.relationship(named: name) { return .success([whole]) }
        let steps: [String]
        switch self.steps(name) {
        case .success(let found): steps = found
        case .failure(let failure): return .failure(failure)
        }
        for step in steps {
            guard let index = entity.relationship(named: step) else {
                if entity.position(of: step) == nil { return .failure(.unknownStep(step, in: entity)) }
                return .failure(
                    .invalid("\(step.shown) is an attribute of \(entity.name); only relationships are prefetched"))
            }
            way.append(index)
            entity = entity.relationships[index].target()
        }
        return .success(way)
    }
}
