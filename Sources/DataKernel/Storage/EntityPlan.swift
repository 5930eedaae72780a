internal import KernelSQL
internal import KernelSQLite
internal import Synchronization

/// One entity as one storage works with it.
final class EntityPlan: Sendable {
    let index: Int
    let entity: EntityDescription
    // Proof: the metatype of a class whose conformance is not isolated (the macro refuses global actors, and the
    // protocol's requirements are nonisolated) has no state.
    nonisolated(unsafe) let type: any Entity.Type

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
    nonisolated(unsafe) let validators: [(attribute: Int, validators: [AttributeValidator])]
    /// Keys of relationships that must have a value.
    let requiredKeys: [Int]
    /// The columns of places in ordered relationships of others, by the key's attribute.
    private let orderColumns: [Int: String]

    /// Which calls of an object's life the class leaves out: found out by the first object that they are made on, since
    /// what is called then says so. All objects of an entity are of one class.
    private let leftOut = Atomic<UInt8>(0)

    var name: String { entity.name }

    func leavesOut(_ call: LifecycleCall) -> Bool { leftOut.load(ordering: .relaxed) & call.rawValue != 0 }

    func leaveOut(_ call: LifecycleCall) { leftOut.bitwiseOr(call.rawValue, ordering: .relaxed) }

    init(index: Int, type: any Entity.Type, indexes: [ObjectIdentifier: Int]) {
        let entity = type.entity
        let links = entity.links
        validators = entity.attributes.indices.filter { !entity.attributes[$0].validations.isEmpty }.map {
            ($0, entity.attributes[$0].validations.map(AttributeValidator.init))
        }
        stored = links.storedAttributes
        relationships = links.relationships.map {
            RelationshipPlan($0, of: entity, target: indexes[$0.target.typeID] ?? 0)
        }
        requiredKeys = links.storedAttributes.filter {
            entity.attributes[$0].relationship != nil && !entity.attributes[$0].isOptional
        }
        var orders: [Int: String] = [:]
        for link in links.relationships {
            guard case .key(let attribute) = link.storage, let inverse = link.inverse,
                case .inverseKey(_, let order?) = link.target.links.relationships[inverse].storage
            else { continue }
            orders[attribute] = order
        }
        orderColumns = orders
        self.index = index
        self.entity = entity
        self.type = type
        let single = entity.attributes.indices.filter {
            entity.attributes[$0].isUnique || entity.attributes[$0].isPrimaryKey
        }
        uniqueGroups =
            (single + links.uniqueKeys).map { [$0] } + entity.unique.map { $0.compactMap(entity.position(of:)) }
    }

    /// The statement that writes the attributes of a set.
    func updateSQL(_ attributes: AttributeSet) -> String {
        let names = attributes.positions.map { entity.attributes[$0].name.sqlIdentifier }
        var assignments = names.map { "\($0) = ?" }
        // Its place in another owner's order says nothing in the new one's. (A later flush writes the same key again.)
        for (index, attribute) in attributes.positions.enumerated() {
            guard let order = orderColumns[attribute]?.sqlIdentifier else { continue }
            assignments.append("\(order) = CASE WHEN \(names[index]) IS ?\(index + 1) THEN \(order) END")
        }
        return "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(id) = ?"
    }

    /// The statement that puts a value of its own into attributes that are in the way of another row's. See
    /// ``FlushPlan``: a BLOB is unequal to every number and text; for data the row's id makes it one of its own.
    func parkSQL(_ attributes: AttributeSet) -> String {
        let assignments = attributes.positions.map { attribute in
            let column = entity.attributes[attribute].name.sqlIdentifier
            let value =
                entity.attributes[attribute].storageClass == .blob
                ? "randomblob(16) || CAST(\(id) AS BLOB)" : "CAST(x'FF' || \(id) AS BLOB)"
            return "\(column) = \(value)"
        }
        return "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(id) = ?"
    }

    private var table: String { entity.name.sqlIdentifier }
    private var id: String { ModelCheck.idColumn.sqlIdentifier }
}

/// A call of an object's life that most classes leave out.
enum LifecycleCall: UInt8 {
    case willSave = 1
    case validate = 2
    case awakeFromFetch = 4
}
