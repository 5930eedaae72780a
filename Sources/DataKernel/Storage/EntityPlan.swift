internal import KernelSQL
internal import KernelSQLite

/// One entity as one storage works with it: its place in the model and the statements that never change.
final class EntityPlan: Sendable {
    let index: Int
    let entity: EntityDescription
    // Proof: the metatype of a class whose conformance is not isolated (the macro refuses global actors, and the
    // protocol's requirements are nonisolated) has no state.
    nonisolated(unsafe) let type: any Entity.Type

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
    /// The groups of attributes that are unique, each by position: the single ones, then the compound ones.
    let uniqueGroups: [[Int]]

    var name: String { entity.name }

    init(index: Int, type: any Entity.Type) {
        let entity = type.entity
        self.index = index
        self.entity = entity
        self.type = type
        let table = entity.name.sqlIdentifier
        let id = ModelCheck.idColumn.sqlIdentifier
        let columns = entity.attributes.map(\.name.sqlIdentifier)
        let all = ([id] + columns).joined(separator: ", ")
        let places = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
        insert = SQLText("INSERT INTO \(table) (\(all)) VALUES (\(places))")
        selectRow = SQLText("SELECT \(all) FROM \(table) WHERE \(id) = ?")
        selectRows = SQLText("SELECT \(all) FROM \(table) WHERE \(id) IN (SELECT value FROM kernel_values(?))")
        if let key = entity.primaryKey {
            selectKey = SQLText("SELECT \(all) FROM \(table) WHERE \(columns[key]) = ?")
            selectKeys = SQLText(
                "SELECT \(all) FROM \(table) WHERE \(columns[key]) IN (SELECT value FROM kernel_values(?))")
        } else {
            selectKey = nil
            selectKeys = nil
        }
        deleteRow = SQLText("DELETE FROM \(table) WHERE \(id) = ?")
        deleteRows = SQLText("DELETE FROM \(table) WHERE \(id) IN (SELECT value FROM kernel_values(?))")
        deleteAll = SQLText("DELETE FROM \(table)")
        let single = entity.attributes.indices.filter {
            entity.attributes[$0].isUnique || entity.attributes[$0].isPrimaryKey
        }
        uniqueGroups = single.map { [$0] } + entity.unique.map { $0.compactMap(entity.position(of:)) }
    }

    /// The statement that writes the attributes of a set.
    func updateSQL(_ attributes: AttributeSet) -> String {
        let assignments = attributes.positions.map { "\(entity.attributes[$0].name.sqlIdentifier) = ?" }
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
