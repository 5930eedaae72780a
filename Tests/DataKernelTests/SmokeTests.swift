import DataKernel
import Testing

@Suite("First steps")
struct SmokeTests {
    func storage() throws -> SQLiteStorage { try SQLiteStorage(store: .memory, model: [HandWrittenCar.self]) }

    @Test("acquire, save, fetch, uiContext")
    @MainActor func first() throws {
        let storage = try storage()
        try storage.perform(ephemeral: true) { context, save in
            let car: HandWrittenCar = try context.acquire("CRZ")
            car.mark = "Honda"
            try save()
        }
        let cars = try storage.uiContext.fetch(Request<HandWrittenCar>().filter("mark", equalTo: "Honda"))
        #expect(cars.map(\.model) == ["CRZ"])
        try storage.perform(ephemeral: true) { context, save in
            let car: HandWrittenCar = try context.acquire("CRZ")
            car.year = 5
            #expect(car.changedAttributes == ["year"])
            try save()
        }
        #expect(cars[0].year == 5)
        let n = try storage.perform(ephemeral: true) { context, save in
            try context.wipe(HandWrittenCar.self)
            let n = try context.count(Request<HandWrittenCar>())
            try context.rollback()
            return n + (try context.count(Request<HandWrittenCar>())) * 10
        }
        #expect(n == 10)
    }
}
