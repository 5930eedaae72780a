import DataKernel
import Observation

/// What a hook may try.
enum HookCall: String, CaseIterable {
    case fetch, count, values, forEach, objectWithID, refresh, readToOne, readToMany, acquireKnown
    case create, insert, acquireNew, remove, removeRequest, wipe, setToOne, setToMany
    case setAttribute
    case save, rollback, contextPerform, storagePerform, wipeStore, restoreStore
    case storageRead

    enum Kind { case reads, changes, writesAttribute, ends, readsElsewhere }

    var kind: Kind {
        switch self {
        case .fetch, .count, .values, .forEach, .objectWithID, .refresh, .readToOne, .readToMany, .acquireKnown: .reads
        case .create, .insert, .acquireNew, .remove, .removeRequest, .wipe, .setToOne, .setToMany: .changes
        case .setAttribute: .writesAttribute
        case .save, .rollback, .contextPerform, .storagePerform, .wipeStore, .restoreStore: .ends
        case .storageRead: .readsElsewhere
        }
    }

    /// Whether what was wrong is thrown by the next call that can.
    var isNoted: Bool { [.readToOne, .readToMany, .setToOne, .setToMany].contains(self) }
}

/// A unit in which a hook does something.
struct HookUnit {
    let storage: SQLiteStorage
    let context: any Context
    let save: Save
    /// Loaded, with relationships that are not.
    let known: HookBox
    let other: HookBox
    let item: Hooked

    func run(_ call: HookCall) throws {
        switch call {
        case .fetch: _ = try context.fetch(Request<HookNote>())
        case .count: _ = try context.count(Request<HookNote>())
        case .values: _ = try context.values(Request<HookNote>(), \.text)
        case .forEach: try context.forEach(Request<HookNote>()) { _ = $0.text }
        case .objectWithID: let _: HookNote? = try context.object(with: ObjectID(entityName: "HookNote", row: 1))
        case .refresh: try context.refresh(known)
        case .readToOne: _ = item.box?.name
        case .readToMany: _ = other.items.count
        case .acquireKnown: _ = try context.acquire(HookNote.self, "note 1")
        case .create: try context.create(HookNote.self).text = "created"
        case .insert: try context.insert(HookNote())
        case .acquireNew: _ = try context.acquire(HookNote.self, "acquired")
        case .remove: try context.remove(other)
        case .removeRequest: try context.remove(Request<HookNote>().filter(\.text == "note 1"))
        case .wipe: try context.wipe(HookNote.self)
        case .setToOne: item.box = known
        case .setToMany: known.items = []
        case .setAttribute: known.count += 1
        case .save: try save()
        case .rollback: try context.rollback()
        case .contextPerform: try context.perform { child, _ in _ = try child.count(Request<HookNote>()) }
        case .storagePerform:
            try storage.perform(ephemeral: true) { child, _ in _ = try child.count(Request<HookNote>()) }
        case .wipeStore: try storage.wipeStore()
        case .restoreStore: try storage.restoreStore()
        case .storageRead: try storage.read { _ = try $0.count(Request<HookNote>()) }
        }
    }
}
