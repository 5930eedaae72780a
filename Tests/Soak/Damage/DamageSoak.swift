import Foundation
import Synchronization
import TestSupport

/// Damages copies of a store in all ways that a seed leads to, and does everything with each. Nothing may happen but what
/// the program asked for and `KernelError`s: no trap, no hang, no other error, no change of what was not touched.
///
/// The variants run in processes of their own, a few hundred in each, so that a trap ends one and is told with its seed.
func damageSoak(_ options: SoakOptions) async throws {
    let count = options.number("variants", default: 20_000)
    if options.number("child", default: 0) != 0 {
        return try await damageChild(first: options.seed, count: count, isTold: options.number("tell", default: 0) != 0)
    }
    let share = 200
    var faults = 0
    for start in stride(from: 0, to: count, by: share) {
        var next = options.seed &+ UInt64(start)
        let end = options.seed &+ UInt64(min(count, start + share))
        // A variant that ends its process is told and left out.
        while next < end {
            let words = ["damage", "--child", "1", "--seed", "\(next)", "--variants", "\(end - next)"]
            let result = try Program(URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()).run(words)
            for line in result.lines where line.hasPrefix("FAULT") {
                say(line)
                faults += 1
            }
            guard result.status != 0 else { break }
            let last = result.lines.last { $0.hasPrefix("at ") }.flatMap { UInt64($0.dropFirst(3)) } ?? next
            say("FAULT variant \(last) ended its process with \(result.status): \(result.errors.suffix(2000))")
            faults += 1
            next = last + 1
        }
        if start % 2000 == 0 { say("\(start + share) variants, \(faults) faults") }
    }
    print("\(count) variants from seed \(options.seed), \(faults) faults")
    if faults > 0 { throw SoakFailure("\(faults) faults") }
}

@MainActor
private func damageChild(first: UInt64, count: Int, isTold: Bool) async throws {
    let folder = try SoakFolder()
    let template = try DamageTemplate()
    let watchdog = Watchdog()
    for seed in first..<first &+ UInt64(count) {
        watchdog.begin(seed)
        say("at \(seed)")
        for fault in try runVariant(seed, template, folder.url.appending(path: "store.db"), isTold: isTold) {
            say("FAULT variant \(seed): \(fault)")
        }
        // Contexts of the main actor are let go by tasks.
        await Task.yield()
    }
}

@MainActor
private func runVariant(_ seed: UInt64, _ template: DamageTemplate, _ url: URL, isTold: Bool) throws -> [String] {
    var variant = DamageVariant(seed: seed)
    var faults: [String] = []
    for phase in 0..<3 {
        variant = DamageVariant(seed: seed)
        try template.copy(variant.kind, to: url)
        try variant.damage(url)
        if isTold, phase == 0 { print(variant.kind, variant.actions) }
        let exercise = DamageExercise(url)
        let before = variant.isRaw ? [] : contents(url)
        switch phase {
        case 0: exercise.read()
        case 1: exercise.change()
        default: exercise.migrate()
        }
        faults += exercise.faults.map { "\($0) after \(variant.actions)" }
        if phase == 0, !variant.isRaw, contents(url) != before {
            faults.append("reading changed rows after \(variant.actions)")
        }
    }
    return faults
}

/// Writes a line at once: a process that ends by a trap leaves nothing in a buffer.
private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// All rows of the model's tables.
private func contents(_ url: URL) -> [String] {
    guard let database = try? RawDatabase(url), let tables = try? database.tables else { return [] }
    var found: [String] = []
    for table in tables where !table.hasPrefix("kernel_") {
        found.append(table)
        found += (try? database.rows(table)) ?? []
    }
    return found
}

/// Ends the process when a variant takes too long.
private final class Watchdog: Sendable {
    private let state = Mutex<(seed: UInt64, since: ContinuousClock.Instant)>((0, .now))

    init() {
        Thread.detachNewThread { [self] in
            while true {
                sleep(1)
                let (seed, since) = state.withLock { $0 }
                guard ContinuousClock.now - since > .seconds(60) else { continue }
                FileHandle.standardError.write(Data("variant \(seed) hangs\n".utf8))
                _exit(75)
            }
        }
    }

    func begin(_ seed: UInt64) { state.withLock { $0 = (seed, .now) } }
}
