import DataKernel
import Testing

@Suite("Removing")
struct RemovalTests {
    @Test("a removed object is gone from fetches, marked deleted for ever, and keeps its values")
    func remove() throws {
        let storage = try garage()
        try storage.save(["A", "B", "C", "D"])
        try storage.perform(ephemeral: true) { context, save in
            let cars = try context.fetch(Request<Car>().sort("model"))
            try context.remove(cars[0])
            try context.remove([cars[1], cars[2]])
            #expect(try context.fetch(Request<Car>()).map(\.model) == ["D"])
            try save()
            #expect(cars[0].isDeleted && cars[0].model == "A" && !cars[3].isDeleted)
            cars[0].year = 3
            try context.remove(cars[0])
            #expect(!context.hasChanges)
            #expect(throws: KernelError.self) { try context.insert(cars[0]) }
            #expect(throws: KernelError.self) { try context.refresh(cars[0]) }
            let none: Car? = try context.object(with: cars[0].objectID)
            #expect(none == nil)
        }
        #expect(try storage.models() == ["D"])
    }

    @Test("a created object that is removed before its save never reaches the store")
    func createdAndRemoved() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("A")
            try context.remove(car)
            #expect(car.isDeleted)
            let again: Car = try context.acquire("A")
            #expect(again !== car)
            try context.remove(again)
            try save()
        }
        #expect(try storage.models() == [])
    }

    @Test("a request's removal honours filter, sort, limit and offset, and marks the objects")
    func byRequest() throws {
        let storage = try garage()
        try storage.save(["A", "B", "C", "D", "E"])
        try storage.perform(ephemeral: true) { context, save in
            let all = try context.fetch(Request<Car>().sort("model"))
            let count = try context.remove(Request<Car>().sort("model", ascending: false).limit(2).offset(1))
            #expect(count == 2)
            #expect(all.map(\.isDeleted) == [false, false, true, true, false])
            try save()
        }
        #expect(try storage.models() == ["A", "B", "E"])
    }

    @Test("a request's removal sees pending changes")
    func pendingByRequest() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        try storage.perform(ephemeral: true) { context, save in
            let a: Car = try context.acquire("A")
            a.year = 1950
            let _: Car = try context.acquire("N")
            try context.remove(Request<Car>().filter("year", lessThan: 1960).filter("year", greaterThan: 0))
            #expect(a.isDeleted)
            try save()
        }
        #expect(try storage.models() == ["B", "N"])
    }

    @Test("wipe, create and save leaves exactly the new one")
    func wipeAndCreate() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        try storage.perform(ephemeral: true) { context, save in
            let pending: Car = try context.acquire("P")
            #expect(try context.wipe(Car.self) == 3)
            #expect(pending.isDeleted)
            let _: Car = try context.acquire("A")
            try save()
        }
        #expect(try storage.models() == ["A"])
    }

    @Test("wipe without save leaves the rows, and a rollback restores the objects")
    func wipeUndone() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        try storage.perform(ephemeral: true) { context, save in
            let cars = try context.fetch(Request<Car>().sort("model"))
            cars[0].year = 8
            try context.wipe(Car.self)
            #expect(cars.map(\.isDeleted) == [true, true])
            try context.rollback()
            #expect(!cars[0].isDeleted && cars[0].year == 0 && !context.hasChanges)
            #expect(try context.fetch(Request<Car>().sort("model")) as [AnyObject] == cars as [AnyObject])
            try context.wipe(Car.self)
        }
        #expect(try storage.models() == ["A", "B"])
    }

    @Test("a new object takes the key of one removed in the same save")
    func keyReused() throws {
        let storage = try garage()
        try storage.save(["A"])
        try storage.perform(ephemeral: true) { context, save in
            let old: Car = try context.acquire("A")
            try context.remove(old)
            let new = try context.create(Car.self)
            new.model = "A"
            new.year = 2
            try save()
            #expect(new.objectID != old.objectID)
        }
        #expect(try storage.read { try $0.fetch(Request<Car>()).map(\.year) } == [2])
    }
}

@Suite("Unique values")
struct UniqueValueTests {
    @Test("two objects swap theirs, and three rotate theirs, in one save")
    func swap() throws {
        let storage = try garage()
        try storage.save(["A", "B", "C", "D", "E"])
        try storage.perform(ephemeral: true) { context, save in
            let cars = try context.fetch(Request<Car>().sort("model"))
            (cars[0].model, cars[1].model) = (cars[1].model, cars[0].model)
            (cars[2].model, cars[3].model, cars[4].model) = (cars[3].model, cars[4].model, cars[2].model)
            for (index, car) in cars.enumerated() { car.year = index }
            try save()
        }
        let years = try storage.read { try $0.fetch(Request<Car>().sort("model")).map(\.year) }
        #expect(years == [1, 0, 4, 2, 3])
    }

    @Test("data and groups swap too")
    func swapGroups() throws {
        let storage = try garage()
        let (first, second) = try storage.perform(ephemeral: true) { context, save in
            for (index, model) in ["A", "B"].enumerated() {
                let car: Car = try context.acquire(model)
                car.mark = "m"
                car.number = index
            }
            let wheels = try (0..<2).map { _ in try context.create(Wheel.self) }
            try save()
            let cars = try context.fetch(Request<Car>().sort("model"))
            (cars[0].number, cars[1].number) = (cars[1].number, cars[0].number)
            let serials = wheels.map(\.serial)
            (wheels[0].serial, wheels[1].serial) = (serials[1], serials[0])
            try save()
            return (serials[0], serials[1])
        }
        let numbers = try storage.read { try $0.fetch(Request<Car>().sort("model")).map(\.number) }
        #expect(numbers == [1, 0])
        #expect(try storage.read { try $0.fetch(Request<Wheel>()).map(\.serial) } == [second, first])
    }

    @Test("a real duplicate is an error that names entity and attributes, and no value")
    func duplicate() throws {
        let storage = try garage()
        try storage.save(["A", "secret"])
        try storage.perform(ephemeral: true) { context, save in
            let cars = try context.fetch(Request<Car>().sort("model"))
            cars[0].model = "secret"
            let error = try #require(throws: KernelError.self) { try save() }
            guard case .uniqueViolation("Car", ["model"], let failure) = error else { throw error }
            #expect(!"\(error)\(failure)".contains("secret"))
            cars[0].model = "A"
            for car in cars {
                car.mark = "m"
                car.number = 1
            }
            let second = try #require(throws: KernelError.self) { try save() }
            guard case .uniqueViolation("Car", ["mark", "number"], _) = second else { throw second }
            // nil in one of a group's attributes is no duplicate.
            for car in cars { car.number = nil }
            try save()
        }
    }

    @Test("a new object takes the value that another one gives up in the same save")
    func handedOver() throws {
        let storage = try garage()
        try storage.save(["A"])
        try storage.perform(ephemeral: true) { context, save in
            let new = try context.create(Car.self)
            let old = try #require(try context.first(Request<Car>().filter("model", equalTo: "A")))
            new.model = "A"
            old.model = "B"
            try save()
        }
        #expect(try storage.models() == ["A", "B"])
    }
}
