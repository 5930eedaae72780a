import DataKernel
import Foundation
import Observation
import Synchronization
import Testing

@Suite("The main actor's context")
@MainActor
struct MainContextTests {
    @Test("shows what was saved when perform returns: same instances, new values, deleted ones marked")
    func fresh() throws {
        let storage = try garage()
        try storage.save(["A", "B", "C"])
        let cars = try storage.uiContext.fetch(Request<Car>().sort("model"))
        try storage.perform(ephemeral: true) { context, save in
            let mine = try context.fetch(Request<Car>().sort("model"))
            mine[0].year = 5
            try context.remove(mine[1])
            let _: Car = try context.acquire("D")
            try save()
        }
        #expect(cars[0].year == 5 && cars[1].isDeleted && cars[1].model == "B" && !cars[2].isDeleted)
        let again = try storage.uiContext.fetch(Request<Car>().sort("model"))
        #expect(again.map(\.model) == ["A", "C", "D"] && again[0] === cars[0] && again[1] === cars[2])
    }

    @Test("shows what an awaited perform saved when it resumes")
    func awaited() async throws {
        let storage = try garage()
        try storage.save(["A"])
        let car = try #require(try storage.uiContext.first(Request<Car>()))
        try await storage.perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("A")
            car.year = 6
            try save()
        }
        #expect(car.year == 6)
    }

    @Test("learns of a wipe and of a removal by request")
    func batches() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        let cars = try storage.uiContext.fetch(Request<Car>().sort("model"))
        try storage.perform(ephemeral: true) { context, save in
            try context.remove(Request<Car>().filter("model", equalTo: "A"))
            try save()
        }
        #expect(cars.map(\.isDeleted) == [true, false])
        try storage.perform(ephemeral: true) { context, save in
            try context.wipe(Car.self)
            try save()
        }
        #expect(cars.map(\.isDeleted) == [true, true])
        #expect(cars.map(\.model) == ["A", "B"])
    }

    @Test("does not see what is not saved")
    func isolated() throws {
        let storage = try garage()
        try storage.save(["A"])
        let car = try #require(try storage.uiContext.first(Request<Car>()))
        try storage.perform(ephemeral: true) { context, _ in
            let mine: Car = try context.acquire("A")
            mine.year = 5
            _ = try context.count(Request<Car>())
        }
        #expect(car.year == 0)
        #expect(try storage.uiContext.count(Request<Car>().filter("year", equalTo: 5)) == 0)
    }

    @Test("tells observers of exactly the attributes that changed")
    func observation() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            let person: Person = try context.acquire("Ann")
            person.age = 30
            try save()
        }
        let ann = try #require(try storage.uiContext.first(Request<Person>()))
        let told = Mutex<[String]>([])
        withObservationTracking {
            _ = ann.age
        } onChange: {
            told.withLock { $0.append("age") }
        }
        withObservationTracking {
            _ = ann.name
        } onChange: {
            told.withLock { $0.append("name") }
        }
        try storage.perform(ephemeral: true) { context, save in
            let person: Person = try context.acquire("Ann")
            person.age = 31
            try save()
        }
        #expect(ann.age == 31)
        #expect(told.withLock { $0 } == ["age"])
    }

    @Test("the save context learns of others' saves without losing its own edits, attribute by attribute")
    func saveContextMerges() throws {
        let storage = try garage()
        try storage.save(["A"])
        try storage.perform(ephemeral: false) { context, _ in
            let car: Car = try context.acquire("A")
            car.year = 1
        }
        try storage.perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("A")
            car.year = 2
            car.price = 3
            try save()
        }
        try storage.perform(ephemeral: false) { context, save in
            let car: Car = try context.acquire("A")
            #expect(car.year == 1 && car.price == 3 && car.changedAttributes == ["year"])
            try save()
        }
        let saved = try storage.read { try $0.fetch(Request<Car>()).map { [Double($0.year), $0.price] } }
        #expect(saved == [[1, 3]])
    }

    @Test("another storage on the same file is like another process: its saves are seen")
    func foreignCommits() throws {
        let folder = try Folder()
        let mine = try folder.storage()
        let theirs = try folder.storage()
        try mine.save(["A"])
        let car = try #require(try mine.uiContext.first(Request<Car>()))
        try mine.perform(ephemeral: false) { context, _ in
            let car: Car = try context.acquire("A")
            car.price = 1
        }
        try theirs.perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("A")
            car.year = 9
            try save()
        }
        #expect(try mine.uiContext.count(Request<Car>().filter("year", equalTo: 9)) == 1)
        #expect(car.year == 9)
        try mine.perform(ephemeral: false) { context, save in
            let car: Car = try context.acquire("A")
            #expect(car.year == 9 && car.price == 1)
            try save()
        }
    }
}
