public import KernelSQL

/// What the property of a relationship holds: `Person?`, `Person` or `[Person]`. Not for conformances of your own.
public protocol RelationValue {
    associatedtype KernelTarget: Entity
}

/// What the property of a to-one relationship holds: `Person?` or `Person`. Not for conformances of your own.
public protocol ToOneValue: RelationValue, Queryable {}

/// What the property of a to-many relationship holds: `[Person]`. Not for conformances of your own.
public protocol ToManyValue: RelationValue {}

extension Optional: RelationValue where Wrapped: Entity { public typealias KernelTarget = Wrapped }
extension Optional: ToOneValue where Wrapped: Entity {}
extension Array: RelationValue where Element: Entity { public typealias KernelTarget = Element }
extension Array: ToManyValue where Element: Entity {}
