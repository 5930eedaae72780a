import KernelSQL
import Synchronization

/// Stands in a key path for a way through relationships. `filter(where:)` makes such key paths of `$0.owner.name`, so
/// that the operators need no second overload for them; nothing else can.
public struct HopPath<V>: Hashable, Sendable {
    let path: Result<AttributePath, BrokenStep>

    /// A key path that ``HopTable`` knows the meaning of. One of a broken way is an error when the request is used.
    static func keyPath<E: Entity>(_ path: Result<AttributePath, BrokenStep>) -> KeyPath<E, V> {
        let keyPath: KeyPath<E, V> = \E.[_kernelPath: HopPath(path: path)]
        HopTable.add(keyPath, path, in: E.entity)
        return keyPath
    }
}

extension Entity {
    /// What the key paths that `$0.owner.name` makes are made of. They are for conditions: they name a value and
    /// do not read it.
    public subscript<V>(_kernelPath path: HopPath<V>) -> V {
        Misuse.stop(
            "\(Self.entity.name): a key path from filter(where:) was applied to an object. It stands for a column in "
                + "a condition; read the object's properties instead.")
    }
}

/// What the key paths through relationships stand for. A key path cannot be taken apart, but it is equal to one that
/// was made the same way: so it is noted when it is made. There are as many as the program's conditions have
/// different ways through relationships.
enum HopTable {
    typealias Meaning = (path: AttributePath, attribute: AttributeDescription)

    /// Proof: what is read of a key path (its hash and equality) is immutable, and all it captures is a ``HopPath``.
    private struct Key: Hashable, @unchecked Sendable {
        let path: AnyKeyPath
    }

    private static let table = Mutex<[Key: Result<Meaning, BrokenStep>]>([:])

    static func add(
        _ keyPath: AnyKeyPath, _ path: Result<AttributePath, BrokenStep>, in entity: EntityDescription
    ) {
        let key = Key(path: keyPath)
        if table.withLock({ $0[key] != nil }) { return }
        // Not under the lock: describing an entity is the user's code.
        let meaning: Result<Meaning, BrokenStep> = path.map { ($0, entity.attribute(at: $0)) }
        table.withLock { $0[key] = meaning }
    }

    static func meaning(of keyPath: AnyKeyPath) -> Result<Meaning, BrokenStep>? {
        let key = Key(path: keyPath)
        return table.withLock { $0[key] }
    }
}
