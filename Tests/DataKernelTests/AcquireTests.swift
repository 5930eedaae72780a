import DataKernel
import DataKernelTesting
import Foundation
import Testing

@Suite("acquire")
struct AcquireTests {
    @Test("finds by key or creates with it, and changes nothing else")
    func acquire() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("A")
            car.year = 1999
            car.mark = "m"
            try save()
        }
        try storage.perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("A")
            #expect(car.year == 1999 && !context.hasChanges)
            let new: Car = try context.acquire("B")
            #expect(new.isInserted && new.model == "B" && new.year == 0)
            try save()
        }
        #expect(try storage.models() == ["A", "B"])
    }

    @Test("gives one instance and one row for a key that is acquired twice before a save")
    func twice() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            let first: Car = try context.acquire("A")
            let second: Car = try context.acquire("A")
            #expect(first === second)
            first.model = "B"
            let third: Car = try context.acquire("B")
            #expect(third === first)
            let fourth: Car = try context.acquire("A")
            #expect(fourth !== first)
            try save()
        }
        #expect(try storage.models() == ["A", "B"])
    }

    @Test("of many keys keeps their order, repeats their objects, and takes one query")
    func many() throws {
        let recorder = SQLRecorder()
        let storage = try garage(recorder.options())
        try storage.save(["B", "D"])
        try storage.perform(ephemeral: true) { context, save in
            var cars: [Car] = []
            let queries = try recorder.record {
                cars = try context.acquire(all: ["A", "B", "A", "C", "D"])
            }.filter { $0.hasPrefix("SELECT") }
            #expect(cars.map(\.model) == ["A", "B", "A", "C", "D"])
            #expect(cars[0] === cars[2] && cars[0].isInserted && !cars[1].isInserted)
            #expect(queries.count == 1)
            let none: [Car] = try context.acquire(all: [String]())
            #expect(none.isEmpty)
            try save()
        }
        #expect(try storage.models() == ["A", "B", "C", "D"])
    }

    @Test("of 100,000 keys is one query")
    func veryMany() throws {
        let storage = try garage()
        let count = try storage.perform(ephemeral: true) { context, save in
            let cars: [Car] = try context.acquire(all: (0..<20_000).map { "car \($0)" })
            try save()
            let again: [Car] = try context.acquire(all: (10_000..<30_000).map { "car \($0)" })
            #expect(again[0] === cars[10_000])
            try save()
            return try context.count(Request<Car>())
        }
        #expect(count == 30_000)
    }

    @Test("refuses an entity without a primary key and a value of the wrong type")
    func refusals() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, _ in
            let noKey = try #require(throws: KernelError.self) { let _: Wheel = try context.acquire("A") }
            guard case .noPrimaryKey("Wheel") = noKey else { throw noKey }
            let wrong = try #require(throws: KernelError.self) { let _: Car = try context.acquire(5) }
            guard case .wrongKeyType("Car", "model", _, _) = wrong else { throw wrong }
            let none = try #require(throws: KernelError.self) { let _: Car = try context.acquire(String?.none) }
            guard case .wrongKeyType("Car", "model", _, "nil") = none else { throw none }
            #expect(!context.hasChanges)
        }
    }

    @Test("of a class that is not in the model is an error that says so")
    func unknown() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, _ in
            let error = try #require(throws: KernelError.self) { let _: HandWrittenCar = try context.acquire("A") }
            guard case .unknownEntity("HandWrittenCar") = error else { throw error }
        }
    }
}

@Entity
private final class Price {
    @Attribute(.primaryKey) var amount: Decimal = 0
    var tags: Set<String> = []
    var sizes: [Int: String] = [:]
}

@Suite("Keys and conditions of composed values")
struct ComposedKeyTests {
    @Test("a decimal key is found by any spelling and by an integer")
    func decimalKey() throws {
        let storage = try SQLiteStorage(store: .memory, model: [Price.self])
        try storage.perform(ephemeral: true) { context, save in
            let price: Price = try context.acquire(Decimal(string: "1.5") ?? 0)
            let two: Price = try context.acquire(Decimal(2))
            try save()
            let same: Price = try context.acquire("1.50")
            let whole: Price = try context.acquire(2)
            #expect(same === price && whole === two)
            #expect(throws: KernelError.self) { let _: Price = try context.acquire("dear") }
        }
    }

    @Test("equal sets and dictionaries are found")
    func sets() throws {
        let storage = try SQLiteStorage(store: .memory, model: [Price.self])
        try storage.perform(ephemeral: true) { context, save in
            for amount in 0..<30 {
                let price: Price = try context.acquire(Decimal(amount))
                price.tags = Set((0..<10).map { "tag \($0)" })
                price.sizes = Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, "size") })
            }
            let tags = Set((0..<10).reversed().map { "tag \($0)" })
            let sizes = Dictionary(uniqueKeysWithValues: (0..<10).reversed().map { ($0, "size") })
            #expect(try context.count(Request<Price>().filter(\.tags == tags)) == 30)
            #expect(try context.count(Request<Price>().filter(\.sizes == sizes)) == 30)
        }
    }
}
