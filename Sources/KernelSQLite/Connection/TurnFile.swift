internal import Foundation

/// The side file by which writers of several processes take turns: whoever holds its lock is next at BEGIN.
///
/// It is held only while waiting, so that a newcomer queues behind who already waits instead of racing it. Where
/// the file cannot be made (a read-only folder, a memory store) writers race, which is merely less fair.
final class TurnFile {
    private let path: String
    private var descriptor: Int32?
    private var isUnavailable = false

    init(path: String) { self.path = path }

    deinit { close() }

    /// Waits for the turn until `deadline`. False: the time is up.
    func take(until deadline: ContinuousClock.Instant) -> Bool {
        guard let descriptor = opened() else { return true }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { return true }
            guard ContinuousClock.now < deadline else { return false }
            BusyHandler.pause()
        }
        return true
    }

    func pass() {
        if let descriptor { _ = flock(descriptor, LOCK_UN) }
    }

    func close() {
        if let descriptor { _ = Foundation.close(descriptor) }
        descriptor = nil
        isUnavailable = true
    }

    private func opened() -> Int32? {
        if descriptor != nil || isUnavailable { return descriptor }
        let result = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        if result >= 0 { descriptor = result } else { isUnavailable = true }
        return descriptor
    }
}
