internal import DataKernel
internal import Foundation

// What a save promises.
extension ConformanceCheck {
    static let saves: [ConformanceCheck] = [
        ConformanceCheck("a unit may save several times") { bench in
            try await bench.perform { context, save in
                let book: ConformanceBook = try context.acquire("A")
                try save()
                book.pages = 10
                try save()
                book.pages = 20
            }
            let pages = try await bench.read { try $0.fetch(Request<ConformanceBook>()).map(\.pages) }
            try expect(pages, is: [10], "the pages")
        },
        ConformanceCheck("an equal value is no change") { bench in
            try await bench.save("A")
            try await bench.perform { context, _ in
                let book: ConformanceBook = try context.acquire("A")
                book.pages = 0
                try expect(!book.hasChanges && !context.hasChanges, "nothing has changed")
                book.pages = 3
                try expect(book.changedAttributes, is: ["pages"], "the changed attributes")
                book.pages = 0
                try expect(!context.hasChanges, "nothing has changed after going back")
            }
        },
        ConformanceCheck("a save that fails leaves the store untouched, the changes pending, and can be mended") {
            bench in
            try await bench.save("A", "B")
            try await bench.perform { context, save in
                let b: ConformanceBook = try context.acquire("B")
                b.pages = 5
                let twin: ConformanceBook = try context.create()
                twin.title = "A"
                try expectError("uniqueViolation of ConformanceBook.title") {
                    try save()
                } matches: {
                    if case .uniqueViolation("ConformanceBook", ["title"], _) = $0 { true } else { false }
                }
                try expect(context.hasChanges && b.hasChanges && twin.isInserted, "the changes are pending")
                twin.title = "C"
                try save()
                try expect(!context.hasChanges, "nothing is pending after the save")
            }
            try expect(try await bench.titles(), is: ["A", "B", "C"], "the titles")
            let five = try await bench.read {
                try $0.count(Request<ConformanceBook>().filter("pages", equalTo: 5))
            }
            try expect(five, is: 1, "books of 5 pages")
        },
        ConformanceCheck("a unit after one whose save failed is not affected") { bench in
            try await bench.save("A")
            var failed = false
            do {
                try await bench.save("A")
            } catch is KernelError {
                failed = true
            }
            try expect(failed, "saving the same primary key twice fails")
            try await bench.save("B")
            try expect(try await bench.titles(), is: ["A", "B"], "the titles")
        },
        ConformanceCheck("two objects swap unique values in one save") { bench in
            try await bench.save("A", "B")
            try await bench.perform { context, save in
                let books = try context.fetch(Request<ConformanceBook>().sort("title"))
                books[0].title = "B"
                books[1].title = "A"
                books[0].pages = 1
                try save()
            }
            let pages = try await bench.read { try $0.fetch(Request<ConformanceBook>().sort("title")).map(\.pages) }
            try expect(pages, is: [0, 1], "the pages in the order of the titles")
        },
        ConformanceCheck("a new object takes the unique values of one removed in the same save") { bench in
            try await bench.perform { context, save in
                let old: ConformanceBook = try context.acquire("A")
                (old.shelf, old.place) = ("top", 1)
                try save()
                try context.remove(old)
                let new: ConformanceBook = try context.create()
                (new.title, new.shelf, new.place) = ("A", "top", 1)
                new.pages = 9
                try save()
            }
            let pages = try await bench.read { try $0.fetch(Request<ConformanceBook>()).map(\.pages) }
            try expect(pages, is: [9], "the pages")
        },
        ConformanceCheck("rollback undoes everything since the last save") { bench in
            try await bench.save("A", "B")
            try await bench.perform { context, save in
                let a: ConformanceBook = try context.acquire("A")
                let b: ConformanceBook = try context.acquire("B")
                a.pages = 1
                try save()
                a.pages = 2
                try context.remove(b)
                let c: ConformanceBook = try context.acquire("C")
                try expect(b.isDeleted, "the removed object says so")
                try context.rollback()
                try expect(a.pages, is: 1, "the pages after the rollback")
                try expect(!b.isDeleted && !context.hasChanges, "the removal is undone")
                try expect(c.objectID.row, is: 0, "the row of an object whose creation was undone")
                let all = try context.fetch(Request<ConformanceBook>().sort("title"))
                try expect(all.count == 2 && all[0] === a && all[1] === b, "the same objects are there")
            }
        },
        ConformanceCheck("every value comes back as it went in") { bench in
            let uuid = UUID()
            let price = Decimal(string: "12345678901234567890.123456789") ?? 0
            let date = Date(timeIntervalSinceReferenceDate: 683_521_234.123456789)
            try await bench.perform { context, save in
                let values: ConformanceValues = try context.create()
                (values.flag, values.small, values.large) = (true, -128, .min)
                (values.unsigned, values.ratio, values.price) = (UInt64(Int64.max), .infinity, price)
                (values.text, values.data, values.date) = ("%_\\\"'; 🚲\n", Data([0, 255]), date)
                (values.uuid, values.words, values.bytes) = (uuid, "", Data())
                try save()
            }
            try await bench.read { context in
                let values = try need(try context.first(Request<ConformanceValues>()), "the saved object")
                try expect(values.flag, is: true, "flag")
                try expect(values.small, is: -128, "small")
                try expect(values.large, is: .min, "large")
                try expect(values.unsigned, is: UInt64(Int64.max), "unsigned")
                try expect(values.ratio, is: .infinity, "ratio")
                try expect(values.price, is: price, "price")
                try expect(values.text, is: "%_\\\"'; 🚲\n", "text")
                try expect(values.data, is: Data([0, 255]), "data")
                try expect(values.date, is: date, "date")
                try expect(values.uuid, is: uuid, "uuid")
                try expect(values.words, is: "", "an empty text that is not nil")
                try expect(values.bytes, is: Data(), "empty data that are not nil")
            }
        },
        ConformanceCheck("a value that the store cannot hold is refused with the attribute's name") { bench in
            try await bench.perform { context, save in
                let values: ConformanceValues = try context.create()
                values.ratio = .nan
                try expectError("invalidValue of ConformanceValues.ratio") {
                    try save()
                } matches: {
                    if case .invalidValue("ConformanceValues", "ratio", _) = $0 { true } else { false }
                }
                values.ratio = 1
                try save()
            }
        },
    ]
}
