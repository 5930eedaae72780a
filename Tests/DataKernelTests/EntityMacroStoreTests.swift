import DataKernel
import Foundation
import Testing

/// Classes with `@Entity` in a real store: what the accessors tell the kernel, and what comes back.
@Suite("@Entity in a store")
struct EntityMacroStoreTests {
    private func storage() throws -> SQLiteStorage {
        let model: [any Entity.Type] = [
            MacroCar.self, MacroEverything.self, MacroInits.self, MacroOuter.Inner.self, MacroObserved.self,
        ]
        return try SQLiteStorage(store: .memory, model: model)
    }

    @Test("every type of value comes back from the store as it went in")
    func everyType() throws {
        let storage = try storage()
        let written = try storage.perform(ephemeral: true) { context, save in
            let object = try context.create(MacroEverything.self)
            object.names = ["x"]
            object.implicit = "i"
            try save()
            return try boundValues(object)
        }
        let read = try storage.perform(ephemeral: true) { context, _ in
            try context.fetch(Request<MacroEverything>()).map { try boundValues($0) }
        }
        #expect(read == [written])
    }

    @Test("a write is tracked, an equal one is no change, and a rollback takes it back")
    func tracking() throws {
        let storage = try storage()
        try storage.perform(ephemeral: true) { context, save in
            let object = try context.create(MacroOuter.Inner.self)
            try save()
            #expect(!object.hasChanges)
            object.`class` = "c"
            #expect(!object.hasChanges)
            object.`class` = "d"
            object.`in` = .first
            object.hide()
            #expect(object.changedAttributes == ["class", "in", "hidden"])
            try context.rollback()
            #expect((object.`class`, object.`in`, object.hidden) == ("c", .second, 5))
            #expect(!object.hasChanges)
        }
    }

    @Test("an object is found by the key that it was acquired with")
    func key() throws {
        let storage = try storage()
        let found = try storage.perform(ephemeral: true) { context, save in
            let car: MacroCar = try context.acquire("CRZ")
            car.mark = "Honda"
            try save()
            let same: MacroCar = try context.acquire("CRZ")
            return (same === car, same.model, same.badge)
        }
        #expect(found == (true, "CRZ", "new"))
    }

    @Test("an object made by the class's own initialiser is stored")
    func ownInitialiser() throws {
        let storage = try storage()
        let names = try storage.perform(ephemeral: true) { context, save in
            try context.insert(MacroInits(name: "own"))
            try save()
            return try context.fetch(Request<MacroInits>().filter("name", equalTo: "own")).map(\.name)
        }
        #expect(names == ["own"])
    }
}
