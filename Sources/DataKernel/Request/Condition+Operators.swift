public import KernelSQL

// Exactly one generic overload for each operator. Each further one multiplies the time that the compiler takes to find
// what is wrong with a condition of several terms, up to giving up on it; `.ci/typecheck-time` measures it. (Those that
// take an `ObjectID` add next to nothing to it: no other value can be one, so the compiler drops them at once.)

/// The attribute has this value; with nil, it has none.
///
/// ```swift
/// \.mark == "Honda"       // "mark" = ?
/// \.mark == nil           // "mark" IS NULL
/// ```
public func == <E: Entity, V: Queryable>(attribute: KeyPath<E, V>, value: V) -> Condition<E> {
    Condition(Lookup.compare(attribute, .equal, value))
}

/// The attribute has another value, or none; with nil, it has one.
///
/// ```swift
/// \.mark != "Honda"       // "mark" IS NOT ?
/// ```
public func != <E: Entity, V: Queryable>(attribute: KeyPath<E, V>, value: V) -> Condition<E> {
    Condition(Lookup.compare(attribute, .notEqual, value))
}

/// The to-one relationship leads to the object that has this id.
///
/// ```swift
/// \.owner == id           // "owner" = ?
/// ```
public func == <E: Entity, V: ToOneValue>(relationship: KeyPath<E, V>, id: ObjectID) -> Condition<E> {
    Condition(Lookup.compare(relationship, .equal, id))
}

/// The to-one relationship leads to another object, or to none.
public func != <E: Entity, V: ToOneValue>(relationship: KeyPath<E, V>, id: ObjectID) -> Condition<E> {
    Condition(Lookup.compare(relationship, .notEqual, id))
}

/// The attribute has a value, and it is less. Text is ordered byte by byte, `Decimal` as a number, enums by their
/// raw values.
public func < <E: Entity, V: Queryable>(attribute: KeyPath<E, V>, value: V.Comparand) -> Condition<E>
where V.Comparand: Comparable {
    Condition(Lookup.compare(attribute, .less, value))
}

/// The attribute has a value, and it is less or equal. Ordered as `<` does.
public func <= <E: Entity, V: Queryable>(attribute: KeyPath<E, V>, value: V.Comparand) -> Condition<E>
where V.Comparand: Comparable {
    Condition(Lookup.compare(attribute, .lessOrEqual, value))
}

/// The attribute has a value, and it is greater. Ordered as `<` does.
public func > <E: Entity, V: Queryable>(attribute: KeyPath<E, V>, value: V.Comparand) -> Condition<E>
where V.Comparand: Comparable {
    Condition(Lookup.compare(attribute, .greater, value))
}

/// The attribute has a value, and it is greater or equal. Ordered as `<` does.
public func >= <E: Entity, V: Queryable>(attribute: KeyPath<E, V>, value: V.Comparand) -> Condition<E>
where V.Comparand: Comparable {
    Condition(Lookup.compare(attribute, .greaterOrEqual, value))
}
