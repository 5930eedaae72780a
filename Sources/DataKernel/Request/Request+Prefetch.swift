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
            let end = Relations<E>([])[keyPath: path] as? any RelationTrail
            guard let way = end?.way, !way.isEmpty else { return failing(Lookup.noRelationship) }
            request.add(prefetch: way)
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
        let steps = root.relationship(named: name) == nil ? name.parts(separatedBy: ".") : [name]
        for step in steps where !step.isEmpty {
            guard let index = entity.relationship(named: step) else {
                if entity.position(of: step) == nil { return .failure(.unknownStep(step, in: entity)) }
                return .failure(
                    .invalid("\(step) is an attribute of \(entity.name); only relationships are prefetched"))
            }
            way.append(index)
            entity = entity.relationships[index].target()
        }
        return way.isEmpty ? .failure(.unknownStep(name, in: root)) : .success(way)
    }
}
