internal import KernelSQL
internal import KernelSQLite
internal import Synchronization

/// One entity as one storage works with it.
final class EntityPlan: Sendable {
    let index: Int
    let entity: EntityDescription
    let type: any Entity.Type

    private let texts = Once<EntitySQL>()
    /// The statements that never change. Made when they are first needed: a store of many entities is opened, and a few
    /// of them are used.
    var sql: EntitySQL { texts.get { EntitySQL(entity, stored) } }
    /// The groups of attributes that are unique, each by position: the single ones, then the compound ones.
    let uniqueGroups: [[Int]]
    /// The attributes that have a column.
    let stored: [Int]
    let relationships: [RelationshipPlan]
    /// The attributes that have declared validations.
    // Proof: asked at a save only, by the thread that holds the storage's gate; a regular expression is not changed by
    // being asked.
    nonisolated(unsafe) let validators: [(attribute: Int, validator: AttributeValidator)]
    /// Keys of relationships that must have a value.
    let requiredKeys: [Int]

    /// Which calls of an object's life the class leaves out: found out by the first object that they are made on, since
    /// what is called then says so. All objects of an entity are of one class.
    private let leftOut = Atomic<UInt8>(0)

    var name: String { entity.name }

    func leavesOut(_ call: LifecycleCall) -> Bool { leftOut.load(ordering: .relaxed) & call.bit != 0 }

    func leaveOut(_ call: LifecycleCall) { leftOut.bitwiseOr(call.bit, ordering: .relaxed) }

    init(index: Int, type: any Entity.Type, indexes: [ObjectIdentifier: Int]) {
        let entity = type.entity
        let links = entity.links
        var validators: [(attribute: Int, validator: AttributeValidator)] = []
        var groups: [[Int]] = []
        for index in entity.attributes.indices {
            let attribute = entity.attributes[index]
            for validation in attribute.validations { validators.append((index, AttributeValidator(validation))) }
            if attribute.isUnique || attribute.isPrimaryKey { groups.append([index]) }
        }
        for key in links.uniqueKeys { groups.append([key]) }
        for names in entity.unique { groups.append(names.compactMap { entity.position(of: $0) }) }
        var relationships: [RelationshipPlan] = []
        for link in links.relationships {
            let ref = RelationshipRef(entity: index, relationship: link.index)
            relationships.append(
                RelationshipPlan(link, of: entity, ref, target: indexes[link.target.typeID] ?? 0))
        }
        self.index = index
        self.entity = entity
        self.type = type
        self.validators = validators
        self.relationships = relationships
        stored = links.storedAttributes
        requiredKeys = stored.filter { entity.attributes[$0].relationship != nil && !entity.attributes[$0].isOptional }
        uniqueGroups = groups
    }

    /// The statement that writes the attributes of a set.
    func updateSQL(_ attributes: AttributeSet) -> String {
        var assignments: [String] = []
        var orders: [String] = []
        for attribute in attributes.positions {
            let column = entity.attributes[attribute].name.sqlIdentifier
            assignments.append("\(column) = ?")
            // Its place in another owner's order says nothing in the new one's. (A later flush writes the same key again.)
            guard let order = orderColumn(attribute)?.sqlIdentifier else { continue }
            orders.append("\(order) = CASE WHEN \(column) IS ?\(assignments.count) THEN \(order) END")
        }
        return assign(assignments + orders)
    }

    /// The column of places in the ordered relationship of another entity, for the attribute that is its key.
    private func orderColumn(_ attribute: Int) -> String? {
        for relationship in relationships where relationship.key == attribute {
            if let inverse = relationship.inverse,
                case .inverseKey(_, let order) = relationship.link.target.links.relationships[inverse].storage
            {
                return order
            }
        }
        return nil
    }

    /// The statement that puts a value of its own into attributes that are in the way of another row's. See
    /// ``FlushPlan``: a BLOB is unequal to every number and text; for data the row's id makes it one of its own.
    func parkSQL(_ attributes: AttributeSet) -> String {
        let id = ModelCheck.idColumn.sqlIdentifier
        var assignments: [String] = []
        for attribute in attributes.positions {
            let isData = entity.attributes[attribute].storageClass == .blob
            assignments.append(
                entity.attributes[attribute].name.sqlIdentifier + " = "
                    + (isData ? "randomblob(16) || CAST(\(id) AS BLOB)" : "CAST(x'FF' || \(id) AS BLOB)"))
        }
        return assign(assignments)
    }

    private func assign(_ assignments: [String]) -> String {
        "UPDATE \(entity.name.sqlIdentifier) SET \(assignments.joined(separator: ", ")) "
            + "WHERE \(ModelCheck.idColumn.sqlIdentifier) = ?"
    }
}

/// A call of an object's life that most classes leave out.
struct LifecycleCall {
    fileprivate let bit: UInt8

    static var willSave: LifecycleCall { LifecycleCall(bit: 1) }
    static var validate: LifecycleCall { LifecycleCall(bit: 2) }
    static var awakeFromFetch: LifecycleCall { LifecycleCall(bit: 4) }
    static var awakeFromInsert: LifecycleCall { LifecycleCall(bit: 8) }
    static var prepareForDeletion: LifecycleCall { LifecycleCall(bit: 16) }
}
