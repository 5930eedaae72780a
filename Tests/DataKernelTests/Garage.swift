import DataKernel
import DataKernelTesting
import Foundation

/// The entities of the context tests.
@Entity(unique: [["mark", "number"]])
final class Car {
    @Attribute(.primaryKey) var model = ""
    @Attribute(.indexed) var mark: String?
    var number: Int?
    var year = 0
    var price = 0.0
    var builtAt: Date?
    @Transient var badge: String?
}

@Entity
final class Wheel {
    var position = 0
    @Attribute(.unique) var serial = UUID()
}

@Entity(observable: true)
final class Person {
    @Attribute(.primaryKey) var name = ""
    var age = 0
}

/// A store of its own for each test.
func garage(_ options: StorageOptions = StorageOptions(durability: .normal)) throws -> SQLiteStorage {
    try SQLiteStorage(store: .memory, model: [Car.self, Wheel.self, Person.self], options: options)
}

/// A folder of its own, gone with the value.
final class Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "DataKernelTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String = "store.db") -> URL { url.appending(path: name) }

    func storage(_ name: String = "store.db", options: StorageOptions = StorageOptions()) throws -> SQLiteStorage {
        try SQLiteStorage(
            store: .url(file(name)), model: [Car.self, Wheel.self, Person.self], options: options)
    }
}

/// Recorded statements without the frame of a transaction.
func work(_ statements: [String]) -> [String] {
    statements.filter { !$0.hasPrefix("PRAGMA") && !["BEGI", "COMM", "SAVE", "RELE", "ROLL"].contains($0.prefix(4)) }
}

struct Mishap: Error, Equatable {}

extension SQLiteStorage {
    /// Saves cars with these models.
    func save(_ models: [String]) throws {
        try perform(ephemeral: true) { context, save in
            for model in models { let _: Car = try context.acquire(model) }
            try save()
        }
    }

    /// The models that the store has, as a fresh unit sees them.
    func models() throws -> [String] {
        try read { context in try context.fetch(Request<Car>().sort("model")).map(\.model) }
    }
}
