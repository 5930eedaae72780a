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
    /// The relationships on the way, this one included. nil when a key path is no relationship's.
    let way: [Int]?

    init(_ way: [Int]?) { self.way = way }
}

extension Fields {
    /// The relationship of this name.
    // Disfavoured, so that the compiler looks for attributes first: they are more, and `$0.owner == ann` needs the
    // key path itself.
    @_disfavoredOverload
    public subscript<R: RelationValue>(dynamicMember path: KeyPath<E, R>) -> RelatedFields<E, R, Int> {
        RelatedFields([].through(E.entity.relationship(at: path)))
    }
}

extension RelatedFields where R: ToOneValue {
    /// The attribute of this name of the object that the relationship leads to; nil where that is nil.
    public subscript<V: AttributeValue>(
        dynamicMember path: KeyPath<R.KernelTarget, V>
    ) -> KeyPath<E, V.Comparand?> {
        HopPath.keyPath(way?.to(R.KernelTarget.entity.position(of: path)))
    }

    /// The object that its to-one relationship of this name leads to; nil where that is nil.
    public subscript<U: ToOneValue>(
        dynamicMember path: KeyPath<R.KernelTarget, U>
    ) -> KeyPath<E, U.KernelTarget?> {
        HopPath.keyPath(way?.to(R.KernelTarget.entity.position(of: path)))
    }

    /// Its relationship of this name.
    @_disfavoredOverload
    public subscript<U: RelationValue>(
        dynamicMember path: KeyPath<R.KernelTarget, U>
    ) -> RelatedFields<E, U, Int?> {
        RelatedFields<E, U, Int?>(way?.through(R.KernelTarget.entity.relationship(at: path)))
    }
}

// A way, as the indexes of its relationships. nil for a step is a key path that leads nowhere.
extension [Int] {
    func through(_ relationship: Int?) -> [Int]? {
        guard let relationship else { return nil }
        return self + [relationship]
    }

    func to(_ attribute: Int?) -> AttributePath? {
        guard let attribute else { return nil }
        return AttributePath(hops: self, attribute)
    }

    /// The way to its last relationship, or nil for no way at all.
    var relationPath: RelationPath? {
        guard let end = last else { return nil }
        var hops = self
        hops.remove(at: count - 1)
        return RelationPath(hops: hops, end)
    }
}
