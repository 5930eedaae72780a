internal import DataKernel

// What requests promise.
extension ConformanceCheck {
    private typealias Books = Request<ConformanceBook>

    /// The titles that the requests find, in their order.
    private static func found(
        _ bench: ConformanceBench, _ requests: [(Request<ConformanceBook>, String)],
        file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        for (index, (request, expected)) in requests.enumerated() {
            try await bench.read { context in
                let titles = try context.fetch(request).map(\.title).joined()
                try expect(titles, is: expected, "the titles of request \(index)", file: file, line: line)
                try expect(
                    try context.count(request), is: expected.count, "the count of request \(index)", file: file,
                    line: line)
                try expect(
                    try context.exists(request), is: !expected.isEmpty, "exists of request \(index)", file: file,
                    line: line)
            }
        }
    }

    /// A by Ann with 1 page, B by Bob with 2, and so on; C's author is nil.
    private static func library(_ bench: ConformanceBench) async throws {
        try await bench.perform { context, save in
            for (index, (title, author)) in [("A", "Ann"), ("B", "Bob"), ("C", nil), ("D", "Ann")].enumerated() {
                let book: ConformanceBook = try context.create()
                book.title = title
                book.author = author
                book.pages = index + 1
            }
            try save()
        }
    }

    static let requests: [ConformanceCheck] = [
        ConformanceCheck("filters compare, by name and by key path") { bench in
            try await library(bench)
            let sorted = Books().sort("title")
            try await found(
                bench,
                [
                    (sorted.filter("author", equalTo: "Ann"), "AD"),
                    (sorted.filter("pages", lessThan: 3), "AB"),
                    (sorted.filter(\.pages >= 2 && \.author == "Ann"), "D"),
                    (sorted.filter(\.pages == 1 || \.pages == 4), "AD"),
                    (sorted.filter(where: { $0.title.contains("B") }), "B"),
                    (sorted.filter("author", equalTo: "Zoe"), ""),
                ])
        },
        ConformanceCheck("nil is found as nil, and != keeps the rows whose value is nil") { bench in
            try await library(bench)
            let nobody: String? = nil
            try await found(
                bench,
                [
                    (Books().filter("author", equalTo: nobody), "C"), (Books().filter(\.author == nil), "C"),
                    (Books().sort("title").filter(\.author != "Ann"), "BC"),
                    (Books().sort("title").filter(!(\.author == "Ann")), "BC"),
                ])
        },
        ConformanceCheck("filter after filter is AND, sort after sort the next key") { bench in
            try await library(bench)
            try await found(
                bench,
                [
                    (Books().filter(\.pages > 1).filter(\.author == "Ann"), "D"),
                    (Books().filter(\.author != nil).sort("author").sort("title", ascending: false), "DAB"),
                ])
        },
        ConformanceCheck("limit and offset page through the order without gaps") { bench in
            try await library(bench)
            let sorted = Books().sort("title")
            try await found(
                bench,
                [
                    (sorted.limit(3), "ABC"), (sorted.limit(3).offset(3), "D"), (sorted.limit(0), ""),
                    (sorted.offset(2), "CD"),
                ])
        },
        ConformanceCheck("oneOf finds any of the values, and nothing for none") { bench in
            try await library(bench)
            try await found(
                bench,
                [
                    (Books().sort("title").filter(.oneOf(\.pages, [1, 4])), "AD"),
                    (Books().filter(.oneOf(\.pages, [])), ""),
                    (Books().sort("title").filter(!.oneOf(\.pages, [])), "ABCD"),
                ])
        },
        ConformanceCheck("%, _ and \\ in a value are letters") { bench in
            try await bench.save("a%b", "a_b", "a\\b", "axb")
            let counts = try await bench.read { context in
                try ["%", "_", "\\"].map { try context.count(Books().filter(.contains(\.title, $0))) }
            }
            try expect(counts, is: [1, 1, 1], "how many titles contain each")
        },
        ConformanceCheck("a misspelt attribute is an error") { bench in
            try await bench.read { context in
                try expectError("unknownAttribute") {
                    _ = try context.fetch(Books().filter("titel", equalTo: "A"))
                } matches: {
                    if case .unknownAttribute("ConformanceBook", "titel", _) = $0 { true } else { false }
                }
            }
        },
        ConformanceCheck("an object's id of another entity is an error") { bench in
            try await bench.read { context in
                try expectError("invalidRequest") {
                    _ = try context.object(with: ObjectID(entityName: "Other", row: 1), as: ConformanceBook.self)
                } matches: {
                    if case .invalidRequest = $0 { true } else { false }
                }
            }
        },
    ]
}
