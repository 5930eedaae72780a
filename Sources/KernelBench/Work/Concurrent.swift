import DataKernel
import Foundation
import Synchronization

/// Fetches of `uiContext` while another thread saves units of 1,000 rows, one after another, beside the same fetches
/// while nobody writes.
@MainActor
struct Concurrent {
    let storage: SQLiteStorage
    let rows: Int
    private let fetches: Int

    init(_ bench: Bench) throws {
        storage = try bench.kernelStore(bench.rows)
        rows = bench.rows
        fetches = bench.rows < 100_000 ? 2_000 : 5_000
    }

    func figures() throws -> [Figure] {
        _ = try latencies()
        let quiet = try latencies()
        let writer = Writing(storage, rows)
        writer.start()
        // Beside a writer that has not begun there is nothing to measure.
        writer.waitForUnit()
        let busy = try latencies()
        let units = try writer.stop()
        return [
            figure("quiet-median", "fetch of 100, median, nobody writes", quiet.median * 1000, "ms"),
            figure("quiet-p99", "fetch of 100, 99th percentile, nobody writes", quiet.p99 * 1000, "ms"),
            figure("busy-median", "fetch of 100, median, beside a writer", busy.median * 1000, "ms"),
            figure("busy-p99", "fetch of 100, 99th percentile, beside a writer", busy.p99 * 1000, "ms"),
            figure("busy-units", "units of 1,000 rows that were saved meanwhile", Double(units), "units"),
            figure("concurrent-median", "median, beside a writer to quiet", busy.median / quiet.median, "times", 2),
            figure("concurrent-p99", "99th percentile, beside a writer to quiet", busy.p99 / quiet.p99, "times", 10),
        ]
    }

    private func figure(
        _ name: String, _ title: String, _ value: Double, _ unit: String, _ target: Double? = nil
    ) -> Figure {
        Figure(name: name, title: title, value: value, unit: unit, target: target)
    }

    private func latencies() throws -> (median: Double, p99: Double) {
        let context = storage.uiContext
        var times: [Double] = []
        // A screen keeps what it shows: this is what the saves are merged into.
        var page: [BenchCar] = []
        for n in 0..<fetches {
            let model = "model-\((n &* 7919) % rows)"
            let request = Request<BenchCar>().filter(\.model >= model).sort(\.model).limit(100)
            times.append(try timed { page = try context.fetch(request) }.inSeconds)
        }
        withExtendedLifetime(page) {}
        times.sort()
        return (times[times.count / 2], times[times.count * 99 / 100])
    }
}

/// The writer: a thread that saves until it is told to stop.
private final class Writing: Sendable {
    private let storage: SQLiteStorage
    private let rows: Int
    private let isStopped = Atomic(false)
    private let units = Atomic(0)
    private let firstUnit = DispatchSemaphore(value: 0)
    private let outcome = Outcome()

    init(_ storage: SQLiteStorage, _ rows: Int) {
        self.storage = storage
        self.rows = rows
    }

    func start() {
        Thread { [self] in
            outcome.end(Result { try run() })
            // For who waits for a unit that never came.
            firstUnit.signal()
        }.start()
    }

    private func run() throws {
        var start = 0
        while !isStopped.load(ordering: .acquiring) {
            let offset = start
            try storage.perform(ephemeral: true) { context, save in
                let ids = Int64(offset + 1)...Int64(offset + 1000)
                for row in ids {
                    let id = ObjectID(entityName: "BenchCar", row: row)
                    try context.object(with: id, as: BenchCar.self)?.doors += 1
                }
                try save()
            }
            start = (start + 1000) % max(rows - 1000, 1)
            if units.add(1, ordering: .relaxed).oldValue == 0 { firstUnit.signal() }
        }
    }

    func waitForUnit() { firstUnit.wait() }

    func stop() throws -> Int {
        isStopped.store(true, ordering: .releasing)
        try outcome.wait()
        return units.load(ordering: .relaxed)
    }
}
