internal import KernelSQL

// What a to-many relationship is asked in `filter(where:)`. Where a to-one on the way to it is nil, none of these
// holds, as `car.owner?.cars.isEmpty == true` does not.
extension RelatedFields where R: ToManyValue {
    /// How many objects there are; nil where a to-one on the way is nil.
    ///
    /// ```swift
    /// Request<Car>().filter(where: { $0.wheels.count > 3 })
    /// ```
    /// ```sql
    /// … WHERE (SELECT count(*) FROM "Wheel" AS "t1" WHERE "t1"."car" = "Car"."_id") > ?
    /// ```
    public var count: KeyPath<E, Count> {
        HopPath.keyPath(path.map { AttributePath(hops: $0.hops, leaf: .count, $0.relationship) })
    }

    /// There are no objects.
    public var isEmpty: Condition<E> { Related.none(path, E.entity, nil) }

    /// At least one object satisfies the condition.
    ///
    /// ```swift
    /// Request<Person>().filter(where: { $0.cars.contains { $0.year > 2010 } })
    /// ```
    /// ```sql
    /// … WHERE EXISTS (SELECT 1 FROM "Car" AS "t1" WHERE "t1"."owner" = "Person"."_id" AND "t1"."year" > ?)
    /// ```
    public func contains(where condition: (Fields<R.KernelTarget>) -> Condition<R.KernelTarget>) -> Condition<E> {
        Related.any(path, condition(Fields()).predicate)
    }

    /// The object is one of them.
    @_disfavoredOverload
    public func contains(_ object: R.KernelTarget) -> Condition<E> { Related.any(path, Related.isObject(object)) }

    /// All objects satisfy the condition; so they do when there are none.
    public func allSatisfy(_ condition: (Fields<R.KernelTarget>) -> Condition<R.KernelTarget>) -> Condition<E> {
        Related.all(path, E.entity, condition(Fields()).predicate)
    }

    /// At least one object satisfies the condition: `contains(where:)` by another name.
    public func any(_ condition: (Fields<R.KernelTarget>) -> Condition<R.KernelTarget>) -> Condition<E> {
        contains(where: condition)
    }

    /// All objects satisfy the condition: ``allSatisfy(_:)`` by another name.
    public func all(_ condition: (Fields<R.KernelTarget>) -> Condition<R.KernelTarget>) -> Condition<E> {
        allSatisfy(condition)
    }

    /// No object satisfies the condition.
    public func none(_ condition: (Fields<R.KernelTarget>) -> Condition<R.KernelTarget>) -> Condition<E> {
        Related.none(path, E.entity, condition(Fields()).predicate)
    }

    /// The way to its last relationship, which is the one that this stands for.
    private var path: Result<RelationPath, BrokenStep> {
        way.map { RelationPath(hops: Array($0.dropLast()), $0.last ?? 0) }
    }
}
