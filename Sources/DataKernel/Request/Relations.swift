internal import KernelSQL

/// The relationships of an entity, for `Request.prefetch`: on entities `\.owner.address` does not compile, because
/// `owner` may be nil; here it does.
@dynamicMemberLookup
public struct Relations<E: Entity> {
    /// The indexes of the relationships on the way. nil when a key path is no relationship's.
    let way: [Int]?

    init(_ way: [Int]?) { self.way = way }

    /// The relationships of the objects that the relationship of this name leads to.
    public subscript<R: RelationValue>(dynamicMember path: KeyPath<E, R>) -> Relations<R.KernelTarget> {
        Relations<R.KernelTarget>(way?.through(E.entity.relationship(at: path)))
    }
}

/// What relationships of any entity have in common. `prefetch` asks it for the way that a key path took.
protocol RelationTrail {
    var way: [Int]? { get }
}

extension Relations: RelationTrail {}
