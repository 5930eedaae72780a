internal import DataKernel

// What relationships promise.
extension ConformanceCheck {
    static let relationships: [ConformanceCheck] = [
        ConformanceCheck("both ends of a relationship agree at once and after a save") { bench in
            try await bench.perform { context, save in
                let writer: ConformanceWriter = try context.acquire("Ann")
                let work: ConformanceWork = try context.acquire("A")
                work.writer = writer
                try expect(writer.works.map(\.title), is: ["A"], "the works of the writer")
                let other: ConformanceWriter = try context.acquire("Bob")
                other.works = [work]
                try expect(work.writer === other, "the work has the other writer")
                try expect(writer.works.isEmpty, "the first writer has lost it")
                try save()
            }
            let name = try await bench.read { context in
                try context.first(Request<ConformanceWork>())?.writer?.name
            }
            try expect(name, is: "Bob", "the writer in the store")
        },
        ConformanceCheck("an ordered relationship keeps its order") { bench in
            try await bench.saveWork(chapters: "3", "1", "2")
            try await bench.perform { context, save in
                let work: ConformanceWork = try context.acquire("A")
                work.chapters.append(work.chapters.remove(at: 0))
                try save()
            }
            try expect(try await bench.headings(), is: ["1", "2", "3"], "the headings")
        },
        ConformanceCheck("many to many is kept from either end") { bench in
            try await bench.perform { context, save in
                let works: [ConformanceWork] = try context.acquire(all: ["A", "B"])
                let topic: ConformanceTopic = try context.acquire("sea")
                topic.works = works
                works[0].topics = []
                try expect(topic.works.map(\.title), is: ["B"], "the works of the topic")
                try save()
            }
            let titles = try await bench.read { context in
                try context.first(Request<ConformanceTopic>())?.works.map(\.title)
            }
            try expect(titles, is: ["B"], "the works in the store")
        },
        ConformanceCheck("nullify and cascade hold for objects, requests and wipe") { bench in
            for way in 0..<3 {
                try await bench.saveWork(chapters: "1", "2")
                try await bench.perform { context, save in
                    switch way {
                    case 0: try context.remove(try context.fetch(Request<ConformanceWriter>()))
                    case 1: try context.remove(Request<ConformanceWriter>())
                    default: try context.wipe(ConformanceWriter.self)
                    }
                    let work = try need(try context.first(Request<ConformanceWork>()), "the work")
                    try expect(work.writer == nil, "the work has no writer any more")
                    switch way {
                    case 0: try context.remove(work)
                    case 1: try context.remove(Request<ConformanceWork>())
                    default: try context.wipe(ConformanceWork.self)
                    }
                    try expect(try context.count(Request<ConformanceChapter>()), is: 0, "the chapters left")
                    try save()
                }
            }
        },
        ConformanceCheck("deny is asked when it is saved, in whichever order things are removed") { bench in
            try await bench.saveWork(chapters: "1")
            try await bench.perform { context, save in
                let work: ConformanceWork = try context.acquire("A")
                work.topics = [try context.acquire("sea")]
                try save()
                try context.remove(work)
                try expectError("deleteDenied") {
                    try save()
                } matches: {
                    if case .deleteDenied = $0 { true } else { false }
                }
                try context.remove(Request<ConformanceTopic>())
                try save()
            }
            let count = try await bench.read { try $0.count(Request<ConformanceWork>()) }
            try expect(count, is: 0, "the works left")
        },
        ConformanceCheck("a rollback takes relationships back, at both ends") { bench in
            try await bench.saveWork(chapters: "1", "2")
            try await bench.perform { context, save in
                let work: ConformanceWork = try context.acquire("A")
                let writer = try need(work.writer, "the writer")
                work.writer = nil
                work.chapters = []
                try context.remove(writer)
                try context.rollback()
                try expect(work.writer === writer, "the writer is back")
                try expect(writer.works.count, is: 1, "the works of the writer")
                try expect(work.chapters.count, is: 2, "the chapters")
                try save()
            }
            try expect(try await bench.headings(), is: ["1", "2"], "the headings")
        },
        ConformanceCheck("requests go through relationships") { bench in
            try await bench.saveWork(chapters: "1", "2")
            try await bench.perform { context, save in
                let _: ConformanceWork = try context.acquire("B")
                let byAnn = Request<ConformanceWork>().filter(where: { $0.writer.name == "Ann" })
                try expect(try context.fetch(byAnn).map(\.title), is: ["A"], "Ann's works")
                let others = Request<ConformanceWork>().filter(where: { $0.writer.name != "Ann" })
                try expect(try context.fetch(others).map(\.title), is: ["B"], "works that are not Ann's")
                let long = Request<ConformanceWork>().filter(where: { $0.chapters.count > 1 })
                try expect(try context.count(long), is: 1, "works of two chapters")
                let work: ConformanceWork = try context.acquire("A")
                try expect(try context.count(work.request(\.chapters)), is: 2, "the chapters of A")
            }
        },
    ]
}

extension ConformanceBench {
    /// Saves a work of Ann's with these chapters.
    fileprivate func saveWork(chapters: String..., isolation: isolated (any Actor)? = #isolation) async throws {
        try await perform { context, save in
            let work: ConformanceWork = try context.acquire("A")
            work.writer = try context.acquire("Ann")
            for heading in chapters {
                let chapter: ConformanceChapter = try context.create()
                chapter.heading = heading
                work.chapters.append(chapter)
            }
            try save()
        }
    }

    fileprivate func headings(isolation: isolated (any Actor)? = #isolation) async throws -> [String] {
        try await read { context in
            try context.first(Request<ConformanceWork>())?.chapters.map(\.heading) ?? []
        }
    }
}
