@testable import DataKernel

// Relationships, from both ends.
extension FleetUnit {
    /// Sets a relation of an object, as it is to be from now on.
    func set(_ ref: Ref, _ relation: Relation, _ rows: [Int64]) throws {
        let targets = try rows.map { try self.object(Ref(kind: relation.target, row: $0)) }
        let object = try object(ref)
        note("\(ref).\(relation.name) = \(rows)")
        let isAsShown = relation.isOrdered && relation.get(object).map(\.objectID.row) == rows
        relation.set(object, targets)
        // An order that is set as it is shown is no change, and gives nothing a place.
        if isAsShown {
            try agree(view.allows(rows, ref, relation), "\(ref).\(relation.name) shows \(rows)")
        } else {
            view.set(ref, relation, rows)
        }
    }

    func setToOne() throws {
        guard let ref = anyRef(), let relation = world.pick(ref.kind.relations.filter { !$0.isToMany }) else { return }
        if !relation.isRequired, below(4) == 0 { return try set(ref, relation, []) }
        guard let target = anyRef(relation.target) else { return }
        try set(ref, relation, [target.row])
    }

    func changeToMany() throws {
        guard let ref = anyRef(), let relation = world.pick(ref.kind.relations.filter(\.isToMany)) else { return }
        let object = try object(ref)
        let old = relation.get(object).map(\.objectID.row)
        try agree(view.allows(old, ref, relation), "\(ref).\(relation.name) shows \(old)")
        let others = view.refs(relation.target).map(\.row).filter { !old.contains($0) }
        var new = old
        switch below(6) {
        case 0...1: if let row = world.pick(others) { new.append(row) }
        case 2: if let row = world.pick(others) { new.insert(row, at: below(new.count + 1)) }
        case 3: new.shuffle(using: &world.random)
        case 4: if !new.isEmpty { new.remove(at: below(new.count)) }
        default: new = (old + others).filter { _ in below(3) == 0 }.shuffled(using: &world.random)
        }
        // Who cannot be without it is not let go.
        if relation.back?.isRequired == true { new += old.filter { !new.contains($0) } }
        try set(ref, relation, new)
    }

    /// Objects that know one another before a context knows them.
    func createDetached() throws {
        var objects: [Ref: any FleetEntity] = [:]
        for number in 1...(2 + below(3)) {
            guard let kind = creatable() else { break }
            let object = kind.type.init()
            object.name = world.freshName()
            let ref = Ref(kind: kind, row: Int64(-number))
            objects[ref] = object
            view.things[ref] = Thing(name: object.name)
        }
        let refs = objects.keys.sorted()
        note("detached \(refs)")
        for _ in 0..<below(8) { try linkDetached(refs, objects) }
        for ref in refs { try checkDetached(ref, objects) }
        guard let first = world.pick(refs), let root = objects[first] else { return }
        try context.insert(root)
        for ref in refs {
            guard let object = objects[ref] else { continue }
            if below(2) == 0 { try context.insert(object) }
        }
        for object in refs.compactMap({ objects[$0] }) { try context.insert(object) }
        var names: [Ref: Ref] = [:]
        for ref in refs {
            guard let object = objects[ref] else { continue }
            let new = Ref(kind: ref.kind, row: object.objectID.row)
            try world.noteCreated(new)
            try agree(object.isInserted, "\(ref) is not inserted")
            names[ref] = new
            held[new] = object
        }
        note("are \(names)")
        view.rename(names)
        for ref in names.values.sorted() { try complete(ref) }
    }

    private func linkDetached(_ refs: [Ref], _ objects: [Ref: any FleetEntity]) throws {
        guard let ref = world.pick(refs), let relation = world.pick(ref.kind.relations), let object = objects[ref]
        else { return }
        let others = refs.filter { $0.kind == relation.target }
        var rows = others.filter { _ in below(2) == 0 }.map(\.row).shuffled(using: &world.random)
        if !relation.isToMany { rows = Array(rows.prefix(1)) }
        if relation.isRequired, rows.isEmpty { return }
        note("\(ref).\(relation.name) = \(rows)")
        relation.set(object, rows.compactMap { objects[Ref(kind: relation.target, row: $0)] })
        view.set(ref, relation, rows)
    }

    private func checkDetached(_ ref: Ref, _ objects: [Ref: any FleetEntity]) throws {
        guard let object = objects[ref] else { return }
        for relation in ref.kind.relations where !relation.isRequired {
            let wanted = view.end(ref, relation).compactMap { objects[Ref(kind: relation.target, row: $0)] }
            let found = relation.get(object)
            let isRight = wanted.count == found.count && wanted.allSatisfy { one in found.contains { $0 === one } }
            try agree(isRight, "detached \(ref).\(relation.name) has \(found.count), not \(wanted.count)")
        }
    }
}
