internal import KernelSQL

/// The relationships of an entity, for `Request.prefetch`: on entities `\.owner.address` does not compile, because
/// `owner` may be nil; here it does.
@dynamicMemberLookup
public struct Relations<E: Entity> {
    /// The relationships on the way.
    let way: Way

    init(_ way: Way) { self.way = way }

    /// The relationships of the objects that the relationship of this name leads to.
    public subscript<R: RelationValue>(dynamicMember path: KeyPath<E, R>) -> Relations<R.KernelTarget> {
        Relations<R.KernelTarget>(way.through(path, of: E.self))
    }
}

/// What relationships of any entity have in common. `prefetch` asks it for the way that a key path took.
protocol RelationTrail {
    var way: Way { get }
}

extension Relations: RelationTrail {}
