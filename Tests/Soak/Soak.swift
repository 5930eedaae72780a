import Foundation
import Synchronization

/// A long run. It throws when something was wrong.
struct Soak {
    let name: String
    let options: [String]
    let purpose: String
    let run: @MainActor (SoakOptions) async throws -> Void

    init(
        _ name: String, _ options: String, _ purpose: String,
        _ run: @escaping @MainActor (SoakOptions) async throws -> Void
    ) {
        self.name = name
        self.options = options.split(separator: " ").map(String.init)
        self.purpose = purpose
        self.run = run
    }
}

/// The numbers after a soak's name: `--rounds 100 --seed 7`.
struct SoakOptions: Sendable {
    private var values: [String: Int] = [:]
    /// Printed by the soak, so that a failed run can be repeated.
    let seed: UInt64

    init(_ soak: Soak, _ words: ArraySlice<String>) throws {
        var words = words
        while let word = words.popFirst() {
            guard word.hasPrefix("--"), soak.options.contains(String(word.dropFirst(2))),
                let value = words.popFirst().flatMap(Int.init)
            else { throw SoakFailure("\(word) is no option of \(soak.name), or has no number") }
            values[String(word.dropFirst(2))] = value
        }
        seed = values["seed"].map { UInt64(truncatingIfNeeded: $0) } ?? UInt64.random(in: 1...1_000_000_000)
        print("\(soak.name): seed \(seed)")
    }

    func number(_ name: String, default value: Int) -> Int { values[name] ?? value }
}

struct SoakFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A generator whose numbers follow from its seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// What the threads of a soak count, and what went wrong in them.
final class Tally: Sendable {
    private struct State {
        var counts: [String: Int] = [:]
        var failures: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let isStopped = Atomic(false)

    /// Whether the threads are to end: the run is over, or something went wrong.
    var isOver: Bool { isStopped.load(ordering: .relaxed) }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    func count(_ what: String) { state.withLock { $0.counts[what, default: 0] += 1 } }

    func fail(_ what: String) {
        state.withLock { $0.failures[what, default: 0] += 1 }
        stop()
    }

    /// Prints the counts. Throws if something went wrong.
    func report() throws {
        let state = state.withLock { $0 }
        print(state.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        guard state.failures.isEmpty else {
            throw SoakFailure(state.failures.map { "\($0.key) (\($0.value) times)" }.joined(separator: "\n"))
        }
    }
}

/// A folder that is removed with the value.
final class SoakFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "Soak-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// Runs a block on a thread of its own.
func onThread(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            work()
            continuation.resume()
        }
    }
}
