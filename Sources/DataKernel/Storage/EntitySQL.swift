internal import KernelSQL
internal import KernelSQLite

/// The statements of one entity that never change.
final class EntitySQL: Sendable {
    let insert: SQLText
    /// The attributes of the rows in a list.
    let selectRows: SQLText
    let selectRow: SQLText
    /// The attributes of the row with a primary key, and of the rows with one of a list.
    let selectKey: SQLText?
    let selectKeys: SQLText?
    let deleteRow: SQLText
    let deleteRows: SQLText
    let deleteAll: SQLText
    /// All rows; and one of those in a list that is there.
    let selectAllRows: SQLText
    let selectExisting: SQLText

    /// `stored` are the attributes that have a column.
    init(_ entity: EntityDescription, _ stored: [Int]) {
        let table = entity.name.sqlIdentifier
        let id = ModelCheck.idColumn.sqlIdentifier
        let columns = entity.attributes.map(\.name.sqlIdentifier)
        let written = ([id] + stored.map { columns[$0] }).joined(separator: ", ")
        let places = Array(repeating: "?", count: stored.count + 1).joined(separator: ", ")
        insert = SQLText("INSERT INTO \(table) (\(written)) VALUES (\(places))")
        let all = ([id] + entity.selectColumns()).joined(separator: ", ")
        selectRow = SQLText("SELECT \(all) FROM \(table) WHERE \(id) = ?", isSingle: true)
        selectRows = SQLText("SELECT \(all) FROM \(table) WHERE \(id) IN (SELECT value FROM kernel_values(?))")
        if let key = entity.primaryKey {
            selectKey = SQLText("SELECT \(all) FROM \(table) WHERE \(columns[key]) = ?", isSingle: true)
            selectKeys = SQLText(
                "SELECT \(all) FROM \(table) WHERE \(columns[key]) IN (SELECT value FROM kernel_values(?))")
        } else {
            selectKey = nil
            selectKeys = nil
        }
        deleteRow = SQLText("DELETE FROM \(table) WHERE \(id) = ?")
        deleteRows = SQLText("DELETE FROM \(table) WHERE \(id) IN (SELECT value FROM kernel_values(?))")
        deleteAll = SQLText("DELETE FROM \(table)")
        selectAllRows = SQLText("SELECT \(id) FROM \(table)")
        selectExisting = SQLText(
            "SELECT \(id), \(id) FROM \(table) WHERE \(id) IN (SELECT value FROM kernel_values(?)) LIMIT 1")
    }
}
