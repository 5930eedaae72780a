import DataKernel
import Foundation
import Observation
import Synchronization
import Testing

@Suite("Calls from inside the program's own code")
struct HookTests {
    enum Outcome { case fine, refused, insideUnit }

    /// The table of the article *Life cycle and validation*.
    static func expected(_ hook: TestedHook, _ call: HookCall) -> Outcome {
        switch (hook, call.kind) {
        case (.initialising, _), (.forEach, _): call == .wipeStore || call == .restoreStore ? .insideUnit : .fine
        case (_, .ends): .refused
        case (.willSave, _), (.awakeFromInsert, _), (.prepareForDeletion, _): .fine
        case (.validate, .changes), (.awakeFromFetch, .changes): .refused
        case (.validate, _), (.awakeFromFetch, _): .fine
        case (_, .writesAttribute): .fine
        default: .refused
        }
    }

    @Test(
        "what a hook may not call throws insideHook and changes nothing; the rest works; the unit goes on either way",
        arguments: TestedHook.allCases, HookCall.allCases)
    func table(_ hook: TestedHook, _ call: HookCall) throws {
        let storage = try HookTests.storage()
        try storage.perform(ephemeral: true) { context, save in
            try withoutActuallyEscaping(save) { save in
                try HookTests.run(call, inside: hook, HookTests.unit(storage, context, save))
            }
        }
        try HookTests.check(storage)
    }

    private static func run(_ call: HookCall, inside hook: TestedHook, _ unit: HookUnit) throws {
        var thrown: (any Error)?
        let inside = Inside(hook) { thrown = caught { try unit.run(call) } }
        let noted = try Inside.$current.withValue(inside) { try provoke(hook, unit, inside) }
        #expect(inside.isDone, "the hook was not called")
        let error = thrown ?? noted
        switch expected(hook, call) {
        case .fine: #expect(error == nil, "\(hook) × \(call)")
        case .insideUnit: #expect(isInsideUnit(error), "\(hook) × \(call): \(String(describing: error))")
        case .refused:
            #expect(isInsideHook(error), "\(hook) × \(call): \(String(describing: error))")
            #expect(call.isNoted == (thrown == nil))
        }
        try goOn(unit)
    }

    // MARK: Calling the hooks

    private static func storage() throws -> SQLiteStorage {
        var options = StorageOptions(durability: .normal)
        options.trace = { _ in Inside.call(.trace) }
        let storage = try SQLiteStorage(
            store: .memory, model: [Hooked.self, HookBox.self, HookNote.self], options: options)
        try storage.perform(ephemeral: true) { context, save in
            for name in ["far", "known", "other"] {
                let box = try context.acquire(HookBox.self, name)
                box.items = [try context.acquire(Hooked.self, "in \(name)")]
            }
            for number in 1...3 { _ = try context.acquire(HookNote.self, "note \(number)") }
            try save()
        }
        return storage
    }

    private static func unit(_ storage: SQLiteStorage, _ context: any Context, _ save: @escaping Save) throws
        -> HookUnit
    {
        let boxes = try context.fetch(Request<HookBox>().filter(\.name != "far").sort(\.name))
        let item = try #require(try context.first(Request<Hooked>().filter(\.name == "in far")))
        return HookUnit(
            storage: storage, context: context, save: save, known: boxes[0], other: boxes[1], item: item)
    }

    /// Makes the kernel call a hook. Returns what the next call threw, where a hook cannot throw.
    private static func provoke(_ hook: TestedHook, _ unit: HookUnit, _ inside: Inside) throws -> (any Error)? {
        let context = unit.context
        switch hook {
        case .willSave, .validate:
            try context.acquire(Hooked.self, "saved").number = 1
            inside.arm()
            return caught { try unit.save() }
        case .awakeFromInsert, .initialising:
            inside.arm()
            _ = try context.create(Hooked.self)
        case .prepareForDeletion:
            let item = try context.acquire(Hooked.self, "to be removed")
            inside.arm()
            try context.remove(item)
        case .awakeFromFetch, .decoding, .reading:
            inside.arm()
            return caught { _ = try context.fetch(Request<Hooked>().filter(\.name == "in known")) }
                ?? caught { _ = try context.count(Request<HookNote>()) }
        case .encoding, .binding:
            let item = try context.acquire(Hooked.self, "written")
            item.json.number = 5
            item.value.number = 5
            inside.arm()
            return caught { _ = try context.count(Request<Hooked>()) }
                ?? caught { _ = try context.count(Request<HookNote>()) }
        case .observer:
            let item = unit.item
            withObservationTracking {
                _ = item.number
            } onChange: {
                Inside.call(.observer)
            }
            item.number = 8
            // Only the kernel's own change counts: the program's is outside of it.
            withObservationTracking {
                _ = item.number
            } onChange: {
                Inside.call(.observer)
            }
            inside.arm()
            return caught { try context.rollback() } ?? caught { _ = try context.count(Request<HookNote>()) }
        case .ending:
            do { _ = try context.create(Hooked.self) }
            inside.arm()
            return caught { try context.rollback() } ?? caught { _ = try context.count(Request<HookNote>()) }
        case .trace:
            inside.arm()
            return caught { _ = try context.count(Request<HookNote>()) }
                ?? caught { _ = try context.count(Request<HookNote>()) }
        case .forEach:
            inside.arm()
            try context.forEach(Request<HookNote>()) { _ in Inside.call(.forEach) }
        }
        return caught { _ = try context.count(Request<HookNote>()) }
    }

    private static func caught(_ body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private static func isInsideHook(_ error: (any Error)?) -> Bool {
        if case KernelError.insideHook? = error { true } else { false }
    }

    private static func isInsideUnit(_ error: (any Error)?) -> Bool {
        if case KernelError.insideUnit? = error { true } else { false }
    }

    /// The unit is as good as any.
    private static func goOn(_ unit: HookUnit) throws {
        try unit.context.acquire(HookNote.self, "after").text = "afterwards"
        try unit.save()
        #expect(!unit.context.hasChanges)
        #expect(try unit.context.count(Request<HookNote>().filter(\.text == "afterwards")) == 1)
    }

    private static func check(_ storage: SQLiteStorage) throws {
        try storage.perform(ephemeral: true) { context, save in
            #expect(try context.exists(Request<HookNote>().filter(\.text == "afterwards")))
            for item in try context.fetch(Request<Hooked>()) {
                if let box = item.box { #expect(box.items.contains { $0 === item }) }
                item.number += 1
            }
            try save()
        }
    }
}
