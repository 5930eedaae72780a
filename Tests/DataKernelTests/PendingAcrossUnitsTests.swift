import DataKernel
import Testing

@Suite("Changes that the save context was left with")
struct PendingAcrossUnitsTests {
    @Test("stay pending when another unit saves the same object", arguments: [true, false])
    func stayPending(readsFirst: Bool) throws {
        let storage = try garage()
        try storage.save(["A"])
        try storage.perform(ephemeral: false) { context, _ in
            let a: Car = try context.acquire("A")
            a.year = 5
        }
        try storage.perform(ephemeral: true) { context, save in
            let a: Car = try context.acquire("A")
            a.year = 3
            a.price = 7
            try save()
        }
        for _ in 0..<2 {
            try storage.perform(ephemeral: false) { context, _ in
                if readsFirst { _ = try context.count(Request<Car>()) }
                let a: Car = try context.acquire("A")
                #expect(a.year == 5 && a.price == 7)
                #expect(a.changedAttributes == ["year"] && context.hasChanges)
            }
        }
        try storage.perform(ephemeral: false) { context, save in
            let a: Car = try context.acquire("A")
            try context.rollback()
            #expect(a.year == 3 && a.price == 7)
            a.year = 6
            try save()
        }
        #expect(try storage.read { try $0.fetch(Request<Car>()).map(\.year) } == [6])
    }

    @Test("are kept by a refresh, and a rollback after it finds the saved values")
    func refreshing() throws {
        let storage = try garage()
        try storage.save(["A"])
        try storage.perform(ephemeral: true) { context, _ in
            let a: Car = try context.acquire("A")
            a.year = 5
            try context.refresh(a)
            #expect(a.year == 5 && a.changedAttributes == ["year"] && context.hasChanges)
            try context.rollback()
            #expect(a.year == 0)
        }
    }
}

@Suite("A rollback")
struct RollbackTests {
    @Test("of the removal of an object that another unit removed too does not bring it back")
    func removedElsewhere() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        try storage.perform(ephemeral: false) { context, _ in
            let a: Car = try context.acquire("A")
            try context.remove(a)
        }
        try storage.perform(ephemeral: true) { context, save in
            try context.remove(Request<Car>().filter("model", equalTo: "A"))
            try save()
        }
        try storage.perform(ephemeral: false) { context, save in
            let a = try #require(context.removedObjects.first as? Car)
            #expect(try context.count(Request<Car>()) == 1)
            try context.rollback()
            #expect(a.isDeleted)
            #expect(try context.object(with: a.objectID, as: Car.self) == nil)
        }
    }

    @Test("leaves an object that was created and removed to nobody", arguments: [true, false])
    func createdAndRemoved(isFlushed: Bool) throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, _ in
            let car: Car = try context.acquire("A")
            if isFlushed { _ = try context.count(Request<Car>()) }
            try context.remove(car)
            _ = try context.count(Request<Car>())
            try context.rollback()
            #expect(!car.isDeleted && car.objectID.row == 0)
            try context.insert(car)
            #expect(try context.count(Request<Car>()) == 1)
        }
    }

    @Test("of a removal gives the object the values that another unit saved meanwhile")
    func changedElsewhere() throws {
        let storage = try garage()
        try storage.save(["A"])
        try storage.perform(ephemeral: false) { context, _ in
            let a: Car = try context.acquire("A")
            try context.remove(a)
        }
        try storage.perform(ephemeral: true) { context, save in
            let a: Car = try context.acquire("A")
            a.year = 3
            try save()
        }
        try storage.perform(ephemeral: false) { context, _ in
            let a = try #require(context.removedObjects.first as? Car)
            #expect(try context.count(Request<Car>()) == 0)
            try context.rollback()
            #expect(!a.isDeleted && a.year == 3)
        }
    }
}

@Suite("A nested unit that saved")
struct NestedNewsTests {
    @Test("has its changes shown by the objects of the unit around it")
    func shown() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        try storage.perform(ephemeral: true) { context, _ in
            let a: Car = try context.acquire("A")
            let b: Car = try context.acquire("B")
            try context.perform { child, save in
                let twin: Car = try child.acquire("A")
                twin.year = 4
                try child.remove(Request<Car>().filter("model", equalTo: "B"))
                try save()
            }
            #expect(a.year == 4)
            #expect(b.isDeleted)
        }
    }
}
