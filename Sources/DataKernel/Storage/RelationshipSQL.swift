internal import KernelSQL
internal import KernelSQLite

/// The statements of one relationship. Those that make no sense for how it is stored are nil.
///
/// Proof of `@unchecked Sendable`: what the initialiser makes is never changed.
final class RelationshipSQL: @unchecked Sendable {
    /// The objects at the other end of the owners in a list: the owner's row, then the target's row and attributes.
    /// A to-one with its key here finds its target by row instead.
    private(set) var selectMembers: SQLText?
    /// For the rows in a list, the rows that a removal would go on to. With a key here: own row and target's; in a table of pairs:
    /// the other's row and the own.
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

    init(_ link: RelationshipLink, of entity: EntityDescription) {
        let id = ModelCheck.idColumn.sqlIdentifier
        let listed = "IN (SELECT value FROM kernel_values(?))"
        switch link.storage {
        case .key(let attribute):
            let table = entity.name.sqlIdentifier
            let key = entity.attributes[attribute].name.sqlIdentifier
            let referring = "FROM \(table) WHERE \(key) \(listed)"
            selectRelated = SQLText("SELECT \(id), \(key) FROM \(table) WHERE \(id) \(listed) AND \(key) IS NOT NULL")
            selectReferrers = SQLText("SELECT \(id) \(referring)")
            selectHolder = SQLText("SELECT \(id), \(key) \(referring) LIMIT 1")
            nullify = SQLText("UPDATE \(table) SET \(key) = NULL WHERE \(id) \(listed)")
        case .inverseKey(let attribute, let order):
            let table = link.target.name.sqlIdentifier
            let key = link.target.attributes[attribute].name.sqlIdentifier
            let all = ([key, id] + link.target.selectColumns()).joined(separator: ", ")
            let order = order?.sqlIdentifier
            let keys = RelationshipSQL.order(key, order, id)
            let referring = "FROM \(table) WHERE \(key) \(listed)"
            selectMembers = SQLText("SELECT \(all) \(referring) ORDER BY \(keys)")
            selectRelated = SQLText("SELECT \(id) \(referring)")
            selectHolder = SQLText("SELECT \(id), \(key) \(referring) LIMIT 1")
            let place = order.map { ", \($0) = NULL" } ?? ""
            nullify = SQLText("UPDATE \(table) SET \(key) = NULL\(place) WHERE \(id) \(listed)")
            setOrder(order, table, own: key, other: id)
        case .join(let join):
            let table = join.name.sqlIdentifier
            let (own, other) = (join.ownColumn.sqlIdentifier, join.otherColumn.sqlIdentifier)
            let order = join.order?.sqlIdentifier
            let paired = "FROM \(table) WHERE \(own) \(listed)"
            let all = (["j.\(own)", "t.\(id)"] + link.target.selectColumns(prefix: "t.")).joined(separator: ", ")
            let keys = RelationshipSQL.order("j.\(own)", order.map { "j.\($0)" }, "t.\(id)")
            selectMembers = SQLText(
                "SELECT \(all) FROM \(table) AS j JOIN \(link.target.name.sqlIdentifier) AS t "
                    + "ON t.\(id) = j.\(other) WHERE j.\(own) \(listed) ORDER BY \(keys)")
            selectRelated = SQLText("SELECT \(other), \(own) \(paired)")
            selectHolder = SQLText("SELECT \(other), \(own) \(paired) LIMIT 1")
            unpairOwn = SQLText("DELETE \(paired)")
            unpairOther = SQLText("DELETE FROM \(table) WHERE \(other) \(listed)")
            insertPair = SQLText("INSERT INTO \(table) (\(own), \(other)) VALUES (?, ?) ON CONFLICT DO NOTHING")
            deletePair = SQLText("DELETE FROM \(table) WHERE \(own) = ? AND \(other) = ?")
            setOrder(order, table, own: own, other: other)
        }
    }

    @inline(never)
    private func setOrder(_ order: String?, _ table: String, own: String, other: String) {
        guard let order else { return }
        selectOrder = SQLText("SELECT \(other), \(order) FROM \(table) WHERE \(own) = ? AND \(order) IS NOT NULL")
        updateOrder = SQLText("UPDATE \(table) SET \(order) = ?2 WHERE \(own) = ?1 AND \(other) = ?3")
    }

    /// What has no place yet comes last.
    private static func order(_ owner: String, _ order: String?, _ id: String) -> String {
        guard let order else { return "\(owner), \(id)" }
        return "\(owner), \(order) IS NULL, \(order), \(id)"
    }
}
