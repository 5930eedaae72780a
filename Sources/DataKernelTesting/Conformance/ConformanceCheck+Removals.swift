internal import DataKernel

// What removing promises.
extension ConformanceCheck {
    static let removals: [ConformanceCheck] = [
        ConformanceCheck("a removed object is gone from the unit at once and from the store at the save") { bench in
            try await bench.save("A", "B", "C")
            try await bench.perform { context, save in
                let books = try context.fetch(Request<ConformanceBook>().sort("title"))
                try context.remove(books[0])
                try context.remove([books[1], books[0]])
                try expect(books[0].isDeleted && books[1].isDeleted, "removed objects say so")
                try expect(books[0].title, is: "A", "the last title of a removed object")
                try expect(try context.count(Request<ConformanceBook>()), is: 1, "the count in the unit")
                try save()
                try expect(books[0].isDeleted, "a removed object is deleted for ever")
            }
            try expect(try await bench.titles(), is: ["C"], "the titles")
        },
        ConformanceCheck("a removed object cannot be inserted again") { bench in
            try await bench.save("A")
            try await bench.perform { context, _ in
                let a: ConformanceBook = try context.acquire("A")
                try context.remove(a)
                try expectError("removedObject") {
                    try context.insert(a)
                } matches: {
                    if case .removedObject("ConformanceBook") = $0 { true } else { false }
                }
            }
        },
        ConformanceCheck("remove(request) removes what fetch would find, limit and offset included") { bench in
            try await bench.save("A", "B", "C", "D")
            try await bench.perform { context, save in
                let b: ConformanceBook = try context.acquire("B")
                let removed = try context.remove(Request<ConformanceBook>().sort("title").limit(2).offset(1))
                try expect(removed, is: 2, "how many were removed")
                try expect(b.isDeleted, "an object of a removed row is marked as deleted")
                try save()
            }
            try expect(try await bench.titles(), is: ["A", "D"], "the titles")
        },
        ConformanceCheck("wipe is undone by not saving") { bench in
            try await bench.save("A", "B")
            try await bench.perform { context, _ in
                let count = try context.wipe(ConformanceBook.self)
                try expect(count, is: 2, "how many were removed")
                try expect(try context.count(Request<ConformanceBook>()), is: 0, "the count after the wipe")
            }
            try expect(try await bench.titles(), is: ["A", "B"], "the titles")
        },
        ConformanceCheck("wipe and remove(request) are undone by rollback") { bench in
            try await bench.save("A", "B")
            try await bench.perform { context, save in
                let a: ConformanceBook = try context.acquire("A")
                try context.remove(Request<ConformanceBook>().filter("title", equalTo: "A"))
                try context.wipe(ConformanceBook.self)
                try expect(a.isDeleted, "an object of a removed row is marked as deleted")
                try context.rollback()
                try expect(!a.isDeleted, "the removal is undone")
                try expect(try context.count(Request<ConformanceBook>()), is: 2, "the count after the rollback")
                try save()
            }
            try expect(try await bench.titles(), is: ["A", "B"], "the titles")
        },
        ConformanceCheck("wipe and create anew in one unit leaves exactly the new objects") { bench in
            try await bench.save("A", "B")
            try await bench.perform { context, save in
                try context.wipe(ConformanceBook.self)
                let a: ConformanceBook = try context.acquire("A")
                try expect(a.isInserted, "the object is a new one")
                try context.create(ConformanceBook.self).title = "N"
                try save()
            }
            try expect(try await bench.titles(), is: ["A", "N"], "the titles")
        },
        ConformanceCheck("wipe takes unsaved objects with it") { bench in
            try await bench.perform { context, save in
                let a: ConformanceBook = try context.acquire("A")
                try context.wipe(ConformanceBook.self)
                try expect(a.isDeleted, "the unsaved object is deleted")
                try save()
            }
            try expect(try await bench.titles(), is: [], "the titles")
        },
    ]
}
