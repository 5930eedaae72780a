import DataKernel
import DataKernelTesting
import Foundation
import KernelSQL
import Testing

@Suite("Requests of very many parts")
struct LargeRequestTests {
    private static func joined(_ count: Int, _ join: (Condition<Car>, Condition<Car>) -> Condition<Car>) -> Condition<
        Car
    > {
        var condition: Condition<Car> = \.year != 1
        for year in 2...count { condition = join(condition, \.year != year) }
        return condition
    }

    /// On 512 KiB of stack, so that nothing may call itself along the conditions, nor let go of them that way.
    private static func onSmallStack(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try work() }) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    private static func filled(_ options: StorageOptions = StorageOptions()) throws -> SQLiteStorage {
        let storage = try garage(options)
        try storage.perform(ephemeral: true) { context, save in
            for (index, model) in ["A", "B", "C"].enumerated() {
                let car: Car = try context.acquire(model)
                car.year = index + 5
                car.number = index == 2 ? nil : index
            }
            try save()
        }
        return storage
    }

    private static func models(_ condition: Condition<Car>, _ storage: SQLiteStorage) throws -> [String] {
        try storage.read { try $0.fetch(Request<Car>().filter(condition).sort(\.model)).map(\.model) }
    }

    @Test("20,000 conditions joined in any way find what they should")
    func right() async throws {
        try await Self.onSmallStack {
            let storage = try Self.filled()
            let count = 20_000
            let none = Self.joined(count) { $0 && $1 }
            #expect(try Self.models(none, storage) == [])
            #expect(try Self.models(!none, storage) == ["A", "B", "C"])
            #expect(try Self.models(Self.joined(count) { $0 || $1 }, storage) == ["A", "B", "C"])
            // What cannot become one list.
            let first: Condition<Car> = \.year < 6
            #expect(try Self.models((7...count).reduce(first) { $0 || \.year > $1 }, storage) == ["A"])
            #expect(try Self.models(!(7...count).reduce(first) { $0 || \.year > $1 }, storage) == ["B", "C"])
            #expect(try Self.models((7...count).reduce(first) { $0 && \.year < $1 }, storage) == ["A"])
            #expect(
                try Self.models((7...count).reduce(first) { $0 && !(\.number == $1) && \.year < $1 }, storage) == ["A"])
            // What can: values of two attributes, among others.
            let mixed = (7...count).reduce(first) { $0 || \.year == $1 + 100 || \.model == "\($1)" || \.price > 1.0e9 }
            #expect(try Self.models(mixed || \.model == "C" || \.number == 1, storage) == ["A", "B", "C"])
            #expect(try Self.models(mixed || \.model == "C", storage) == ["A", "C"])
            let others = (7...count).reduce(!first) { $0 && \.number != $1 && \.model != "\($1)" }
            #expect(try Self.models(others, storage) == ["B", "C"])
            #expect(try Self.models(others && \.model != "C", storage) == ["B"])
        }
    }

    @Test("a chain of 20,000 filters is one of as many conditions")
    func chain() throws {
        let storage = try Self.filled()
        let request = (8...20_000).reduce(Request<Car>()) { $0.filter(\.year < $1).filter(\.number != $1 + 1) }
        #expect(try storage.read { try $0.count(request) } == 3)
    }

    @Test("more conditions than a request may have are an error before any SQL, and go without a deep stack")
    func tooMany() async throws {
        try await Self.onSmallStack {
            let recorder = SQLRecorder()
            let storage = try Self.filled(recorder.options())
            for join in [{ $0 && $1 }, { $0 || $1 }] as [(Condition<Car>, Condition<Car>) -> Condition<Car>] {
                let condition = Self.joined(QueryPredicate.most + 10_000, join)
                _ = recorder.take()
                let error = #expect(throws: KernelError.self) { try Self.models(condition, storage) }
                let message = "\(try #require(error))"
                #expect(message.contains("more than 200000 conditions"))
                #expect(work(recorder.take()).isEmpty)
            }
            // As many as there may be are let go of, too.
            _ = Self.joined(QueryPredicate.most) { $0 && $1 }
        }
    }

    @Test("nested as deeply as they may be, with thousands of terms at each level, they run on a small stack")
    func nested() async throws {
        try await Self.onSmallStack {
            let storage = try Self.filled()
            var condition: Condition<Car> = \.year > 5
            for level in 0..<8 {
                let terms = (100...1_000).reduce(condition) {
                    level.isMultiple(of: 2) ? $0 || \.year > $1 : $0 && \.year < $1
                }
                condition = terms
            }
            #expect(try Self.models(condition, storage) == ["B", "C"])
            #expect(try Self.models(!condition, storage) == ["A"])
        }
    }

    @Test("what SQLite searches for constants, and what its planner looks at, does not grow with the conditions")
    func bounded() throws {
        func sql(_ condition: Condition<Car>) throws -> String {
            QueryCompiler.sql(try Request<Car>().filter(condition).checked(), .ids)
        }
        let first: Condition<Car> = \.year > 0
        for count in [3_000, 6_000, 12_000] {
            for isAnd in [true, false] {
                let text = try sql((1...count).reduce(first) { isAnd ? $0 && \.year > $1 : $0 || \.year > $1 })
                #expect(text.utf8.count < count * 25)
                // No value is a constant, and all but the first of them stand where the planner does not look.
                #expect(text.ranges(of: "?").count == text.ranges(of: "k_value(?)").count)
                #expect(text.contains(" IS TRUE") == (isAnd || count > 4_096))
            }
            let request = try Request<Car>().filter((1...count).reduce(first) { $0 || \.year == $1 }).checked()
            #expect(request.isLarge)
            #expect(
                QueryCompiler.sql(request.gathered, .ids)
                    == #"SELECT "_id" FROM "Car" WHERE "year" > ? OR "year" IN (SELECT value FROM kernel_values(?)) ORDER BY "_id""#
            )
            #expect(QueryCompiler.shape(request.gathered, .ids) == QueryCompiler.shape(request.gathered, .ids))
        }
    }

    @Test("10,000 sorts, and more prefetches than there can be, are errors before any SQL")
    func sortsAndPrefetches() throws {
        let recorder = SQLRecorder()
        let storage = try Self.filled(recorder.options())
        let sorted = (0..<10_000).reduce(Request<Car>()) { request, _ in request.sort(\.year) }
        _ = recorder.take()
        let error = #expect(throws: KernelError.self) { try storage.read { _ = try $0.fetch(sorted) } }
        let message = "\(try #require(error))"
        #expect(message == "Request<Car>: it is sorted by more than 1,000 keys")
        #expect(work(recorder.take()).isEmpty)
        let few = (0..<1_000).reduce(Request<Car>()) { request, _ in request.sort(\.year) }
        #expect(try storage.read { try $0.fetch(few).count } == 3)

        let same = (0..<10_000).reduce(Request<Human>()) { request, _ in request.prefetch("boss") }
        #expect(try same.checked().order.isEmpty && same.prefetches.count == 1)
        func way(_ number: Int) -> String {
            (0..<12).map { number >> $0 & 1 == 0 ? "boss" : "friends" }.joined(separator: ".")
        }
        let many = (0..<4_000).reduce(Request<Human>()) { $0.prefetch(way($1)) }
        #expect(throws: KernelError.self) { try many.check() }
        #expect(many.prefetches.count == 1_000)
    }

    @Test("more relationships than SQLite joins are an error before any SQL")
    func joins() throws {
        let storage = try SQLiteStorage(store: .memory, model: [Ring.self])
        func request(_ steps: Int) -> Request<Ring> {
            Request<Ring>().filter(
                Array(repeating: "next", count: steps).joined(separator: ".") + ".name", equalTo: "a")
        }
        try storage.read { context in
            #expect(try context.count(request(60)) == 0)
            #expect(throws: KernelError.self) { try context.count(request(61)) }
            #expect(try context.count(request(60).sort("next.name")) == 0)
            let error = #expect(throws: KernelError.self) { try context.fetch(request(60).sort("other.name")) }
            let message = "\(try #require(error))"
            #expect(message.contains("more than 60 relationships"))
            // Each sub-query has tables of its own.
            #expect(
                try context.count(request(60).filter(where: { $0.others.contains { $0.next.next.name == "a" } })) == 0)
        }
    }

    @Test("more values than a statement of SQLite takes are an error before any SQL, and fine in a list")
    func values() throws {
        let query = try Request<Car>().filter((2...100).reduce(\.year > 1) { $0 && \.year > $1 }).checked()
        #expect(throws: KernelError.self) { try QueryCompiler.sql(query, .ids, variables: 99) }
        #expect(try QueryCompiler.sql(query, .ids, variables: 100) == QueryCompiler.sql(query, .ids))
        let list = try Request<Car>().filter(.oneOf(\.year, 1...1_000)).checked()
        #expect(try !QueryCompiler.sql(list, .ids, variables: 1).isEmpty)
    }

    @Test("a pattern of more than 50,000 bytes is an error before any SQL")
    func pattern() throws {
        let storage = try Self.filled()
        let pattern = String(repeating: "a", count: 49_999) + "%"
        #expect(try Self.models(.like(\.model, pattern), storage) == [])
        let long: [Request<Car>] = [
            Request<Car>().filter(.like(\.model, "b" + pattern)), Request<Car>().filter("model", like: "b" + pattern),
        ]
        for request in long {
            let error = #expect(throws: KernelError.self) { try request.check() }
            let message = "\(try #require(error))"
            #expect(message.contains("the pattern for model has 50001 bytes"))
        }
        // The others take what the store can hold.
        #expect(try Self.models(.contains(\.model, pattern + pattern), storage) == [])
    }
}

/// Leads on to itself in more than one way.
@Entity
final class Ring {
    var name = ""
    @Relationship(.nullify) var next: Ring?
    @Relationship(.nullify) var other: Ring?
    @Relationship(.nullify) var others: [Ring]
}
