public import KernelSQL

/// The `$0` of `filter(where:)`: its members are the entity's attributes.
///
/// ```swift
/// Request<Car>().filter(where: { $0.mark.contains("on") && $0.year > 3 && $0.owner == nil })
/// ```
@dynamicMemberLookup
public struct Fields<E: Entity> {
    package init() {}

    /// The attribute of this name.
    public subscript<V: Queryable>(dynamicMember path: KeyPath<E, V>) -> Field<E, V> { Field(path) }
}

/// One attribute in a condition of `filter(where:)`.
public struct Field<E: Entity, V: Queryable> {
    let path: KeyPath<E, V>
    init(_ path: KeyPath<E, V>) { self.path = path }

}

extension Field where V.Comparand: Comparable {

    /// See ``Condition/between(_:_:)``.
    public func between(_ range: ClosedRange<V.Comparand>) -> Condition<E> { .between(path, range) }
}

extension Field {
    /// See ``Condition/oneOf(_:_:comparing:)``.
    public func oneOf(_ values: some Sequence<V>, comparing: TextComparison = .exact) -> Condition<E> {
        .oneOf(path, values, comparing: comparing)
    }

    /// See ``Condition/equal(_:_:)``.
    public func equal(_ other: Field) -> Condition<E> { .equal(path, other.path) }
}

extension Field where V: TextAttribute {
    /// See ``Condition/contains(_:_:comparing:)``.
    public func contains(_ text: String, comparing: TextComparison = .exact) -> Condition<E> {
        .contains(path, text, comparing: comparing)
    }

    /// See ``Condition/beginsWith(_:_:comparing:)``.
    public func beginsWith(_ text: String, comparing: TextComparison = .exact) -> Condition<E> {
        .beginsWith(path, text, comparing: comparing)
    }

    /// See ``Condition/endsWith(_:_:comparing:)``.
    public func endsWith(_ text: String, comparing: TextComparison = .exact) -> Condition<E> {
        .endsWith(path, text, comparing: comparing)
    }

    /// See ``Condition/like(_:_:comparing:)``.
    public func like(_ pattern: String, comparing: TextComparison = .exact) -> Condition<E> {
        .like(path, pattern, comparing: comparing)
    }
}
