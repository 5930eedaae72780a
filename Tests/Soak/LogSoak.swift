import DataKernel
import Foundation
import Synchronization

/// Readers come and go while a writer saves. Now and then nobody reads: then the log must be short, by the end of the
/// last read or by the next save.
func logSoak(_ options: SoakOptions) async throws {
    let run = try LogRun(options)
    await withTaskGroup { group in
        for reader in 0..<options.number("readers", default: 4) {
            group.addTask { await onThread { run.read(options.seed &+ UInt64(reader) &+ 1) } }
        }
        group.addTask { await onThread { run.write(options.seed) } }
    }
    print("longest log \(run.longest.withLock { $0 }) bytes, longest save \(run.slowest.withLock { $0 })")
    try run.tally.report()
}

private final class LogRun: Sendable {
    /// What the article on performance says.
    private static let limit = 4 << 20

    let tally = Tally()
    let longest = Mutex(0)
    let slowest = Mutex(Duration.zero)
    private let file: URL
    private let storage: SQLiteStorage
    private let end: ContinuousClock.Instant
    /// How many readers read, or are about to look whether they may.
    private let reading = Mutex(0)
    private let isQuiet = Atomic(false)
    // Keeps the folder until the end of the run; never used.
    private nonisolated(unsafe) let folder: SoakFolder

    init(_ options: SoakOptions) throws {
        folder = try SoakFolder()
        file = folder.url.appending(path: "store.db")
        end = .now + .seconds(options.number("seconds", default: 600))
        storage = try SQLiteStorage(
            store: .url(file), model: [Account.self], options: StorageOptions(durability: .normal))
        try storage.perform(ephemeral: true) { context, save in
            for number in 0..<5000 { let _: Account = try context.acquire(number) }
            try save()
        }
    }

    private var logSize: Int {
        (try? FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int) ?? 0
    }

    func read(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        while !tally.isOver {
            usleep(UInt32.random(in: 0..<20_000, using: &random))
            reading.withLock { $0 += 1 }
            defer { reading.withLock { $0 -= 1 } }
            guard !isQuiet.load(ordering: .sequentiallyConsistent) else { continue }
            let isLong = Int.random(in: 0..<50, using: &random) == 0
            let length = UInt32.random(in: 0..<(isLong ? 2_000_000 : 50_000), using: &random)
            do {
                try storage.read { context in
                    let first = try context.fetch(Request<Account>()).reduce(0) { $0 + $1.amount }
                    usleep(length)
                    let second = try context.fetch(Request<Account>()).reduce(0) { $0 + $1.amount }
                    guard first == second else { throw SoakFailure("\(first) became \(second)") }
                }
                tally.count(isLong ? "long reads" : "reads")
            } catch {
                tally.fail("read: \(error)")
            }
        }
    }

    func write(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        defer { tally.stop() }
        while !tally.isOver, ContinuousClock.now < end {
            for _ in 0..<Int.random(in: 1..<200, using: &random) {
                save(Int.random(in: 1..<1000, using: &random))
                longest.withLock { $0 = max($0, logSize) }
                usleep(UInt32.random(in: 0..<5000, using: &random))
            }
            isQuiet.store(true, ordering: .sequentiallyConsistent)
            while reading.withLock({ $0 }) > 0 { usleep(1000) }
            if Bool.random(using: &random) { save(1) }
            if logSize > Self.limit { tally.fail("the log of a quiet store has \(logSize) bytes") }
            tally.count("quiet moments")
            isQuiet.store(false, ordering: .sequentiallyConsistent)
        }
    }

    private func save(_ count: Int) {
        do {
            let start = ContinuousClock.now
            try storage.perform(ephemeral: true) { context, save in
                for account in try context.fetch(Request<Account>().limit(count)) { account.amount += 1 }
                try save()
            }
            slowest.withLock { $0 = max($0, .now - start) }
            tally.count("saves")
        } catch {
            tally.fail("save: \(error)")
        }
    }
}
