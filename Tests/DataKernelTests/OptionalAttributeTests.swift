import DataKernel
import Foundation
import KernelSQLite
import Testing

@Entity
private final class Sheet {
    @Attribute(.primaryKey) var name = ""
    var count: Int?
    var large: Int64?
    var small: Int8?
    var weight: Double?
    var title: String?
    var date: Date?
    var isDone: Bool?
    var kind: Kind?
    var bytes: Data?
    var link: URL?

    enum Kind: String, AttributeValue { case optional, kernelOptional }
}

@Suite("Optional attributes")
struct OptionalAttributeTests {
    @Test("are nil where there is NULL, and the value where there is one")
    func roundTrip() throws {
        let storage = try SQLiteStorage(store: .memory, model: [Sheet.self])
        let date = Date(timeIntervalSinceReferenceDate: 0.5)
        try storage.perform(ephemeral: true) { context, save in
            let full: Sheet = try context.acquire("full")
            (full.count, full.large, full.small, full.weight) = (.min, .max, -128, -0.5)
            (full.title, full.date, full.isDone, full.kind) = ("", date, false, .kernelOptional)
            (full.bytes, full.link) = (Data(), URL(string: "https://a.b/ä?c"))
            let _: Sheet = try context.acquire("none")
            try save()
        }
        try storage.read { context in
            let full = try #require(try context.first(Request<Sheet>().filter(\.name == "full")))
            #expect(full.count == .min && full.large == .max && full.small == -128 && full.weight == -0.5)
            #expect(full.title == "" && full.date == date && full.isDone == false && full.kind == .kernelOptional)
            #expect(full.bytes == Data() && full.link == URL(string: "https://a.b/ä?c"))
            let none = try #require(try context.first(Request<Sheet>().filter(\.name == "none")))
            #expect(none.count == nil && none.large == nil && none.small == nil && none.weight == nil)
            #expect(none.title == nil && none.date == nil && none.isDone == nil && none.kind == nil)
            #expect(none.bytes == nil && none.link == nil)
        }
    }

    @Test(
        "say what they found where something else stands",
        arguments: [
            ("count", "x'00'", "data where an integer"), ("large", "1.5", "a real number where an integer"),
            ("small", "'x'", "text where an integer"), ("weight", "'heavy'", "text where a number"),
            ("title", "x'41'", "data where text"), ("title", "CAST(x'ff' AS TEXT)", "text that is not valid UTF-8"),
            ("date", "'today'", "text where a number"), ("isDone", "x'01'", "data where an integer"),
            ("kind", "x'00'", "data where text"), ("bytes", "'text'", "text where data"),
            ("link", "x'00'", "data where text"),
        ])
    func wrong(attribute: String, value: String, found: String) throws {
        let folder = try Folder()
        let storage = try SQLiteStorage(store: .url(folder.file()), model: [Sheet.self])
        try storage.perform(ephemeral: true) { context, save in
            let _: Sheet = try context.acquire("A")
            try save()
        }
        let file = try Connection(path: folder.file().path, role: .writer)
        try file.execute("UPDATE Sheet SET \(attribute) = \(value)")
        try storage.read { context in
            let error = #expect(throws: KernelError.self) { try context.fetch(Request<Sheet>()) }
            #expect(error?.description.hasPrefix("Sheet.\(attribute) of row ") == true)
            #expect(error?.description.contains(" holds \(found)") == true, "\(error?.description ?? "")")
        }
    }
}
