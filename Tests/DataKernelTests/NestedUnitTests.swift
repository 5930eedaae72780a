import DataKernel
import Testing

@Suite("A nested unit")
struct NestedUnitTests {
    @Test("sees what its parent did, and its save goes up to the store")
    func saved() throws {
        let storage = try garage()
        try storage.save(["A"])
        try storage.perform(ephemeral: true) { context, _ in
            let parent: Car = try context.acquire("A")
            parent.year = 1
            let new: Car = try context.acquire("N")
            try context.perform { child, save in
                #expect(try child.fetch(Request<Car>().sort("model")).map(\.year) == [1, 0])
                let mine: Car = try child.acquire("A")
                #expect(mine !== parent)
                mine.price = 2
                let removed: Car = try child.acquire("N")
                try child.remove(removed)
                let _: Car = try child.acquire("C")
                try save()
            }
            #expect(parent.year == 1 && parent.price == 2 && new.isDeleted && !context.hasChanges)
        }
        #expect(try storage.models() == ["A", "C"])
        #expect(try storage.read { try $0.fetch(Request<Car>().sort("model")).map(\.price) } == [2, 0])
    }

    @Test("that does not save, or throws, leaves no trace")
    func unsaved() throws {
        let storage = try garage()
        try storage.save(["A"])
        try storage.perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("A")
            car.year = 1
            try context.perform { child, _ in
                let mine: Car = try child.acquire("A")
                mine.year = 2
                let _: Car = try child.acquire("B")
                #expect(try child.wipe(Car.self) == 2)
            }
            #expect(throws: Mishap()) {
                try context.perform { child, _ in
                    let _: Car = try child.acquire("C")
                    _ = try child.count(Request<Car>())
                    throw Mishap()
                }
            }
            #expect(car.year == 1 && !car.isDeleted)
            #expect(try context.fetch(Request<Car>()).map(\.model) == ["A"])
            try save()
        }
        #expect(try storage.read { try $0.fetch(Request<Car>()).map(\.year) } == [1])
    }

    @Test("nests to any depth; an inner save saves all around it")
    func deep() throws {
        let storage = try garage()
        func nest(_ context: any Context, _ depth: Int) throws {
            let _: Car = try context.acquire("car \(depth)")
            if depth == 20 { return }
            try context.perform { child, save in
                try nest(child, depth + 1)
                #expect(try child.count(Request<Car>()) >= depth + 2)
                if depth == 10 { try save() }
            }
        }
        try storage.perform(ephemeral: true) { context, _ in try nest(context, 0) }
        // Saved at depth 11, whose own child had not saved.
        #expect(try storage.read { try $0.count(Request<Car>()) } == 12)
    }

    @Test("whose save fails leaves everything pending, in its parents too")
    func failedSave() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        try storage.perform(ephemeral: true) { context, save in
            let a: Car = try context.acquire("A")
            a.year = 1
            try context.wipe(Wheel.self)
            try context.perform { child, save in
                let b: Car = try child.acquire("B")
                b.model = "A"
                #expect(throws: KernelError.self) { try save() }
                b.model = "C"
                try save()
            }
            #expect(!context.hasChanges)
            a.year = 2
            try context.perform { child, save in
                let c: Car = try child.acquire("C")
                c.model = "A"
                #expect(throws: KernelError.self) { try save() }
            }
            #expect(context.hasChanges && a.changedAttributes == ["year"])
            try save()
        }
        #expect(try storage.models() == ["A", "C"])
        #expect(try storage.read { try $0.fetch(Request<Car>().sort("model")).map(\.year) } == [2, 0])
    }

    @Test("keeps its parent from answering meanwhile")
    func suspended() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            try context.perform { child, _ in
                let error = try #require(throws: KernelError.self) { try context.count(Request<Car>()) }
                guard case .contextSuspended = error else { throw error }
                #expect(throws: KernelError.self) { try save() }
            }
            #expect(try context.count(Request<Car>()) == 0)
        }
    }

    @Test("rolls back to its own beginning")
    func rollback() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            let _: Car = try context.acquire("P")
            try context.perform { child, save in
                let _: Car = try child.acquire("C")
                #expect(try child.count(Request<Car>()) == 2)
                try child.rollback()
                #expect(try child.count(Request<Car>()) == 1)
                let _: Car = try child.acquire("D")
                try save()
            }
        }
        #expect(try storage.models() == ["D", "P"])
    }
}
