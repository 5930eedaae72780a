public import KernelSQL

/// What `$0.owner` and `$0.wheels` are in `filter(where:)`: a relationship, whose members are those of the entity it
/// leads to, or which can be asked about the objects it leads to.
///
/// ```swift
/// Request<Car>().filter(where: { $0.owner.name == "Ann" && $0.owner.address.city != "Bonn" && $0.wheels.count > 3 })
/// ```
/// ```sql
/// … FROM "Car" LEFT JOIN "Person" AS "owner" ON "owner"."_id" = "Car"."owner" …
/// ```
///
/// What is nil on the way makes the value nil: `!=` keeps those objects, as `car.owner?.name != "Ann"` does.
@dynamicMemberLookup
public struct RelatedFields<E: Entity, R: RelationValue, Count: Queryable> {
    /// The relationships on the way, this one included.
    let way: Way

    init(_ way: Way) { self.way = way }
}

extension Fields {
    /// The relationship of this name.
    // Disfavoured, so that the compiler looks for attributes first: they are more, and `$0.owner == ann` needs the
    // key path itself.
    @_disfavoredOverload
    public subscript<R: RelationValue>(dynamicMember path: KeyPath<E, R>) -> RelatedFields<E, R, Int> {
        RelatedFields(Way.success([]).through(path, of: E.self))
    }
}

extension RelatedFields where R: ToOneValue {
    /// The attribute of this name of the object that the relationship leads to, or the object that its to-one
    /// relationship of this name leads to; nil where that is nil.
    // One for both: each further one doubles the time that the compiler takes to explain a mistake behind a hop.
    public subscript<V: Queryable>(dynamicMember path: KeyPath<R.KernelTarget, V>) -> KeyPath<E, V.KernelHop?> {
        HopPath.keyPath(way.to(path, of: R.KernelTarget.self))
    }

    /// Its relationship of this name.
    @_disfavoredOverload
    public subscript<U: RelationValue>(
        dynamicMember path: KeyPath<R.KernelTarget, U>
    ) -> RelatedFields<E, U, Int?> {
        RelatedFields<E, U, Int?>(way.through(path, of: R.KernelTarget.self))
    }
}

/// A way, as the indexes of its relationships, or the first step that leads nowhere.
typealias Way = Result<[Int], BrokenStep>

extension Way {
    func through<E: Entity>(_ path: AnyKeyPath, of type: E.Type) -> Way {
        flatMap { hops in
            guard let relationship = E.entity.relationship(at: path) else { return .failure(BrokenStep(path)) }
            return .success(hops + [relationship])
        }
    }

    func to<E: Entity>(_ path: AnyKeyPath, of type: E.Type) -> Result<AttributePath, BrokenStep> {
        flatMap { hops in
            if let position = E.entity.position(of: path) { return .success(AttributePath(hops: hops, position)) }
            if E.namesItself(path) { return .success(AttributePath(hops: hops, leaf: .id)) }
            return .failure(BrokenStep(path))
        }
    }
}
