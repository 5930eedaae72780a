import DataKernel
import Foundation

/// The sum of all amounts is a constant while the store is there.
@Entity
final class Account {
    @Attribute(.primaryKey) var number = 0
    var amount = 100
}

/// Wipes and restores a store, round after round, while threads, tasks and the main actor read and write it.
///
/// Allowed: what ended before the wipe, and `storeClosed`. A reader sees all accounts or none, and their sum.
func wipeSoak(_ options: SoakOptions) async throws {
    let run = try WipeRun(options)
    let rounds = options.number("rounds", default: 10_000)
    let readers = options.number("readers", default: 8)
    await withTaskGroup { group in
        for reader in 0..<readers {
            group.addTask { await onThread { run.readOnThread(options.seed &+ UInt64(reader) &+ 1) } }
        }
        group.addTask { await run.readInTask(options.seed &+ 1000) }
        group.addTask { await run.lookOn() }
        group.addTask { await onThread { run.wipe(rounds: rounds, seed: options.seed) } }
    }
    try run.tally.report()
    try run.storage.wipeStore()
}

private final class WipeRun: Sendable {
    private static let accounts = 20

    let storage: SQLiteStorage
    let tally = Tally()
    // Keeps the folder until the end of the run; never used.
    private nonisolated(unsafe) let folder: SoakFolder

    init(_ options: SoakOptions) throws {
        folder = try SoakFolder()
        let store: StoreRef =
            options.number("memory", default: 0) == 0 ? .url(folder.url.appending(path: "store.db")) : .memory
        storage = try SQLiteStorage(
            store: store, model: [Account.self], options: StorageOptions(durability: .normal))
        try fill()
    }

    private func fill() throws {
        try storage.perform(ephemeral: true) { context, save in
            for number in 0..<Self.accounts { let _: Account = try context.acquire(number) }
            try save()
        }
    }

    // MARK: Who wipes

    func wipe(rounds: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        defer { tally.stop() }
        for _ in 0..<rounds where !tally.isOver {
            do {
                try storage.wipeStore()
                if Bool.random(using: &random) { pause(&random) }
                try storage.restoreStore()
                try fill()
                if Bool.random(using: &random) { pause(&random) }
                tally.count("rounds")
            } catch {
                tally.fail("wiping: \(error)")
            }
        }
    }

    private func pause(_ random: inout SeededGenerator) { usleep(UInt32.random(in: 0..<2000, using: &random)) }

    // MARK: Who reads and writes

    func readOnThread(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        while !tally.isOver {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: attempt("unit") { try storage.perform(ephemeral: true) { try self.move($0, $1, 1) } }
            case 1: attempt("save context") { try storage.perform(ephemeral: false) { try self.move($0, $1, 2) } }
            case 2:
                let wait = UInt32.random(in: 0..<3000, using: &random)
                attempt("long read") {
                    try storage.read { context in
                        try self.check(context)
                        usleep(wait)
                        try self.check(context)
                    }
                }
            default: attempt("read") { try storage.read { try self.check($0) } }
            }
        }
    }

    func readInTask(_ seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        while !tally.isOver {
            do {
                if Int.random(in: 0..<4, using: &random) == 0 {
                    try await storage.perform(ephemeral: true) { try self.move($0, $1, 3) }
                } else {
                    try await storage.read { try self.check($0) }
                }
                tally.count("async")
            } catch {
                judge("async", error)
            }
        }
    }

    @MainActor func lookOn() async {
        while !tally.isOver {
            attempt("uiContext") {
                let context = storage.uiContext
                let accounts = try context.fetch(Request<Account>())
                guard accounts.isEmpty || accounts.count == Self.accounts else {
                    throw SoakFailure("\(accounts.count) accounts")
                }
            }
            await Task.yield()
        }
    }

    private func move(_ context: any Context, _ save: Save, _ amount: Int) throws {
        let accounts = try context.fetch(Request<Account>())
        guard let first = accounts.first, let last = accounts.last else { return }
        first.amount -= amount
        last.amount += amount
        try save()
    }

    private func check(_ context: any ReadContext) throws {
        let accounts = try context.fetch(Request<Account>())
        let sum = accounts.reduce(0) { $0 + $1.amount }
        guard accounts.isEmpty || sum == Self.accounts * 100 else {
            throw SoakFailure("\(accounts.count) accounts with the sum \(sum)")
        }
    }

    private func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
            tally.count(what)
        } catch {
            judge(what, error)
        }
    }

    private func judge(_ what: String, _ error: any Error) {
        guard case KernelError.storeClosed = error else { return tally.fail("\(what): \(error)") }
        tally.count("closed")
    }
}
