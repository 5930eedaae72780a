internal import Synchronization

/// Key paths by their identity. A literal is one object for the whole run of a program, so the second look-up of the
/// same literal needs neither its hash nor its equality, which walk through its components: 1,100 instructions.
///
/// A list that only grows, at its end, so that reading it takes no lock; it keeps its key paths, so that no other one can
/// take an address over.
struct KnownPaths: ~Copyable {
    private final class Entry: Sendable {
        // Proof: only compared by its identity.
        nonisolated(unsafe) let path: AnyKeyPath
        let position: Int
        let next = Atomic<Unmanaged<Entry>?>(nil)

        init(_ path: AnyKeyPath, _ position: Int) {
            self.path = path
            self.position = position
        }
    }

    // Proof: an entry is retained once when it comes into the list and released when the list ends, with its description.
    // Whoever reads the list holds that.
    private let first = Atomic<Unmanaged<Entry>?>(nil)
    /// A program that makes key paths without end must not make the list grow without end, nor make it slow.
    private static let limit = 32

    deinit {
        var entry = first.load(ordering: .acquiring)
        while let known = entry {
            entry = known._withUnsafeGuaranteedRef { $0.next.load(ordering: .acquiring) }
            known.release()
        }
    }

    func position(of path: AnyKeyPath) -> Int? {
        var entry = first.load(ordering: .acquiring)
        while let known = entry {
            let (isIt, position) = known._withUnsafeGuaranteedRef { ($0.path === path, $0.position) }
            if isIt { return position }
            entry = known._withUnsafeGuaranteedRef { $0.next.load(ordering: .acquiring) }
        }
        return nil
    }

    /// Two threads that add the same one at the same time may both do so, which does no harm.
    func add(_ path: AnyKeyPath, _ position: Int) {
        let entry = Unmanaged.passRetained(Entry(path, position))
        guard var last = KnownPaths.storeIfNil(entry, first) else { return }
        for _ in 1..<KnownPaths.limit {
            guard let next = last._withUnsafeGuaranteedRef({ KnownPaths.storeIfNil(entry, $0.next) }) else { return }
            last = next
        }
        entry.release()
    }

    /// Gives what stood there already.
    private static func storeIfNil(
        _ entry: Unmanaged<Entry>, _ place: borrowing Atomic<Unmanaged<Entry>?>
    ) -> Unmanaged<Entry>? {
        place.compareExchange(expected: nil, desired: entry, ordering: .acquiringAndReleasing).original
    }
}
