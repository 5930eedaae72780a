public import KernelSQL

/// The `$0` of `filter(where:)`: its members are the entity's attributes.
///
/// ```swift
/// Request<Car>().filter(where: { $0.mark.contains("on") && $0.year > 3 })
/// ```
///
/// They are key paths, so the operators are the ones of `filter(_:)`. A type of their own would need operators of
/// its own, and a second overload of each makes the compiler slow at explaining a mistake (see `.ci/typecheck-time`).
@dynamicMemberLookup
public struct Fields<E: Entity> {
    package init() {}

    /// The attribute of this name.
    public subscript<V: Queryable>(dynamicMember path: KeyPath<E, V>) -> KeyPath<E, V> { path }
}

// What `$0.mark` can be asked beside the operators.
extension KeyPath where Root: Entity, Value: Queryable {
    /// See ``Condition/oneOf(_:_:comparing:)``.
    public func oneOf(_ values: some Sequence<Value>, comparing: TextComparison = .exact) -> Condition<Root> {
        .oneOf(self, values, comparing: comparing)
    }

    /// The same for an optional attribute and values that are not.
    public func oneOf<V: Queryable>(
        _ values: some Sequence<V>, comparing: TextComparison = .exact
    ) -> Condition<Root> where Value == V? {
        .oneOf(self, values, comparing: comparing)
    }

    /// See ``Condition/equal(_:_:)``.
    public func equal<V: Queryable>(_ other: KeyPath<Root, V>) -> Condition<Root>
    where V.Comparand == Value.Comparand { .equal(self, other) }
}

extension KeyPath where Root: Entity, Value: ToOneValue {
    /// The to-one relationship leads to one of the objects that have these ids.
    public func oneOf(_ ids: some Sequence<ObjectID>) -> Condition<Root> { .oneOf(self, ids) }
}

extension KeyPath where Root: Entity, Value: Queryable, Value.Comparand: Comparable {
    /// See ``Condition/between(_:_:)``.
    public func between(_ range: some ConditionRange<Value.Comparand>) -> Condition<Root> { .between(self, range) }
}

extension KeyPath where Root: Entity, Value: TextAttribute {
    /// See ``Condition/contains(_:_:comparing:)``.
    public func contains(_ text: String, comparing: TextComparison = .exact) -> Condition<Root> {
        .contains(self, text, comparing: comparing)
    }

    /// See ``Condition/beginsWith(_:_:comparing:)``.
    public func beginsWith(_ text: String, comparing: TextComparison = .exact) -> Condition<Root> {
        .beginsWith(self, text, comparing: comparing)
    }

    /// See ``Condition/endsWith(_:_:comparing:)``.
    public func endsWith(_ text: String, comparing: TextComparison = .exact) -> Condition<Root> {
        .endsWith(self, text, comparing: comparing)
    }

    /// See ``Condition/like(_:_:comparing:)``.
    public func like(_ pattern: String, comparing: TextComparison = .exact) -> Condition<Root> {
        .like(self, pattern, comparing: comparing)
    }
}
