import DataKernel
import DataKernelTesting
import Testing

@Suite("A unit of work")
struct UnitOfWorkTests {
    @Test("that does not save leaves nothing")
    func noSave() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, _ in
            let _: Car = try context.acquire("CRZ")
            #expect(try context.count(Request<Car>()) == 1)
        }
        #expect(try storage.models() == [])
    }

    @Test("that throws before saving keeps nothing, and its error comes out")
    func throwing() throws {
        let storage = try garage()
        #expect(throws: Mishap()) {
            try storage.perform(ephemeral: true) { context, _ in
                let _: Car = try context.acquire("CRZ")
                #expect(try context.count(Request<Car>()) == 1)
                throw Mishap()
            }
        }
        #expect(try storage.models() == [])
    }

    @Test("that throws after a save keeps what was saved")
    func throwingLater() throws {
        let storage = try garage()
        #expect(throws: Mishap()) {
            try storage.perform(ephemeral: true) { context, save in
                let _: Car = try context.acquire("A")
                try save()
                let _: Car = try context.acquire("B")
                throw Mishap()
            }
        }
        #expect(try storage.models() == ["A"])
    }

    @Test("may save several times")
    func savingTwice() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("A")
            try save()
            car.year = 1999
            try save()
            car.year = 2000
        }
        let years = try storage.read { try $0.fetch(Request<Car>()).map(\.year) }
        #expect(years == [1999])
    }

    @Test("sees what it did, saved or not")
    func readsItsWrites() throws {
        let storage = try garage()
        try storage.save(["A", "B", "C"])
        try storage.perform(ephemeral: true) { context, _ in
            let cars = try context.fetch(Request<Car>().sort("model"))
            cars[0].year = 7
            try context.remove(cars[1])
            try context.create(Car.self).model = "D"
            #expect(try context.count(Request<Car>().filter("year", equalTo: 7)) == 1)
            #expect(try context.fetch(Request<Car>().sort("model")).map(\.model) == ["A", "C", "D"])
            #expect(try context.exists(Request<Car>().filter("model", equalTo: "B")) == false)
            #expect(try context.first(Request<Car>().sort("model", ascending: false))?.model == "D")
        }
    }

    @Test("whose save fails leaves the store untouched; the changes are pending and can be mended")
    func failedSave() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        try storage.perform(ephemeral: true) { context, save in
            let b: Car = try context.acquire("B")
            b.year = 5
            let twin = try context.create(Car.self)
            twin.model = "A"
            let error = #expect(throws: KernelError.self) { try save() }
            guard case .uniqueViolation("Car", ["model"], _) = error else {
                Issue.record("not a unique violation: \(String(describing: error))")
                return
            }
            #expect(context.hasChanges)
            twin.model = "C"
            try save()
            #expect(!context.hasChanges)
        }
        #expect(try storage.models() == ["A", "B", "C"])
        #expect(try storage.read { try $0.count(Request<Car>().filter("year", equalTo: 5)) } == 1)
    }

    @Test("after one whose save failed is not affected")
    func afterFailure() throws {
        let storage = try garage()
        try storage.save(["A"])
        #expect(throws: KernelError.self) {
            try storage.perform(ephemeral: true) { context, save in
                try context.create(Car.self).model = "A"
                try save()
            }
        }
        try storage.save(["B"])
        #expect(try storage.models() == ["A", "B"])
    }

    @Test("without changes runs no statement at its save")
    func emptySave() throws {
        let recorder = SQLRecorder()
        let storage = try garage(recorder.options())
        try storage.save(["A"])
        let nothing = try recorder.record { try storage.perform(ephemeral: true) { _, save in try save() } }
        #expect(nothing == [])
        var atSave: [String] = ["?"]
        try storage.perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("A")
            car.year = car.year
            car.model = "A"
            #expect(!context.hasChanges)
            atSave = try recorder.record { try save() }
        }
        #expect(atSave == [])
    }

    @Test("undoes everything since the last save on rollback")
    func rollback() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        try storage.perform(ephemeral: true) { context, save in
            let a: Car = try context.acquire("A")
            let b: Car = try context.acquire("B")
            a.year = 1
            try save()
            a.year = 2
            #expect(try context.count(Request<Car>().filter("year", equalTo: 2)) == 1)
            a.year = 3
            try context.remove(b)
            let c: Car = try context.acquire("C")
            #expect(b.isDeleted)
            try context.rollback()
            #expect(a.year == 1)
            #expect(!b.isDeleted && !a.hasChanges && !context.hasChanges)
            #expect(c.objectID.row == 0)
            #expect(try context.fetch(Request<Car>().sort("model")) as [AnyObject] == [a, b] as [AnyObject])
            b.year = 9
            try save()
        }
        #expect(try storage.read { try $0.fetch(Request<Car>().sort("model")).map(\.year) } == [1, 9])
    }

    @Test("of the save context keeps its objects and what was left unsaved")
    func saveContext() throws {
        let storage = try garage()
        try storage.save(["A", "Z"])
        try storage.perform(ephemeral: false) { context, _ in
            let _: Car = try context.acquire("B")
            let a: Car = try context.acquire("A")
            a.year = 4
            #expect(try context.count(Request<Car>()) == 3)
            try context.remove(Request<Car>().filter("model", equalTo: "Z"))
        }
        #expect(try storage.models() == ["A", "Z"])
        #expect(try storage.perform(ephemeral: true) { context, _ in try context.count(Request<Car>()) } == 2)
        try storage.perform(ephemeral: false) { context, save in
            #expect(context.hasChanges)
            #expect(try context.fetch(Request<Car>().sort("model")).map(\.model) == ["A", "B"])
            try save()
        }
        #expect(try storage.models() == ["A", "B"])
        #expect(try storage.read { try $0.count(Request<Car>().filter("year", equalTo: 4)) } == 1)
    }

    @Test("of the save context keeps a wipe that was left unsaved")
    func saveContextWipe() throws {
        let storage = try garage()
        try storage.save(["A"])
        try storage.perform(ephemeral: false) { context, _ in
            try context.wipe(Car.self)
            let _: Car = try context.acquire("B")
        }
        #expect(try storage.models() == ["A"])
        try storage.perform(ephemeral: false) { _, save in try save() }
        #expect(try storage.models() == ["B"])
    }

    @Test("inside a unit of the same storage is a nested one, not a deadlock")
    func nestedStoragePerform() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            let _: Car = try context.acquire("A")
            try storage.perform(ephemeral: true) { inner, save in
                #expect(try inner.count(Request<Car>()) == 1)
                let _: Car = try inner.acquire("B")
                try save()
            }
            #expect(try context.count(Request<Car>()) == 2)
        }
        #expect(try storage.models() == ["A", "B"])
    }

    @Test("lists what it inserted, updated and removed")
    func lists() throws {
        let storage = try garage()
        try storage.save(["A", "B", "C"])
        try storage.perform(ephemeral: true) { context, save in
            let a: Car = try context.acquire("A")
            let b: Car = try context.acquire("B")
            let n: Car = try context.acquire("N")
            a.year = 1
            try context.remove(b)
            #expect(context.insertedObjects as [AnyObject] == [n] as [AnyObject])
            #expect(context.updatedObjects as [AnyObject] == [a] as [AnyObject])
            #expect(context.removedObjects as [AnyObject] == [b] as [AnyObject])
            #expect(a.changedAttributes == ["year"])
            a.year = 0
            #expect(context.updatedObjects.isEmpty)
            try save()
            #expect(context.insertedObjects.isEmpty && context.removedObjects.isEmpty)
            #expect(!n.isInserted && b.isDeleted)
        }
    }
}

/// Compares arrays of objects by identity.
func == (left: [AnyObject], right: [AnyObject]) -> Bool { left.elementsEqual(right, by: ===) }
