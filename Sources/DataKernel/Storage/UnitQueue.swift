internal import Dispatch
internal import KernelSQL
internal import KernelSQLite
internal import Synchronization

/// What stands in a ``UnitQueue``.
protocol QueuedUnit: AnyObject, Sendable {
    /// Whether its caller still waits for it.
    var isWaiting: Bool { get }
    /// Ends the caller's waiting with an error, if it still waits.
    func end(_ error: any Error)
    /// Runs the unit, unless nobody waits for it any more. What it returns tells the caller.
    func run() -> (() -> Void)?
}

/// Where async units wait, so that they never block the threads of Swift's concurrency: one thread at most waits for
/// the gate.
///
/// A unit that is cancelled or late ends at once, wherever it stands; its place is passed over when its turn comes.
final class UnitQueue: Sendable {
    private let queue = DispatchQueue(label: "DataKernel.units")
    private let clock = DispatchQueue(label: "DataKernel.units.clock")
    private let length = Atomic(0)
    private let gate: UnitGate
    private let timeout: Duration?

    init(gate: UnitGate, timeout: Duration?) {
        self.gate = gate
        self.timeout = timeout
    }

    /// Gives the unit its turn, or ends it with `storeBusy` when the time-out is over before.
    func add(_ unit: any QueuedUnit) {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        // Who is first in the queue is bounded by the gate, and needs no timer.
        let isFirst = length.add(1, ordering: .relaxed).oldValue == 0
        // Proof: made here, and cancelled by one thread, once; a timer stands that at any time.
        nonisolated(unsafe) let timer = isFirst ? nil : timeout.map { self.timer($0, unit) }
        queue.async { [self] in
            defer {
                timer?.cancel()
                length.subtract(1, ordering: .relaxed)
            }
            runNext(unit, deadline)
        }
    }

    private func runNext(_ unit: any QueuedUnit, _ deadline: ContinuousClock.Instant?) {
        guard unit.isWaiting else { return }
        do {
            try gate.enter(timeout: deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) })
        } catch {
            return unit.end(error)
        }
        let tell = unit.run()
        // Before the caller goes on: it may ask whether anybody is inside.
        gate.leave()
        tell?()
    }

    private func timer(_ timeout: Duration, _ unit: any QueuedUnit) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: clock)
        timer.schedule(deadline: .now() + Double(timeout / .seconds(1)))
        timer.setEventHandler { [weak unit] in
            unit?.end(
                KernelError.storeBusy(
                    DatabaseFailure(code: .busy, message: "other units of work took longer than the time-out")))
        }
        timer.activate()
        return timer
    }
}
