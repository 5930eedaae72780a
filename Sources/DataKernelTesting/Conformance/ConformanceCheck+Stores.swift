internal import DataKernel

// What removing and restoring the store promises.
extension ConformanceCheck {
    static let stores: [ConformanceCheck] = [
        ConformanceCheck("wipeStore closes the store, and restoreStore opens it again, empty") { bench in
            try await wipesAndRestores(bench)
        },
        ConformanceCheck("wipeStore and restoreStore are errors inside a unit") { bench in
            let storage = bench.storage
            try await bench.perform { context, save in
                for (name, call) in [("wipeStore", storage.wipeStore), ("restoreStore", storage.restoreStore)] {
                    try expectError("insideUnit from \(name)") {
                        try call()
                    } matches: {
                        if case .insideUnit = $0 { true } else { false }
                    }
                }
                try context.create(ConformanceBook.self).title = "A"
                try save()
            }
            try expect(try await bench.titles(), is: ["A"], "the titles")
        },
        ConformanceCheck("restoreStore of an open store changes nothing") { bench in
            try await bench.save("A")
            try bench.storage.restoreStore()
            try expect(try await bench.titles(), is: ["A"], "the titles")
        },
    ]

    @MainActor
    private static func wipesAndRestores(_ bench: ConformanceBench) async throws {
        try await bench.save("A")
        let ui = bench.storage.uiContext
        let books = try ui.fetch(Request<ConformanceBook>())
        try bench.storage.wipeStore()
        try expect(books.count == 1 && books[0].isDeleted, "objects are marked deleted")

        var unit: (any Error)?
        do { try await bench.perform { _, _ in } } catch { unit = error }
        var read: (any Error)?
        do { try await bench.read { _ in } } catch { read = error }
        for (name, error) in [("perform", unit), ("read", read)] {
            guard case .storeClosed? = error as? KernelError else {
                throw ConformanceFailure(
                    "expected storeClosed from \(name), found \(String(describing: error))", #fileID, #line)
            }
        }
        for (name, call) in [
            ("the old uiContext", { _ = try ui.count(Request<ConformanceBook>()) }),
            ("uiContext", { _ = try bench.storage.uiContext.count(Request<ConformanceBook>()) }),
            ("wipeStore", { try bench.storage.wipeStore() }),
        ] {
            try expectError("storeClosed from \(name)", from: call) {
                if case .storeClosed = $0 { true } else { false }
            }
        }

        try bench.storage.restoreStore()
        try expect(try bench.storage.uiContext.count(Request<ConformanceBook>()), is: 0, "the count when restored")
        try await bench.save("B")
        let titles = try bench.storage.uiContext.fetch(Request<ConformanceBook>()).map(\.title)
        try expect(titles, is: ["B"], "the titles")
    }
}
