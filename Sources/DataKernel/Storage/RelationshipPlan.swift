internal import KernelSQL
internal import KernelSQLite

/// One relationship as one storage works with it.
final class RelationshipPlan: Sendable {
    let index: Int
    let link: RelationshipLink
    /// The index of the target's entity in the model.
    let target: Int
    var name: String { link.name }
    var inverse: Int? { link.inverse }
    var rule: DeleteRule { link.description.deleteRule }
    var isOrdered: Bool { link.description.isOrdered }
    var isToMany: Bool { link.description.isToMany }
    /// The attribute of the key, for a to-one that has it here.
    var key: Int? { if case .key(let attribute) = link.storage { attribute } else { nil } }
    /// The attribute of the key at the other end.
    var inverseKey: Int? { if case .inverseKey(let attribute, _) = link.storage { attribute } else { nil } }
    var join: JoinTable? { if case .join(let table) = link.storage { table } else { nil } }

    /// Whether both ends are this one: friends of friends.
    let isSymmetric: Bool

    private let entity: EntityDescription
    private final class Texts: Sendable {
        let sql: RelationshipSQL
        init(_ sql: RelationshipSQL) { self.sql = sql }
    }
    private let texts = Once<Texts>()
    /// Its statements, made when they are first needed.
    var sql: RelationshipSQL { texts.get { Texts(RelationshipSQL(link, of: entity)) }.sql }

    init(_ link: RelationshipLink, of entity: EntityDescription, target: Int) {
        self.index = link.index
        self.link = link
        self.target = target
        isSymmetric = link.inverse == link.index && link.target === entity
        self.entity = entity
    }
}

/// A relationship in which nothing at this end knows that it is referred to.
struct OneWayReference: Sendable {
    /// The entity that refers.
    let entity: Int
    let relationship: Int
}

/// A relationship of an entity, by their indexes: what a context has loaded of it may be out of date.
struct RelationshipRef: Hashable, Sendable {
    let entity: Int
    let relationship: Int
}
