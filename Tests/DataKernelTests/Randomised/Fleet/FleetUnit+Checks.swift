@testable import DataKernel

// Comparing with the model, and what goes wrong on purpose.
extension FleetUnit {
    /// All held objects, and some or all of their relations.
    func checkHeld(everything: Bool) throws {
        let chance = everything ? 1 : [1, 3, 10, 1000][below(4)]
        for (ref, object) in held.sorted(by: { $0.key < $1.key }) {
            let place = "level \(level)"
            guard view.things[ref] != nil else {
                try agree(object.isDeleted, "\(place): \(ref) is gone and its object not marked")
                try agree(ref.kind.relations.allSatisfy { $0.get(object).isEmpty }, "\(place): \(ref) has relations")
                continue
            }
            try agree(!object.isDeleted, "\(place): \(ref) is there and its object marked deleted")
            try view.check(object, ref, place) { below(chance) == 0 }
        }
        let inserted = Set(view.things.keys).subtracting(base.things.keys)
        let found = context.insertedObjects.compactMap { ($0 as? any FleetEntity)?.ref }
        try agree(Set(found) == inserted && found.count == inserted.count, "inserted \(found), not \(inserted)")
    }

    /// Every object and every relation.
    func checkAll() throws {
        for kind in Kind.allCases.shuffled(using: &world.random) { try checkAll(kind.type) }
        try checkHeld(everything: true)
    }

    private func checkAll<E: FleetEntity>(_ type: E.Type) throws {
        let objects = try context.fetch(Request<E>())
        try agree(objects.map(\.objectID.row) == view.refs(E.kind).map(\.row), "fetched other \(E.kind)s")
        for object in objects {
            if let other = held[object.ref] { try agree(other === object, "\(object.ref) has two instances") }
            try view.check(object, object.ref, "all of level \(level)") { true }
        }
    }

    func fetch() throws {
        guard let kind = world.pick(Kind.allCases) else { return }
        try fetch(kind.type)
    }

    private func fetch<E: FleetEntity>(_ type: E.Type) throws {
        let size = below(5)
        note("fetch \(E.kind) of \(size)")
        let wanted = view.refs(E.kind).filter { view.things[$0]?.size == size }
        let objects = try context.fetch(Request<E>().filter("size", equalTo: size))
        try agree(objects.map(\.ref) == wanted, "fetched \(objects.map(\.ref)), not \(wanted)")
        for object in objects where below(2) == 0 { held[object.ref] = object }
        if let object = world.pick(objects) { try context.refresh(object) }
    }

    // MARK: What goes wrong

    /// Two objects with one name make the save fail; everything stays pending, is mended, and saved.
    func saveDuplicate() throws {
        try settleDenials()
        guard let left = anyRef(), let right = anyRef(left.kind), left != right else { return }
        let (first, second) = (try object(left), try object(right))
        note("\(left) has the name of \(right)")
        first.name = second.name
        do {
            try save()
            throw Disagreement(description: "a duplicate was not noticed")
        } catch let error as KernelError {
            guard case .uniqueViolation(left.kind.table, ["name"], _) = error else { throw error }
        }
        first.name = world.freshName()
        view.things[left]?.name = first.name
        note("mended")
        try checkHeld(everything: below(3) == 0)
        if below(2) == 0 {
            note("save")
            try save()
            try noteSaved()
        }
    }

    /// A new object that lacks what it must have: it can be related and read, the save fails, and goes when mended.
    func saveIncomplete() throws {
        try settleDenials()
        guard let kind = [Kind.sailor, .crate].first(where: { _ in below(2) == 0 }),
            kind.relations.allSatisfy({ !$0.isRequired || anyRef($0.target) != nil })
        else { return }
        let ref = try create(kind.type)
        for _ in 0..<below(4) { try relate(ref) }
        let object = held.removeValue(forKey: ref)
        if below(2) == 0 { try checkRelated(ref) }
        if below(2) == 0 { try findIncomplete(ref, kind.type, object) }
        do {
            note("save without")
            try save()
            throw Disagreement(description: "a missing relation was not noticed")
        } catch let error as KernelError {
            guard case .missingValue(kind.table, _, _) = error else { throw error }
        }
        if below(2) == 0 { try checkRelated(ref) }
        held[ref] = object
        try complete(ref)
        note("completed")
        try checkHeld(everything: below(2) == 0)
    }

    /// What is not complete is found by its key and its id, and by nothing else.
    private func findIncomplete<E: FleetEntity>(_ ref: Ref, _ type: E.Type, _ object: (any FleetEntity)?) throws {
        guard view.isIncomplete(ref), let thing = view.things[ref] else { return }
        note("acquire without")
        let byKey: E = try context.acquire(thing.name)
        try agree(byKey.ref == ref, "\(thing.name) was not acquired, but \(byKey.ref)")
        let byID = try context.object(with: byKey.objectID, as: type)
        try agree(byID === byKey && (object == nil || object === byKey), "\(ref) has two instances")
        let found = try context.count(Request<E>().filter("name", equalTo: thing.name))
        try agree(found == 0, "\(ref) is in the transaction")
    }

    private func relate(_ ref: Ref) throws {
        guard let relation = world.pick(ref.kind.relations.filter { !$0.isRequired }), let object = held[ref] else {
            return
        }
        let targets = view.refs(relation.target).filter { $0 != ref }
        guard let target = world.pick(targets) else { return }
        let other = try self.object(target)
        if let back = relation.back, below(2) == 0 {
            try relate(other, back, object)
        } else {
            try relate(object, relation, other)
        }
    }

    private func relate(_ object: any FleetEntity, _ relation: Relation, _ other: any FleetEntity) throws {
        var all = relation.isToMany ? relation.get(object) : []
        let rows = all.map(\.objectID.row)
        if relation.isToMany {
            try agree(view.allows(rows, object.ref, relation), "\(object.ref).\(relation.name) shows \(rows)")
        }
        guard !all.contains(where: { $0 === other }) else { return }
        all.insert(other, at: below(all.count + 1))
        note("\(object.ref).\(relation.name) = \(all.map(\.objectID.row))")
        relation.set(object, all)
        view.set(object.ref, relation, all.map(\.objectID.row))
    }

    /// Those that the object is related to show it.
    private func checkRelated(_ ref: Ref) throws {
        for relation in ref.kind.relations {
            guard let back = relation.back else { continue }
            for row in view.shown(ref, relation) {
                let target = Ref(kind: relation.target, row: row)
                guard let object = held[target] else { continue }
                let rows = back.get(object).map(\.objectID.row)
                try agree(
                    view.allows(rows, target, back),
                    "\(target).\(back.name) shows \(rows), not \(view.shown(target, back))")
            }
        }
    }

    /// A removed object cannot be related to: nothing changes, and the next call says so.
    func misuse() throws {
        guard let gone = held.keys.sorted().first(where: { view.things[$0] == nil }), let target = held[gone],
            let ref = anyRef(),
            let relation = ref.kind.relations.first(where: { $0.target == gone.kind })
        else { return }
        let object = try object(ref)
        note("\(ref).\(relation.name) = \(gone), which is removed")
        relation.set(object, [target])
        do {
            _ = try context.count(Request<Port>())
            throw Disagreement(description: "a removed object was taken")
        } catch let error as KernelError {
            guard case .removedObject = error else { throw error }
        }
    }
}

extension FleetEntity {
    var ref: Ref { Ref(kind: Self.kind, row: objectID.row) }
}
