internal import DataKernel

// What the storage's contexts promise to each other.
extension ConformanceCheck {
    static let contexts: [ConformanceCheck] = [
        ConformanceCheck("uiContext shows what was saved when perform returns on the main actor") { bench in
            try await showsSaves(bench)
        },
        ConformanceCheck("uiContext does not show what is not saved") { bench in
            try await hidesUnsaved(bench)
        },
        ConformanceCheck("the save context sees what other units saved") { bench in
            try await bench.save("A")
            let kept = KeptBook()
            try await bench.perform(ephemeral: false) { context, _ in
                kept.book = try context.acquire("A") as ConformanceBook
            }
            try await bench.perform { context, save in
                let a: ConformanceBook = try context.acquire("A")
                a.pages = 12
                try save()
            }
            try await bench.perform(ephemeral: false) { context, _ in
                let a = try need(try context.first(Request<ConformanceBook>()), "the book")
                try expect(a === kept.book, "the save context keeps its objects")
                try expect(a.pages, is: 12, "the pages")
                kept.book = nil
            }
        },
        ConformanceCheck("a read unit keeps its snapshot while others save") { bench in
            try await bench.save("A")
            let storage = bench.storage
            try await bench.read { context in
                try expect(try context.count(Request<ConformanceBook>()), is: 1, "the count at first")
                try storage.perform(ephemeral: true) { inner, save in
                    try inner.create(ConformanceBook.self).title = "B"
                    try save()
                }
                try expect(try context.count(Request<ConformanceBook>()), is: 1, "the count after another's save")
            }
            try expect(try await bench.titles(), is: ["A", "B"], "the titles")
        },
    ]

    @MainActor
    private static func showsSaves(_ bench: ConformanceBench) async throws {
        try await bench.save("A", "B", "C")
        let books = try bench.storage.uiContext.fetch(Request<ConformanceBook>().sort("title"))
        try expect(books.map(\.title), is: ["A", "B", "C"], "the titles in uiContext")
        try await bench.perform { context, save in
            let a: ConformanceBook = try context.acquire("A")
            a.pages = 7
            try context.remove(try context.acquire("B") as ConformanceBook)
            try context.remove(Request<ConformanceBook>().filter("title", equalTo: "C"))
            try save()
        }
        try expect(books[0].pages, is: 7, "the pages, without a fetch")
        try expect(books[1].isDeleted && books[2].isDeleted, "removed objects are marked deleted, without a fetch")
        try expect(books[1].title, is: "B", "the last title of a removed object")
        let again = try bench.storage.uiContext.fetch(Request<ConformanceBook>())
        try expect(again.count == 1 && again[0] === books[0], "a fetch gives the same instance")
        try await bench.perform { context, save in
            try context.wipe(ConformanceBook.self)
            try save()
        }
        try expect(books[0].isDeleted, "wiped objects are marked deleted, without a fetch")
    }

    @MainActor
    private static func hidesUnsaved(_ bench: ConformanceBench) async throws {
        try await bench.save("A")
        let books = try bench.storage.uiContext.fetch(Request<ConformanceBook>())
        try await bench.perform(ephemeral: false) { context, _ in
            let a: ConformanceBook = try context.acquire("A")
            a.pages = 7
            try context.create(ConformanceBook.self).title = "B"
            try expect(try context.count(Request<ConformanceBook>()), is: 2, "the count in the unit")
        }
        try expect(books.map(\.pages), is: [0], "the pages in uiContext")
        try expect(try bench.storage.uiContext.count(Request<ConformanceBook>()), is: 1, "the count in uiContext")
    }
}

/// Keeps an object of the save context alive between two units.
///
/// Proof of `@unchecked Sendable`: a check's units run one after another.
private final class KeptBook: @unchecked Sendable {
    var book: ConformanceBook?
}
