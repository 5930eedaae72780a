internal import Foundation
internal import Synchronization

/// A read unit that runs on the calling thread, for the next one on this thread to know of: its connection, and the unit
/// around it.
final class ReadUnit {
    private let channel: Channel
    private let store: ObjectIdentifier
    private let outer: ReadUnit?

    private init(_ channel: Channel, _ store: OpenStore) {
        self.channel = channel
        self.store = ObjectIdentifier(store)
        outer = ReadUnit.current
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    // Proof: `run` keeps the unit alive while the thread's value leads to it.
    private static var current: ReadUnit? {
        pthread_getspecific(key).map { Unmanaged<ReadUnit>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs a unit's block.
    static func run<R>(_ channel: Channel, _ store: OpenStore, _ body: () throws -> R) rethrows -> R {
        let unit = ReadUnit(channel, store)
        pthread_setspecific(key, Unmanaged.passUnretained(unit).toOpaque())
        defer { pthread_setspecific(key, unit.outer.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }) }
        return try body()
    }

    /// The strictest hook that read units of a store are calling on this thread.
    static func hook(of store: OpenStore) -> Hook {
        var strictest = Hook.none
        var unit = current
        while let next = unit {
            if next.store == ObjectIdentifier(store), next.channel.hook.rawValue > strictest.rawValue {
                strictest = next.channel.hook
            }
            unit = next.outer
        }
        return strictest
    }
}
