internal import KernelSQL
internal import KernelSQLite

/// The statements of one relationship. Those that make no sense for how it is stored are nil.
struct RelationshipSQL: Sendable {
    /// The objects at the other end of the owners in a list: the owner's row, then the target's row and attributes.
    /// A to-one with its key here finds its target by row instead.
    private(set) var selectMembers: SQLText?
    /// For the rows in a list, the rows that a removal would go on to. With a key here: own row and target's.
    let selectRelated: SQLText
    /// With a key here: the rows that refer to the targets in a list.
    private(set) var selectReferrers: SQLText?
    /// Takes the key away from the rows in a list, at whichever end it is.
    private(set) var nullify: SQLText?
    /// One row that is still related to one of a list, and that one.
    let selectHolder: SQLText
    /// Takes the pairs of the rows in a list away: those at this end, and those at the other.
    private(set) var unpairOwn: SQLText?
    private(set) var unpairOther: SQLText?
    private(set) var insertPair: SQLText?
    private(set) var deletePair: SQLText?
    /// Rows at the other end with their places, for one owner; and a place being written.
    private(set) var selectOrder: SQLText?
    private(set) var updateOrder: SQLText?

    private static let id = ModelCheck.idColumn.sqlIdentifier
    private static let listed = "IN (SELECT value FROM kernel_values(?))"

    init(_ link: RelationshipLink, of entity: EntityDescription) {
        let id = RelationshipSQL.id
        let listed = RelationshipSQL.listed
        switch link.storage {
        case .key(let attribute):
            let table = entity.name.sqlIdentifier
            let key = entity.attributes[attribute].name.sqlIdentifier
            selectRelated = SQLText("SELECT \(id), \(key) FROM \(table) WHERE \(id) \(listed) AND \(key) IS NOT NULL")
            selectReferrers = SQLText("SELECT \(id) FROM \(table) WHERE \(key) \(listed)")
            selectHolder = SQLText("SELECT \(id), \(key) FROM \(table) WHERE \(key) \(listed) LIMIT 1")
            nullify = SQLText("UPDATE \(table) SET \(key) = NULL WHERE \(id) \(listed)")
        case .inverseKey(let attribute, let order):
            let table = link.target.name.sqlIdentifier
            let key = link.target.attributes[attribute].name.sqlIdentifier
            let all = ([key, id] + link.target.selectColumns()).joined(separator: ", ")
            let keys = RelationshipSQL.order(key, order?.sqlIdentifier, id)
            selectMembers = SQLText("SELECT \(all) FROM \(table) WHERE \(key) \(listed) ORDER BY \(keys)")
            selectRelated = SQLText("SELECT \(id) FROM \(table) WHERE \(key) \(listed)")
            selectHolder = SQLText("SELECT \(id), \(key) FROM \(table) WHERE \(key) \(listed) LIMIT 1")
            let place = order.map { ", \($0.sqlIdentifier) = NULL" } ?? ""
            nullify = SQLText("UPDATE \(table) SET \(key) = NULL\(place) WHERE \(id) \(listed)")
            if let order = order?.sqlIdentifier {
                selectOrder = SQLText("SELECT \(id), \(order) FROM \(table) WHERE \(key) = ? AND \(order) IS NOT NULL")
                updateOrder = SQLText("UPDATE \(table) SET \(order) = ?2 WHERE \(key) = ?1 AND \(id) = ?3")
            }
        case .join(let join):
            let table = join.name.sqlIdentifier
            let (own, other) = (join.ownColumn.sqlIdentifier, join.otherColumn.sqlIdentifier)
            selectMembers = RelationshipSQL.members(of: join, link.target)
            selectRelated = SQLText("SELECT \(other) FROM \(table) WHERE \(own) \(listed)")
            selectHolder = SQLText("SELECT \(other), \(own) FROM \(table) WHERE \(own) \(listed) LIMIT 1")
            unpairOwn = SQLText("DELETE FROM \(table) WHERE \(own) \(listed)")
            unpairOther = SQLText("DELETE FROM \(table) WHERE \(other) \(listed)")
            insertPair = SQLText("INSERT INTO \(table) (\(own), \(other)) VALUES (?, ?) ON CONFLICT DO NOTHING")
            deletePair = SQLText("DELETE FROM \(table) WHERE \(own) = ? AND \(other) = ?")
            if let order = join.order?.sqlIdentifier {
                selectOrder = SQLText(
                    "SELECT \(other), \(order) FROM \(table) WHERE \(own) = ? AND \(order) IS NOT NULL")
                updateOrder = SQLText("UPDATE \(table) SET \(order) = ?2 WHERE \(own) = ?1 AND \(other) = ?3")
            }
        }
    }

    private static func members(of join: JoinTable, _ target: EntityDescription) -> SQLText {
        let own = "j.\(join.ownColumn.sqlIdentifier)"
        let all = ([own, "t.\(id)"] + target.selectColumns(prefix: "t.")).joined(separator: ", ")
        let keys = order(own, join.order.map { "j.\($0.sqlIdentifier)" }, "t.\(id)")
        return SQLText(
            "SELECT \(all) FROM \(join.name.sqlIdentifier) AS j JOIN \(target.name.sqlIdentifier) AS t "
                + "ON t.\(id) = j.\(join.otherColumn.sqlIdentifier) WHERE \(own) \(listed) ORDER BY \(keys)")
    }

    /// What has no place yet comes last.
    private static func order(_ owner: String, _ order: String?, _ id: String) -> String {
        ([owner] + (order.map { ["\($0) IS NULL", $0] } ?? []) + [id]).joined(separator: ", ")
    }
}
