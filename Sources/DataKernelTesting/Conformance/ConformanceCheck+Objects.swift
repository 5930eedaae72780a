internal import DataKernel

// What identity, ids and acquire promise.
extension ConformanceCheck {
    static let objects: [ConformanceCheck] = [
        ConformanceCheck("in one context a row is one object") { bench in
            try await bench.save("A")
            try await bench.perform { context, save in
                let a: ConformanceBook = try context.acquire("A")
                let again = try context.fetch(Request<ConformanceBook>())
                try expect(again.count == 1 && again[0] === a, "fetch gives the object that acquire gave")
                try expect(try context.object(with: a.objectID, as: ConformanceBook.self) === a, "so does its id")
                let b: ConformanceBook = try context.create()
                b.title = "B"
                let found: ConformanceBook = try context.acquire("B")
                try expect(found === b, "acquire finds an object that is not saved")
                try save()
                let saved = try context.first(Request<ConformanceBook>().filter("title", equalTo: "B"))
                try expect(saved === b, "so does a fetch after the save")
            }
        },
        ConformanceCheck("acquire finds the object or creates it, and changes nothing else") { bench in
            try await bench.perform { context, save in
                let a: ConformanceBook = try context.acquire("A")
                try expect(a.isInserted && a.title == "A", "the object is new and has the key")
                a.author = "Ann"
                try save()
            }
            try await bench.perform { context, _ in
                let a: ConformanceBook = try context.acquire("A")
                try expect(a.author, is: "Ann", "the author of the acquired object")
                try expect(!context.hasChanges, "acquiring an existing object changes nothing")
            }
        },
        ConformanceCheck("acquire of many keeps the order, and equal keys give the same object") { bench in
            try await bench.save("A", "C")
            try await bench.perform { context, save in
                let books: [ConformanceBook] = try context.acquire(all: ["C", "B", "A", "B"])
                try expect(books.map(\.title), is: ["C", "B", "A", "B"], "the titles")
                try expect(books[1] === books[3], "equal keys give the same object")
                try save()
            }
            try expect(try await bench.titles(), is: ["A", "B", "C"], "the titles in the store")
        },
        ConformanceCheck("acquire of many has no limit that a program would meet") { bench in
            try await bench.save("1", "70000")
            let inserted = try await bench.perform { context, save in
                let books: [ConformanceBook] = try context.acquire(all: (1...70_000).lazy.map { String($0) })
                let inserted = books.count { $0.isInserted }
                try context.rollback()
                return inserted
            }
            try expect(inserted, is: 69_998, "how many were created")
        },
        ConformanceCheck("acquire without a primary key, or with a value of another type, is an error") { bench in
            try await bench.perform { context, _ in
                try expectError("noPrimaryKey") {
                    let _: ConformanceValues = try context.acquire("A")
                } matches: {
                    if case .noPrimaryKey("ConformanceValues") = $0 { true } else { false }
                }
                try expectError("wrongKeyType") {
                    let _: ConformanceBook = try context.acquire(7)
                } matches: {
                    if case .wrongKeyType("ConformanceBook", "title", _, _) = $0 { true } else { false }
                }
            }
        },
        ConformanceCheck("an id is permanent from create on and carries the object to other contexts") { bench in
            let id = try await bench.perform { context, save in
                let a: ConformanceBook = try context.create()
                a.title = "A"
                let id = a.objectID
                try save()
                try expect(a.objectID, is: id, "the id after the save")
                return id
            }
            let title = try await bench.read { try $0.object(with: id, as: ConformanceBook.self)?.title }
            try expect(title, is: "A", "the title of the object with that id")
        },
        ConformanceCheck("an id is never given to another object") { bench in
            var seen: Set<ObjectID> = []
            for _ in 0..<3 {
                let id = try await bench.perform { context, save in
                    let book: ConformanceBook = try context.acquire("A")
                    let id = book.objectID
                    try save()
                    try context.wipe(ConformanceBook.self)
                    try save()
                    return id
                }
                try expect(seen.insert(id).inserted, "\(id) is given once")
                let gone = try await bench.read { try $0.object(with: id, as: ConformanceBook.self) == nil }
                try expect(gone, "no object has the id of a removed one")
            }
        },
        ConformanceCheck("an object of another context is refused") { bench in
            try await bench.save("A")
            try await bench.perform { context, _ in
                let a: ConformanceBook = try context.acquire("A")
                try context.perform { child, _ in
                    try expectError("foreignObject") {
                        try child.remove(a)
                    } matches: {
                        if case .foreignObject("ConformanceBook") = $0 { true } else { false }
                    }
                }
            }
        },
        ConformanceCheck("an object that is changed and let go is saved") { bench in
            try await bench.save("A", "B")
            try await bench.perform { context, save in
                for title in ["A", "B"] {
                    let book: ConformanceBook = try context.acquire(title)
                    book.pages = 4
                }
                try save()
            }
            let count = try await bench.read { try $0.count(Request<ConformanceBook>().filter("pages", equalTo: 4)) }
            try expect(count, is: 2, "books of 4 pages")
        },
        ConformanceCheck("refresh reads the row again and keeps unsaved edits") { bench in
            try await bench.save("A")
            try await bench.perform { context, save in
                let a: ConformanceBook = try context.acquire("A")
                a.pages = 1
                try context.perform { child, save in
                    let twin: ConformanceBook = try child.acquire("A")
                    twin.author = "Ann"
                    try save()
                }
                try context.refresh(a)
                try expect(a.author, is: "Ann", "the author")
                try expect(a.pages, is: 1, "the pages")
            }
        },
        ConformanceCheck("a transient property is not stored") { bench in
            try await bench.perform { context, save in
                let a: ConformanceBook = try context.acquire("A")
                a.isOpen = true
                try save()
            }
            let isOpen = try await bench.read { try $0.first(Request<ConformanceBook>())?.isOpen }
            try expect(isOpen, is: false, "the transient property of a fetched object")
        },
    ]
}
