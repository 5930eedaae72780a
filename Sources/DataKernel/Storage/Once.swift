internal import Synchronization

/// What is made when it is first asked for, and kept. Two threads that ask at the same time may both make it; they get
/// the same one.
struct Once<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    // Proof: the reference that is stored was retained for it and is released when this ends; it is never replaced.
    private let place = Atomic<Unmanaged<Object>?>(nil)

    deinit { place.load(ordering: .acquiring)?.release() }

    func get(_ make: () -> Object) -> Object {
        if let made = place.load(ordering: .acquiring) { return made.takeUnretainedValue() }
        let object = Unmanaged.passRetained(make())
        let (isFirst, first) = place.compareExchange(
            expected: nil, desired: object, ordering: .acquiringAndReleasing)
        guard !isFirst, let first else { return object.takeUnretainedValue() }
        object.release()
        return first.takeUnretainedValue()
    }
}
