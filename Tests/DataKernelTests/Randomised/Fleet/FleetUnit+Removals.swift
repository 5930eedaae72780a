@testable import DataKernel

// Removing, and saves that are denied.
extension FleetUnit {
    private func flush() throws { _ = try context.count(Request<Port>()) }

    func removeObjects() throws {
        let refs = Set((0..<(1 + below(2))).compactMap { _ in anyRef() }).sorted()
        let objects = try refs.map { try object($0) }
        note("remove \(refs)")
        for object in objects { try context.remove(object) }
        view.remove(refs)
        // What else is done before it is carried out has nothing to do with it.
        if below(3) == 0, let kind = creatable() { try complete(try create(kind.type)) }
        try flush()
    }

    /// What is moved away before the removal is carried out does not go with it.
    func removeAndMoveAway() throws {
        let kinds: [(Kind, String)] = [(.port, "children"), (.ship, "crates"), (.ship, "mothers"), (.port, "natives")]
        guard let (kind, name) = world.pick(kinds), let ref = anyRef(kind),
            let relation = kind.relations.first(where: { $0.name == name }), let back = relation.back
        else { return }
        let moved = view.shown(ref, relation).filter { _ in below(2) == 0 }.map {
            Ref(kind: relation.target, row: $0)
        }.filter { $0 != ref }
        let others = view.refs(kind).filter { $0 != ref }
        guard let other = world.pick(others) else { return }
        let removed = try object(ref)
        let target = try object(other)
        let objects = try moved.map { try object($0) }
        note("remove \(ref), and move \(moved) to \(other)")
        let isFirst = below(2) == 0
        if isFirst { try context.remove(removed) }
        for (ref, object) in zip(moved, objects) {
            back.set(object, [target])
            view.set(ref, back, [other.row])
        }
        if !isFirst { try context.remove(removed) }
        view.remove([ref])
        try flush()
    }

    func removeByRequest() throws {
        guard let kind = world.pick(Kind.allCases) else { return }
        try removeByRequest(kind.type)
    }

    private func removeByRequest<E: FleetEntity>(_ type: E.Type) throws {
        let size = below(5)
        let refs = view.refs(E.kind).filter { view.things[$0]?.size == size }
        note("remove by request \(refs)")
        let count = try context.remove(Request<E>().filter("size", equalTo: size))
        try agree(count == refs.count, "removed \(count), not \(refs)")
        view.remove(refs)
    }

    func wipe() throws {
        guard let kind = world.pick(Kind.allCases) else { return }
        note("wipe \(kind)")
        let count = try context.wipe(kind.type)
        try agree(count == view.refs(kind).count, "wiped \(count)")
        view.remove(view.refs(kind))
        view.wiped.insert(kind)
    }

    // MARK: Saves that are denied

    /// A denied save keeps everything pending; it is mended, and goes on.
    func settleDenials() throws {
        var tries = 0
        while view.isDenied {
            note("denied: \(view.dangling.map { "\($0.0).\($0.1.name) \($0.2)" }) \(view.denials)")
            do {
                try save()
                throw Disagreement(description: "a denied save went through")
            } catch let error as KernelError {
                guard case .deleteDenied = error else { throw error }
            }
            try checkHeld(everything: below(4) == 0)
            tries += 1
            if tries > 6 || below(4) == 0 {
                try undo()
                if view.isDenied { return try leaveDenied() }
            } else {
                try mend()
            }
        }
    }

    /// What a unit around this one did cannot be undone here: removing the holders can.
    private func leaveDenied() throws {
        while view.isDenied {
            let holders = view.dangling.map(\.0) + view.denials.map(\.holder).filter { view.things[$0] != nil }
            try remove(holders)
        }
    }

    private func remove(_ refs: [Ref]) throws {
        note("remove \(refs)")
        let objects = try Set(refs).sorted().filter { view.things[$0] != nil }.map { try object($0) }
        for object in objects { try context.remove(object) }
        view.remove(refs)
        try flush()
    }

    private func mend() throws {
        let holders = view.denials.map(\.holder).filter { view.things[$0] != nil }
        if !holders.isEmpty { return try remove(holders) }
        for (ref, relation, _) in view.dangling {
            let target = anyRef(relation.target)
            if relation.isRequired, target == nil {
                return try remove([ref])
            } else if let target, relation.isRequired || below(2) == 0 {
                try set(ref, relation, [target.row])
            } else {
                try set(ref, relation, [])
            }
        }
    }
}
