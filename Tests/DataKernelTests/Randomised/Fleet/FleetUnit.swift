@testable import DataKernel

/// Random operations in one unit, each done to the context and to the naive model.
final class FleetUnit {
    let world: FleetWorld
    let storage: SQLiteStorage
    let context: any Context
    let save: Save
    let level: Int
    var held: [Ref: any FleetEntity] = [:]

    init(
        _ world: FleetWorld, _ storage: SQLiteStorage, _ context: any Context, _ save: @escaping Save, level: Int
    ) {
        self.world = world
        self.storage = storage
        self.context = context
        self.save = save
        self.level = level
    }

    /// What this unit sees.
    var view: Fleet {
        get { world.views[level] }
        set { world.views[level] = newValue }
    }
    /// What it began with, or saved last.
    var base: Fleet { level == 0 ? world.committed : world.views[level - 1] }

    func below(_ count: Int) -> Int { world.below(count) }
    func note(_ text: String) { world.note("  " + String(repeating: "  ", count: level) + text) }

    func run() throws {
        // The first read of a block brings what others saved.
        _ = try context.count(Request<Port>())
        try checkHeld(everything: false)
        for _ in 0..<(1 + below(10)) {
            world.step += 1
            try operation()
            try checkHeld(everything: false)
        }
        if below(3) == 0 { try checkAll() }
    }

    private func operation() throws {
        switch below(40) {
        case 0...4: try create()
        case 5: try createByKey()
        case 6...7: try createDetached()
        case 8...12: try setToOne()
        case 13...19: try changeToMany()
        case 20...21: try edit()
        case 22: try swap()
        case 23...24: try removeObjects()
        case 25: try removeAndMoveAway()
        case 26: try removeByRequest()
        case 27: if below(6) == 0 { try wipe() }
        case 28...30: try saveNow()
        case 31: if below(2) == 0 { try undo() }
        case 32...33: try nested()
        case 34: try fetch()
        case 35: dropSome()
        case 36: try letGo()
        case 37: try saveDuplicate()
        case 38: try saveIncomplete()
        default: try misuse()
        }
    }

    // MARK: Objects

    /// In order: a seed is to do the same in every process, and a dictionary's order differs from one to the next.
    private func dropSome() {
        for ref in held.keys.sorted() where below(3) == 0 { held[ref] = nil }
    }

    /// The object of a row of the view: one that is held, or found in one of several ways.
    func object(_ ref: Ref) throws -> any FleetEntity {
        if let object = held[ref], below(4) != 0 || view.isIncomplete(ref) { return object }
        let object = try find(ref, ref.kind.type)
        if let other = held[ref] { try agree(other === object, "\(ref) has two instances") }
        if below(2) == 0 { held[ref] = object }
        return object
    }

    private func find<E: FleetEntity>(_ ref: Ref, _ type: E.Type) throws -> any FleetEntity {
        guard let thing = view.things[ref] else { throw Disagreement(description: "\(ref) is not in the model") }
        let found: E?
        switch below(3) {
        case 0: found = try context.object(with: ObjectID(entityName: E.entity.name, row: ref.row), as: type)
        case 1: found = try context.first(Request<E>().filter("name", equalTo: thing.name))
        default:
            let objects = try context.fetch(Request<E>())
            let missing = Set(view.incomplete)
            let wanted = view.refs(ref.kind).filter { !missing.contains($0) }
            try agree(objects.map(\.ref) == wanted, "fetched \(objects.map(\.ref)), not \(wanted)")
            found = objects.first { $0.objectID.row == ref.row }
        }
        guard let found, found.objectID.row == ref.row else {
            throw Disagreement(description: "\(ref) is not found")
        }
        return found
    }

    func anyRef(_ kind: Kind) -> Ref? { world.pick(view.refs(kind)) }
    func anyRef() -> Ref? { world.pick(view.things.keys.sorted()) }

    func take(_ object: some FleetEntity, _ kind: Kind) throws -> Ref {
        let ref = Ref(kind: kind, row: object.objectID.row)
        try world.noteCreated(ref)
        view.things[ref] = Thing(name: object.name, size: object.size)
        return ref
    }

    // MARK: Creating

    private func create() throws {
        guard let kind = creatable() else { return }
        let ref = try create(kind.type)
        try complete(ref)
    }

    /// A kind of which there is what it must have, and not too many.
    func creatable() -> Kind? {
        let kinds = Kind.allCases.filter { kind in
            view.refs(kind).count < 20
                && kind.relations.allSatisfy { !$0.isRequired || !view.refs($0.target).isEmpty }
        }
        return world.pick(kinds)
    }

    func create<E: FleetEntity>(_ type: E.Type) throws -> Ref {
        let object = try context.create(type)
        object.name = world.freshName()
        object.size = below(5)
        let ref = try take(object, E.kind)
        note("create \(ref)")
        held[ref] = object
        return ref
    }

    /// Gives a new object what it must have.
    func complete(_ ref: Ref) throws {
        for relation in ref.kind.relations where relation.isRequired && view.end(ref, relation).isEmpty {
            guard let target = anyRef(relation.target) else { continue }
            try set(ref, relation, [target.row])
        }
        if below(3) == 0 { held[ref] = nil }
    }

    private func createByKey() throws {
        guard let kind = creatable() else { return }
        try acquire(kind.type)
    }

    private func acquire<E: FleetEntity>(_ type: E.Type) throws {
        let old = anyRef(E.kind)
        let names = [world.freshName(), old.flatMap { view.things[$0]?.name }].compactMap { $0 }
        let objects = try context.acquire(type, all: names)
        let ref = try take(objects[0], E.kind)
        note("acquire \(ref) and \(old.map { "\($0)" } ?? "nothing")")
        try agree(old.map { $0.row == objects[1].objectID.row } ?? true, "acquired another than \(names)")
        held[ref] = objects[0]
        try complete(ref)
    }

    // MARK: Values

    private func edit() throws {
        guard let ref = anyRef() else { return }
        let object = try object(ref)
        if below(2) == 0 {
            object.size = below(5)
        } else {
            object.name = world.freshName()
        }
        note("\(ref) is \(object.name), \(object.size)")
        view.things[ref]?.name = object.name
        view.things[ref]?.size = object.size
    }

    private func swap() throws {
        guard let left = anyRef(), let right = anyRef(left.kind), left != right else { return }
        let (first, second) = (try object(left), try object(right))
        note("\(left) and \(right) swap names")
        (first.name, second.name) = (second.name, first.name)
        view.things[left]?.name = first.name
        view.things[right]?.name = second.name
    }

    // MARK: Saving and undoing

    private func saveNow() throws {
        try settleDenials()
        note("save")
        try save()
        try noteSaved()
    }

    func noteSaved() throws {
        view.wiped = []
        // What the model notes besides (what has no place yet, denials) is nothing to save.
        let isNew = view.things != world.committed.things
        view.denials = []
        world.committed = view
        for index in world.views.indices { world.views[index] = view }
        try agree(!context.hasChanges, "changes after a save")
        try world.checkFile()
        // Nothing is begun yet: another storage can write. (A save of nothing leaves the transaction open.)
        if isNew, below(6) == 0, storage === world.storages[0] {
            note("another storage, between")
            try world.ephemeral(true)
            for index in world.views.indices { world.views[index] = world.committed }
            _ = try context.count(Request<Port>())
            note("and on")
        }
        if below(4) == 0 { try checkAll() }
    }

    func undo() throws {
        note("rollback")
        try context.rollback()
        view = base
        try agree(!context.hasChanges, "changes after a rollback")
        // Brings what others saved.
        _ = try context.count(Request<Port>())
        for (ref, object) in held where view.things[ref] == nil {
            try agree(object.isDeleted || object.objectID.row == 0, "\(ref) is there after a rollback")
            held[ref] = nil
        }
        if below(2) == 0 { try checkAll() }
    }

    private func nested() throws {
        guard level < 2 else { return }
        note("nested")
        world.views.append(view)
        nonisolated(unsafe) let this = self
        do {
            if below(3) == 0 {
                try storage.perform(ephemeral: below(2) == 0) { try this.run($0, $1) }
            } else {
                try context.perform { try this.run($0, $1) }
            }
        } catch is Mishap {
            note("nested threw")
        }
        note("end of nested")
        world.views.removeLast()
        try checkAll()
    }

    private func run(_ child: any Context, _ save: Save) throws {
        try withoutActuallyEscaping(save) { save in
            try FleetUnit(world, storage, child, save, level: level + 1).run()
            if below(4) == 0 { throw Mishap() }
        }
    }

    /// What is loaded of relationships may go at any time.
    private func letGo() throws {
        guard let core = context as? ContextCore else { return }
        note("forget")
        let garbage = core.forgetRelationships()
        withExtendedLifetime(garbage) {}
    }
}
