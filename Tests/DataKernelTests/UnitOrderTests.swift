import DataKernel
import Synchronization
import Testing

@Suite("Async units of one actor")
struct UnitOrderTests {
    @Test("run in the order in which they were asked for")
    func order() async throws {
        let storage = try garage()
        for round in 0..<50 {
            let clerk = Clerk(storage)
            let (asked, ran) = try await clerk.work(units: 100)
            #expect(ran == asked, "round \(round)")
        }
    }

    @Test("run in the order in which the main actor asked for them")
    @MainActor func mainActor() async throws {
        let storage = try garage()
        for round in 0..<10 {
            var asked: [Int] = []
            let ran = Log()
            let tasks = (0..<100).map { number in
                Task { @MainActor in
                    asked.append(number)
                    try await storage.perform(ephemeral: true) { _, _ in ran.add(number) }
                }
            }
            for task in tasks { try await task.value }
            #expect(ran.numbers == asked, "round \(round)")
        }
    }
}

/// The numbers of the units, as they ran.
private final class Log: Sendable {
    private let list = Mutex<[Int]>([])
    var numbers: [Int] { list.withLock { $0 } }
    func add(_ number: Int) { list.withLock { $0.append(number) } }
}

private actor Clerk {
    private let storage: SQLiteStorage
    private var asked: [Int] = []
    private let ran = Log()

    init(_ storage: SQLiteStorage) { self.storage = storage }

    func work(units: Int) async throws -> ([Int], [Int]) {
        let tasks = (0..<units).map { number in Task { try await ask(number) } }
        for task in tasks { try await task.value }
        return (asked, ran.numbers)
    }

    private func ask(_ number: Int) async throws {
        asked.append(number)
        let ran = ran
        try await storage.perform(ephemeral: true) { _, _ in ran.add(number) }
    }
}
