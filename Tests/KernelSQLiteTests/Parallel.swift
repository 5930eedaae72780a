import Foundation
import Synchronization
import Testing

/// A counter for several threads.
final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func next() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}

/// Runs `body` on `count` threads of its own and waits for all. What a thread throws is an issue of the test.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
    let group = DispatchGroup()
    let errors = Mutex<[String]>([])
    for number in 0..<count {
        group.enter()
        Thread {
            do { try body(number) } catch { errors.withLock { $0.append("\(error)") } }
            group.leave()
        }.start()
    }
    group.wait()
    for error in errors.withLock({ $0 }) { Issue.record("thread: \(error)") }
}
