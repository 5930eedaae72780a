import DataKernel
import Synchronization

/// Asks for units on one actor, a hundred at a time, and compares the order in which they ran.
func orderSoak(_ options: SoakOptions) async throws {
    let storage = try SQLiteStorage(store: .memory, model: [Account.self])
    for round in 0..<options.number("rounds", default: 1000) {
        let clerk = Clerk(storage)
        let (asked, ran) = try await clerk.work(units: options.number("units", default: 100))
        guard asked == ran else { throw SoakFailure("round \(round): asked \(asked), ran \(ran)") }
    }
}

private actor Clerk {
    private let storage: SQLiteStorage
    private var asked: [Int] = []

    init(_ storage: SQLiteStorage) { self.storage = storage }

    func work(units: Int) async throws -> ([Int], [Int]) {
        let ran = Ran()
        let tasks = (0..<units).map { number in Task { try await ask(number, ran) } }
        for task in tasks { try await task.value }
        return (asked, ran.numbers.withLock { $0 })
    }

    private func ask(_ number: Int, _ ran: Ran) async throws {
        asked.append(number)
        try await storage.perform(ephemeral: true) { _, _ in ran.numbers.withLock { $0.append(number) } }
    }
}

private final class Ran: Sendable {
    let numbers = Mutex<[Int]>([])
}
