internal import DataKernel

// What a unit of work promises.
extension ConformanceCheck {
    static let units: [ConformanceCheck] = [
        ConformanceCheck("a unit that does not save leaves nothing") { bench in
            try await bench.perform { context, _ in
                try context.create(ConformanceBook.self).title = "A"
                try expect(try context.count(Request<ConformanceBook>()), is: 1, "the count inside the unit")
            }
            try expect(try await bench.titles(), is: [], "the titles")
        },
        ConformanceCheck("a unit returns what its block returns") { bench in
            try expect(try await bench.perform { _, _ in 7 }, is: 7, "the result")
        },
        ConformanceCheck("a unit that throws before saving keeps nothing, and its error comes out") { bench in
            var found: (any Error)?
            do {
                try await bench.perform { context, _ in
                    try context.create(ConformanceBook.self).title = "A"
                    throw ConformanceMishap()
                }
            } catch {
                found = error
            }
            try expect(found is ConformanceMishap, "the block's error comes out; found \(String(describing: found))")
            try expect(try await bench.titles(), is: [], "the titles")
        },
        ConformanceCheck("a unit that throws after a save keeps what was saved") { bench in
            do {
                try await bench.perform { context, save in
                    try context.create(ConformanceBook.self).title = "A"
                    try save()
                    try context.create(ConformanceBook.self).title = "B"
                    throw ConformanceMishap()
                }
            } catch is ConformanceMishap {}
            try expect(try await bench.titles(), is: ["A"], "the titles")
        },
        ConformanceCheck("a unit sees what it did, saved or not") { bench in
            try await bench.save("A", "B", "C")
            try await bench.perform { context, _ in
                let books = try context.fetch(Request<ConformanceBook>().sort("title"))
                books[0].pages = 7
                try context.remove(books[1])
                try context.create(ConformanceBook.self).title = "D"
                let all = try context.fetch(Request<ConformanceBook>().sort("title")).map(\.title)
                try expect(all, is: ["A", "C", "D"], "the titles")
                let seven = Request<ConformanceBook>().filter("pages", equalTo: 7)
                try expect(try context.count(seven), is: 1, "books of 7 pages")
                try expect(try context.exists(seven), "a book of 7 pages exists")
                try expect(try context.first(seven) === books[0], "the book of 7 pages is the one that was changed")
            }
        },
        ConformanceCheck("the save context keeps its objects and what a unit left unsaved") { bench in
            try await bench.save("A")
            try await bench.perform(ephemeral: false) { context, _ in
                try context.create(ConformanceBook.self).title = "B"
            }
            try expect(try await bench.titles(), is: ["A"], "the titles before the save")
            let others = try await bench.perform { context, _ in try context.count(Request<ConformanceBook>()) }
            try expect(others, is: 1, "what a unit with a context of its own sees")
            try await bench.perform(ephemeral: false) { context, save in
                try expect(context.hasChanges, "the save context has changes")
                try save()
            }
            try expect(try await bench.titles(), is: ["A", "B"], "the titles after the save")
        },
        ConformanceCheck("a nested unit that saves is in the store, with what the units around it did") { bench in
            try await bench.perform { context, _ in
                try context.create(ConformanceBook.self).title = "A"
                try context.perform { child, save in
                    try expect(try child.count(Request<ConformanceBook>()), is: 1, "what the nested unit sees")
                    try child.create(ConformanceBook.self).title = "B"
                    try save()
                }
                try expect(try context.count(Request<ConformanceBook>()), is: 2, "what the outer unit sees")
            }
            try expect(try await bench.titles(), is: ["A", "B"], "the titles")
        },
        ConformanceCheck("a nested unit that does not save leaves no trace") { bench in
            try await bench.perform { context, save in
                try context.create(ConformanceBook.self).title = "A"
                try context.perform { child, _ in try child.create(ConformanceBook.self).title = "B" }
                do {
                    try context.perform { child, _ in
                        try child.wipe(ConformanceBook.self)
                        throw ConformanceMishap()
                    }
                } catch is ConformanceMishap {}
                try expect(try context.count(Request<ConformanceBook>()), is: 1, "what the outer unit sees")
                try save()
            }
            try expect(try await bench.titles(), is: ["A"], "the titles")
        },
        ConformanceCheck("a context answers no requests while its nested unit runs") { bench in
            try await bench.perform { context, _ in
                try context.perform { _, _ in
                    try expectError("contextSuspended") {
                        _ = try context.count(Request<ConformanceBook>())
                    } matches: {
                        if case .contextSuspended = $0 { true } else { false }
                    }
                }
            }
        },
        ConformanceCheck("a unit inside a unit of the same storage is a nested one") { bench in
            let storage = bench.storage
            try await bench.perform { context, _ in
                try context.create(ConformanceBook.self).title = "A"
                try storage.perform(ephemeral: true) { inner, save in
                    try expect(try inner.count(Request<ConformanceBook>()), is: 1, "what the inner unit sees")
                    try save()
                }
            }
            try expect(try await bench.titles(), is: ["A"], "the titles")
        },
        ConformanceCheck("a context is of no use after its unit") { bench in
            let kept = KeptContext()
            try await bench.perform { context, _ in kept.count = { try context.count(Request<ConformanceBook>()) } }
            try expectError("storeClosed") {
                _ = try kept.count()
            } matches: {
                if case .storeClosed = $0 { true } else { false }
            }
        },
    ]
}

/// A context that leaves its unit, as it should not.
///
/// Proof of `@unchecked Sendable`: a check uses it in its unit, and after it.
private final class KeptContext: @unchecked Sendable {
    var count: () throws -> Int = { 0 }
}
