import KernelSQLite
import Testing

@testable import DataKernel

/// An entity and attributes called like words of SQL.
@Entity(indexes: [["group", "select"]])
private final class Order {
    @Attribute(.primaryKey) var index = 0
    var group = ""
    @Attribute(.indexed) var select: String?
    var `where` = 0
}

@Suite("Requests that run")
struct RequestRunTests {
    @Test("with other values render and prepare nothing")
    func planCache() throws {
        let storage = try garage()
        try storage.save(["A", "B"])
        try storage.perform(ephemeral: true) { context, _ in
            let channel = try #require(context as? UnitContext).channel
            func ask(_ model: String, _ year: Int) throws {
                let request = Request<Car>().filter(\.model == model && \.year >= year).sort(\.mark).limit(5)
                _ = try context.fetch(request)
                _ = try context.count(request)
                let _: Car = try context.acquire("A")
            }
            try ask("A", 0)
            let renderings = channel.renderings
            let prepares = channel.connection.counters.prepares
            for number in 0..<50 { try ask("model \(number)", number) }
            #expect(channel.renderings == renderings)
            #expect(channel.connection.counters.prepares == prepares)
        }
    }

    @Test("take words of SQL as names of entities and attributes")
    func names() throws {
        let storage = try SQLiteStorage(store: .memory, model: [Order.self])
        try storage.perform(ephemeral: true) { context, save in
            for index in 0..<5 {
                let order: Order = try context.acquire(index)
                order.group = "g\(index % 2)"
                order.select = index == 3 ? nil : "s"
                order.where = index * 10
            }
            try save()
            let found = try context.fetch(
                Request<Order>().filter(\.group == "g1" && \.select == nil).sort(\.where, .descending))
            #expect(found.map(\.index) == [3])
            found[0].where = 1
            try save()
            #expect(try context.remove(Request<Order>().filter("where", greaterThan: 15)) == 2)
            #expect(try context.count(Request<Order>().filter("select", oneOf: ["s"])) == 2)
        }
    }

    @Test("find 300,000 values in one list, with sort and limit right")
    func longList() throws {
        let storage = try garage()
        try storage.save((0..<20).map { "model \($0)" })
        let values = (0..<300_000).map { "model \($0 * 2)" }
        let found = try storage.read { context in
            try context.fetch(Request<Car>().filter(\.model, oneOf: values).sort(\.model, .descending).limit(3)).map(
                \.model)
        }
        #expect(found == ["model 8", "model 6", "model 4"])
        #expect(try storage.read { try $0.count(Request<Car>().filter(\.model, oneOf: values)) } == 10)
    }
}
