import DataKernel
import Foundation
import KernelSQLite
import Testing

/// Units of work of random steps, in ephemeral, long-lived and nested contexts, against a naive model.
///
/// A failure prints its seed. `DATAKERNEL_SEED=… DATAKERNEL_STEPS=… swift test --filter Randomised` runs it again.
@Suite("A randomised run")
@MainActor
struct RandomisedTests {
    nonisolated static var seeds: [UInt64] {
        if let seed = ProcessInfo.processInfo.environment["DATAKERNEL_SEED"].flatMap(UInt64.init) { return [seed] }
        return [1, 2, 3, UInt64.random(in: 4 ... .max)]
    }

    nonisolated static var steps: Int {
        ProcessInfo.processInfo.environment["DATAKERNEL_STEPS"].flatMap(Int.init) ?? 2_500
    }

    @Test("agrees with the naive model, in memory", arguments: seeds)
    func memory(seed: UInt64) throws {
        try RandomisedRun(try garage(), seed: seed, steps: RandomisedTests.steps).run()
    }

    @Test("agrees with the naive model, in a file that stays whole")
    func file() throws {
        let folder = try Folder()
        let seed = RandomisedTests.seeds.last ?? 1
        let storage = try folder.storage(options: StorageOptions(durability: .normal))
        try RandomisedRun(storage, seed: seed, steps: RandomisedTests.steps).run()
        let connection = try Connection(path: folder.file().path, role: .reader)
        var report: [String] = []
        try connection.rows(SQLText("PRAGMA integrity_check")) { _ in
        } each: { row in
            row.base = 0
            report.append(try row.text(0))
        }
        #expect(report == ["ok"])
    }
}
