@testable import DataKernel

/// The main actor's context, which holds objects over many units and is to show what was saved, both ends included.
@MainActor
final class FleetObserver {
    private let storage: SQLiteStorage
    private var held: [Ref: any FleetEntity] = [:]

    init(_ storage: SQLiteStorage) { self.storage = storage }

    /// What another storage saved is seen with the next read.
    func check(_ world: FleetWorld, _ isOther: Bool) throws {
        let place = "ui after step \(world.step)"
        if isOther { _ = try storage.uiContext.count(Request<Port>()) }
        for (ref, object) in held.sorted(by: { $0.key < $1.key }) {
            try agree(object.isDeleted == (world.committed.things[ref] == nil), "\(place): \(ref) isDeleted")
            if object.isDeleted {
                held[ref] = nil
                try agree(ref.kind.relations.allSatisfy { $0.get(object).isEmpty }, "\(place): \(ref) has relations")
            } else {
                try check(object, ref, world, place)
            }
        }
        if world.below(3) == 0, let kind = world.pick(Kind.allCases) { try fetch(kind.type, world, place) }
        for ref in held.keys.sorted() where world.below(20) == 0 { held[ref] = nil }
    }

    private func check(_ object: any FleetEntity, _ ref: Ref, _ world: FleetWorld, _ place: String) throws {
        try world.committed.check(object, ref, place) { world.below(2) == 0 }
        for relation in ref.kind.relations where world.below(6) == 0 {
            for other in relation.get(object) {
                let its = Ref(kind: relation.target, row: other.objectID.row)
                try agree(held[its].map { $0 === other } ?? true, "\(place): a second instance of \(its)")
                if world.below(8) == 0 { held[its] = other }
            }
        }
    }

    private func fetch<E: FleetEntity>(_ type: E.Type, _ world: FleetWorld, _ place: String) throws {
        let objects = try storage.uiContext.fetch(Request<E>())
        let refs = objects.map { Ref(kind: E.kind, row: $0.objectID.row) }
        try agree(refs == world.committed.refs(E.kind), "\(place): fetched \(refs)")
        for (ref, object) in zip(refs, objects) {
            try agree(held[ref].map { $0 === object } ?? true, "\(place): a second instance of \(ref)")
            if world.below(3) == 0 { held[ref] = object }
        }
    }
}

extension Fleet {
    /// Compares an object with the model: its values, and those relations that `touches` says yes to.
    func check(_ object: any FleetEntity, _ ref: Ref, _ place: String, _ touches: () -> Bool) throws {
        guard let thing = things[ref] else { throw Disagreement(description: "\(place): \(ref) is not in the model") }
        try agree(object.objectID.row == ref.row, "\(place): \(ref) is row \(object.objectID.row)")
        try agree(
            object.name == thing.name && object.size == thing.size,
            "\(place): \(ref) shows \(object.name) \(object.size), not \(thing.name) \(thing.size)")
        for relation in ref.kind.relations where touches() {
            let rows = relation.get(object).map(\.objectID.row)
            try agree(
                allows(rows, ref, relation),
                "\(place): \(ref).\(relation.name) shows \(rows), not \(shown(ref, relation)), "
                    + "loose \(loose[Place(ref: ref, relation: relation.name)] ?? [])")
        }
    }
}
