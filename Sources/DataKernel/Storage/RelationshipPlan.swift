internal import KernelSQL
internal import KernelSQLite

/// One relationship as one storage works with it.
final class RelationshipPlan: Sendable {
    let index: Int
    let ref: RelationshipRef
    let link: RelationshipLink
    /// The index of the target's entity in the model.
    let target: Int
    let inverse: Int?
    /// The relationship at the other end.
    let back: RelationshipRef?
    let rule: DeleteRule
    let isOrdered: Bool
    let isToMany: Bool
    /// The attribute of the key, for a to-one that has it here.
    let key: Int?
    /// The attribute of the key at the other end.
    let inverseKey: Int?
    let join: JoinTable?
    /// Whether both ends are this one: friends of friends.
    let isSymmetric: Bool

    private let entity: EntityDescription
    private let texts = Once<RelationshipSQL>()
    /// Its statements, made when they are first needed.
    var sql: RelationshipSQL { texts.get { RelationshipSQL(link, of: entity) } }

    var name: String { link.name }

    init(_ link: RelationshipLink, of entity: EntityDescription, _ ref: RelationshipRef, target: Int) {
        self.index = link.index
        self.ref = ref
        self.link = link
        self.target = target
        inverse = link.inverse
        back = link.inverse.map { RelationshipRef(entity: target, relationship: $0) }
        rule = link.description.deleteRule
        isOrdered = link.description.isOrdered
        isToMany = link.description.isToMany
        key = if case .key(let attribute) = link.storage { attribute } else { nil }
        inverseKey = if case .inverseKey(let attribute, _) = link.storage { attribute } else { nil }
        join = if case .join(let table) = link.storage { table } else { nil }
        isSymmetric = link.inverse == link.index && link.target === entity
        self.entity = entity
    }
}

/// A relationship of an entity, by their indexes: what a context has loaded of it may be out of date.
struct RelationshipRef: Hashable, Sendable {
    let entity: Int
    let relationship: Int
}
