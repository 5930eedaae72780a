import Foundation
import Testing

/// Random units of work beside a naive model. A failure prints its seed; `DATAKERNEL_SEED=…` replays it, and
/// `DATAKERNEL_STEPS=…` makes a run longer.
@Suite("Random units of work")
@MainActor
struct RandomisedTests {
    nonisolated static var seeds: [UInt64] {
        if let seed = ProcessInfo.processInfo.environment["DATAKERNEL_SEED"].flatMap(UInt64.init) { return [seed] }
        return [1, 2, 3, 4, UInt64.random(in: 5 ... .max)]
    }

    @Test("do what a naive model does", arguments: seeds)
    func agree(seed: UInt64) throws {
        let steps = ProcessInfo.processInfo.environment["DATAKERNEL_STEPS"].flatMap(Int.init) ?? 600
        let world = try RandomWorld(seed: seed)
        let observer = Observer(world.storage)
        do {
            for step in 0..<steps {
                world.step = step
                try world.unit()
                try observer.check(world.model.committed, "seed \(seed), step \(step)", &world.random)
                if step % 50 == 49 { try world.checkFile() }
            }
        } catch {
            Issue.record("seed \(seed), step \(world.step): \(error)\n\(world.log.suffix(40).joined(separator: "\n"))")
        }
    }
}
