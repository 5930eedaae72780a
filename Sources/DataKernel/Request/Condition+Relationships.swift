internal import KernelSQL

// Conditions on the objects of a to-many relationship, among operators: `\.year > 2010 && .any(\.wheels, \.worn == true)`.
extension Condition {
    /// At least one object of the relationship satisfies the condition.
    ///
    /// ```swift
    /// Request<Person>().filter(.any(\.cars, \.year > 2010))
    /// ```
    /// ```sql
    /// … WHERE EXISTS (SELECT 1 FROM "Car" AS "t1" WHERE "t1"."owner" = "Person"."_id" AND "t1"."year" > ?)
    /// ```
    public static func any<T: Entity>(_ relationship: KeyPath<E, [T]>, _ condition: Condition<T>) -> Condition {
        Related.any(Related.path(relationship), condition.predicate)
    }

    /// All objects of the relationship satisfy the condition; so they do when there are none.
    public static func all<T: Entity>(_ relationship: KeyPath<E, [T]>, _ condition: Condition<T>) -> Condition {
        Related.all(Related.path(relationship), E.entity, condition.predicate)
    }

    /// No object of the relationship satisfies the condition.
    public static func none<T: Entity>(_ relationship: KeyPath<E, [T]>, _ condition: Condition<T>) -> Condition {
        Related.none(Related.path(relationship), E.entity, condition.predicate)
    }

    /// The relationship has no objects.
    public static func isEmpty<T: Entity>(_ relationship: KeyPath<E, [T]>) -> Condition {
        Related.none(Related.path(relationship), E.entity, nil)
    }

    /// The object is one of the relationship's.
    // Not `contains`, and not `any(_:is:)`: as an overload, it would make the compiler slow at explaining a mistake in
    // the others, or make it ask for a label.
    public static func includes<T: Entity>(_ relationship: KeyPath<E, [T]>, _ object: T) -> Condition {
        Related.any(Related.path(relationship), Related.isObject(object))
    }
}

extension KeyPath where Root: Entity, Value == Int {
    /// How many objects a to-many relationship has, to be compared or sorted by.
    ///
    /// ```swift
    /// Request<Car>().filter(.count(\.wheels) > 3).sort(.count(\.wheels))
    /// ```
    /// ```sql
    /// (SELECT count(*) FROM "Wheel" AS "t1" WHERE "t1"."car" = "Car"."_id") > ?
    /// ```
    public static func count<T: Entity>(_ relationship: KeyPath<Root, [T]>) -> KeyPath<Root, Int> {
        HopPath.keyPath(Related.path(relationship).map { AttributePath(hops: [], leaf: .count, $0.relationship) })
    }
}

/// Makes conditions of to-many relationships.
enum Related {
    typealias Path = Result<RelationPath, BrokenStep>

    static func path<E: Entity, T: Entity>(_ relationship: KeyPath<E, [T]>) -> Path {
        if let index = E.entity.relationship(at: relationship) { return .success(RelationPath(index)) }
        return .failure(BrokenStep(relationship))
    }

    static func any<E: Entity>(_ path: Path, _ inner: QueryPredicate) -> Condition<E> {
        condition(path) { .has($0, where: inner) }
    }

    static func all<E: Entity>(_ path: Path, _ entity: EntityDescription, _ inner: QueryPredicate) -> Condition<E> {
        condition(path) { .hasOnly($0, of: entity, where: inner) }
    }

    static func none<E: Entity>(_ path: Path, _ entity: EntityDescription, _ inner: QueryPredicate?) -> Condition<E> {
        condition(path) { .hasNone($0, of: entity, where: inner) }
    }

    private static func condition<E: Entity>(_ path: Path, _ make: (RelationPath) -> QueryPredicate) -> Condition<E> {
        switch path {
        case .success(let path): Condition(make(path))
        case .failure(let step): Condition(.failure(Lookup.noRelationship(step)))
        }
    }

    /// The row is the object's.
    static func isObject(_ object: some Entity) -> QueryPredicate {
        .compare(AttributePath(hops: [], leaf: .id), .equal, .integer(object.row), .exact)
    }
}
