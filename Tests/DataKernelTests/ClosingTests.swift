import DataKernel
import Foundation
import Testing

@Suite("A storage that is dropped")
@MainActor
struct ClosingTests {
    #if os(Linux)
        /// The open files of this process that lie in a folder.
        private func openFiles(in folder: Folder) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
                .filter { $0.hasPrefix(folder.url.path) }
        }

        @Test("closes its file, though objects of its uiContext are held; they keep their values")
        func closesFiles() throws {
            let folder = try Folder()
            var storage: SQLiteStorage? = try folder.storage()
            try storage?.save(["A"])
            let car = try #require(try storage?.uiContext.first(Request<Car>()))
            try storage?.read { _ = try $0.count(Request<Car>()) }
            #expect(try !openFiles(in: folder).isEmpty)
            storage = nil
            #expect(try openFiles(in: folder) == [])
            #expect(car.model == "A" && !car.isDeleted)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasSuffix("-wal") }
                    == [])
        }
    #endif

    @Test("a context that outlives its unit says that it is closed")
    func closedContext() throws {
        let storage = try garage()
        nonisolated(unsafe) var leaked: (any Context)?
        try storage.perform(ephemeral: true) { context, _ in
            nonisolated(unsafe) let context = context
            leaked = context
        }
        let context = try #require(leaked)
        for call in [
            { _ = try context.fetch(Request<Car>()) }, { _ = try context.create(Car.self) },
            { _ = try context.wipe(Car.self) }, { let _: Car = try context.acquire("A") },
            { try context.rollback() }, { try context.perform { _, _ in } },
        ] as [() throws -> Void] {
            let error = try #require(throws: KernelError.self) { try call() }
            guard case .storeClosed = error else { throw error }
        }
    }
}

@Entity
private final class Reference {
    var target: ObjectID?
}

@Suite("Ids and errors")
struct IDsAndErrorsTests {
    @Test("ids of a wiped store are not given to objects of the restored one")
    func idsAfterRestore() throws {
        let storage = try garage()
        try storage.save(["A"])
        let old = try storage.read { try $0.fetch(Request<Car>()).map(\.objectID) }
        try storage.wipeStore()
        try storage.restoreStore()
        try storage.save(["B"])
        let new = try storage.read { try $0.fetch(Request<Car>()).map(\.objectID) }
        #expect(Set(old).isDisjoint(with: new))
        let none = try storage.read { context -> String? in
            let car: Car? = try context.object(with: old[0])
            return car?.model
        }
        #expect(none == nil)
    }

    @Test("an ObjectID as an attribute is refused at the save, by name")
    func objectIDAttribute() throws {
        let storage = try SQLiteStorage(store: .memory, model: [Reference.self])
        try storage.perform(ephemeral: true) { context, save in
            let reference = try context.create(Reference.self)
            reference.target = ObjectID(entityName: "Car", row: 1)
            let error = try #require(throws: KernelError.self) { try save() }
            guard case .invalidValue("Reference", "target", _) = error else { throw error }
            reference.target = nil
            try save()
        }
    }

    @Test("errors say the same to localizedDescription as to print, and a class listed twice is named")
    func messages() throws {
        let error = #expect(throws: KernelError.self) {
            try SQLiteStorage(store: .memory, model: [Car.self, Car.self])
        }
        #expect(error?.localizedDescription == "the model is not valid:\n- entity Car is listed twice")
        #expect("\(try #require(error))" == error?.localizedDescription)
    }

    @Test("acquire takes the type as create does")
    func acquireWithType() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            let car = try context.acquire(Car.self, "A")
            let cars = try context.acquire(Car.self, all: ["A", "B"])
            #expect(cars[0] === car)
        }
    }
}
