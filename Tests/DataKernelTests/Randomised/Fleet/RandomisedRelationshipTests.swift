import Foundation
import Testing

/// Random units of work on related objects beside a naive model. A failure prints its seed; `DATAKERNEL_SEED=…` replays it,
/// `DATAKERNEL_STEPS=…` makes a run longer, and `DATAKERNEL_LOG=1` prints each step, for what stops the program.
@Suite("Random units of work on related objects")
@MainActor
struct RandomisedRelationshipTests {
    @Test("do what a naive model does", arguments: RandomisedTests.seeds)
    func agree(seed: UInt64) throws {
        let steps = ProcessInfo.processInfo.environment["DATAKERNEL_STEPS"].flatMap(Int.init) ?? 800
        let world = try FleetWorld(seed: seed)
        let observer = FleetObserver(world.storages[0])
        do {
            while world.step < steps {
                let isOther = try world.unit()
                try observer.check(world, isOther)
            }
            try world.checkFile()
        } catch {
            let log = world.log.suffix(60).joined(separator: "\n")
            Issue.record("seed \(seed), step \(world.step): \(error)\n\(log)")
        }
    }
}
