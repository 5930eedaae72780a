public import Observation

/// An entity whose objects work with the Observation framework. `@Entity(observable: true)` writes the conformance.
public protocol ObservableEntity: Entity, Observable {}

/// The registrar that an observable entity's accessors go through.
public struct KernelObservation: Sendable {
    @usableFromInline let registrar = ObservationRegistrar()

    public init() {}

    @inlinable
    public func access<E: ObservableEntity, V>(_ object: E, _ path: KeyPath<E, V>) {
        registrar.access(object, keyPath: path)
    }

    @inlinable
    public func willSet<E: ObservableEntity, V>(_ object: E, _ path: KeyPath<E, V>) {
        registrar.willSet(object, keyPath: path)
    }

    @inlinable
    public func didSet<E: ObservableEntity, V>(_ object: E, _ path: KeyPath<E, V>) {
        registrar.didSet(object, keyPath: path)
    }
}
