@testable import DataKernel
import Foundation
import KernelSQL
import KernelSQLite

/// Two storages on one file, the naive model of it, and what is random.
final class FleetWorld {
    let storages: [SQLiteStorage]
    private let folder: Folder
    private let reader: Connection
    var random: SeededGenerator
    var committed = Fleet()
    /// What each open unit sees, outermost first.
    var views: [Fleet] = []
    var step = 0
    private(set) var log: [String] = []
    private let isLoud = ProcessInfo.processInfo.environment["DATAKERNEL_LOG"] != nil
    private var fresh = 0
    private var usedRows: Set<Ref> = []
    private var pending = Pending()

    /// What the save context was left with: what the store had then, what the context sees, and the objects held.
    struct Pending {
        var base = Fleet()
        var view = Fleet()
        var held: [Ref: any FleetEntity] = [:]
    }

    init(seed: UInt64) throws {
        folder = try Folder()
        let file = folder.file()
        storages = try (0..<2).map { _ in
            try SQLiteStorage(
                store: .url(file), model: Kind.allCases.map(\.type), options: StorageOptions(durability: .normal))
        }
        reader = try Connection(path: file.path, role: .reader)
        random = SeededGenerator(seed: seed)
    }

    deinit { reader.close() }

    func below(_ count: Int) -> Int { random.below(count) }

    func note(_ text: String) {
        if isLoud { print(text) }
        log.append(text)
    }

    func freshName() -> String {
        fresh += 1
        return "N\(fresh)"
    }

    func noteCreated(_ ref: Ref) throws {
        try agree(usedRows.insert(ref).inserted, "\(ref) was given out twice")
    }

    func pick<T>(_ list: [T]) -> T? { list.isEmpty ? nil : list[below(list.count)] }

    // MARK: Units

    /// One unit of work: of its own, of the save context, or of the other storage. Returns whether it was the latter.
    func unit() throws -> Bool {
        let isOther = below(6) == 0
        if isOther || below(3) != 0 { try ephemeral(isOther) } else { try long() }
        return isOther
    }

    func ephemeral(_ isOther: Bool) throws {
        note("step \(step): unit of storage \(isOther ? 1 : 0)")
        let outer = views
        views = [committed]
        _ = try run(storages[isOther ? 1 : 0], ephemeral: true, [:])
        views = outer
    }

    private func long() throws {
        note("step \(step): unit of the save context")
        let isConflict = rebase()
        views = [pending.view]
        let held = try run(storages[0], ephemeral: false, pending.held, undoing: isConflict)
        pending = Pending(base: committed, view: views[0], held: held)
        views = []
    }

    /// What the save context has pending on top of what others saved since. Returns whether the two concern the same
    /// objects: then the program, not the model, decides what becomes of it.
    private func rebase() -> Bool {
        let own = pending.view.concerned(since: pending.base)
        let others = committed.concerned(since: pending.base)
        guard own.isDisjoint(with: others), !others.contains(where: { pending.view.wiped.contains($0.kind) }) else {
            return true
        }
        let old = pending.view
        pending.view = committed
        for ref in own { pending.view.things[ref] = old.things[ref] }
        pending.view.loose = committed.loose.filter { !own.contains($0.key.ref) }
        for (place, rows) in old.loose where own.contains(place.ref) { pending.view.loose[place] = rows }
        pending.view.denials = old.denials
        pending.view.wiped = old.wiped
        pending.base = committed
        return false
    }

    private func run(
        _ storage: SQLiteStorage, ephemeral: Bool, _ held: [Ref: any FleetEntity], undoing: Bool = false
    ) throws -> [Ref: any FleetEntity] {
        nonisolated(unsafe) let world = self
        nonisolated(unsafe) var left: [Ref: any FleetEntity] = [:]
        nonisolated(unsafe) let held = held
        do {
            try storage.perform(ephemeral: ephemeral) { context, save in
                try withoutActuallyEscaping(save) { save in
                    let unit = FleetUnit(world, storage, context, save, level: 0)
                    unit.held = held
                    if undoing { try unit.undo() }
                    try unit.run()
                    if !ephemeral { left = unit.held }
                }
                if world.below(8) == 0 { throw Mishap() }
            }
        } catch is Mishap {
            note("  thrown")
            views[0] = committed
            left = left.filter { committed.things[$0.key] != nil }
        }
        return left
    }

    // MARK: What the file says

    /// The store as raw SQL shows it, through a connection of its own, against the model.
    func checkFile() throws {
        let faults = try faults()
        try agree(faults == [], "integrity: \(faults)")
        for kind in Kind.allCases {
            var things: [Int64: Thing] = [:]
            try reader.rows(SQLText("SELECT _id, name, size FROM \"\(kind.table)\"")) { _ in
            } each: { row in
                row.base = 0
                things[try row.integer(0)] = Thing(name: try row.text(1), size: Int(try row.integer(2)))
            }
            let wanted = committed.refs(kind)
            try agree(things.keys.sorted() == wanted.map(\.row), "the file has \(kind) \(things.keys.sorted())")
            for ref in wanted {
                let (found, thing) = (things[ref.row], committed.things[ref])
                try agree(found?.name == thing?.name && found?.size == thing?.size, "the file has \(ref) other")
            }
            for relation in kind.relations { try checkPairs(kind, relation) }
        }
    }

    private func checkPairs(_ kind: Kind, _ relation: Relation) throws {
        guard let sql = relation.sql else { return }
        var found: [Int64: [Int64]] = [:]
        try reader.rows(SQLText(sql)) { _ in
        } each: { row in
            row.base = 0
            found[try row.integer(0), default: []].append(try row.integer(1))
        }
        for ref in committed.refs(kind) {
            let rows = found.removeValue(forKey: ref.row) ?? []
            try agree(
                committed.allows(rows, ref, relation),
                "the file has \(ref).\(relation.name) \(rows), not \(committed.shown(ref, relation))")
        }
        try agree(found.isEmpty, "the file has \(kind).\(relation.name) of \(found)")
    }

    private func faults() throws -> [String] {
        var answers: [String] = []
        for pragma in ["integrity_check", "foreign_key_check"] {
            try reader.rows(SQLText("PRAGMA \(pragma)")) { _ in
            } each: { row in
                row.base = 0
                answers.append("\(pragma): \(try row.text(0))")
            }
        }
        return answers.filter { $0 != "integrity_check: ok" }
    }
}

extension Fleet {
    /// Objects that changed, and those that changed ones refer to without their knowledge.
    func concerned(since old: Fleet) -> Set<Ref> {
        var found = differences(from: old)
        for ref in found {
            for relation in ref.kind.relations where relation.inverse == nil {
                for row in end(ref, relation) + old.end(ref, relation) {
                    found.insert(Ref(kind: relation.target, row: row))
                }
            }
        }
        return found
    }
}
