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
        let listed = "IN (SELECT value FROM kernel_values(?))"
        var columns = id
        var places = "?"
        for attribute in stored {
            columns += ", " + entity.attributes[attribute].name.sqlIdentifier
            places += ", ?"
        }
        insert = SQLText("INSERT INTO \(table) (\(columns)) VALUES (\(places))")
        let select = "SELECT " + ([id] + entity.selectColumns()).joined(separator: ", ") + " FROM \(table) WHERE "
        selectRow = SQLText("\(select)\(id) = ?", isSingle: true)
        selectRows = SQLText("\(select)\(id) \(listed)")
        let key = entity.primaryKey.map { entity.attributes[$0].name.sqlIdentifier }
        selectKey = key.map { SQLText("\(select)\($0) = ?", isSingle: true) }
        selectKeys = key.map { SQLText("\(select)\($0) \(listed)") }
        let delete = "DELETE FROM \(table)"
        deleteRow = SQLText("\(delete) WHERE \(id) = ?")
        deleteRows = SQLText("\(delete) WHERE \(id) \(listed)")
        deleteAll = SQLText(delete)
        selectAllRows = SQLText("SELECT \(id) FROM \(table)")
        selectExisting = SQLText("SELECT \(id), \(id) FROM \(table) WHERE \(id) \(listed) LIMIT 1")
    }
}
