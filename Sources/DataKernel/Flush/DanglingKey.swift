internal import KernelSQL
internal import KernelSQLite

/// Finds out which key made a commit fail. Keys lead to rows that are gone when a rule says `noAction` and the program
/// did nothing either.
enum DanglingKey {
    private static let check = SQLText(
        """
        SELECT c."table", c.rowid, c.parent, l."from" FROM pragma_foreign_key_check AS c
        JOIN pragma_foreign_key_list(c."table") AS l ON l.id = c.fkid LIMIT 1
        """)

    /// The error for the first such key in the open transaction, or nil when there is none.
    static func error(_ connection: Connection, _ model: StoreModel) throws -> KernelError? {
        var found: (table: String, row: Int64?, parent: String, column: String)?
        try connection.rows(check) { row in
            row.base = 0
            found = (try row.text(0), row.isNull(1) ? nil : try row.integer(1), try row.text(2), try row.text(3))
        }
        guard let found else { return nil }
        // The table of a relationship has no row ids.
        let holder = found.row.map { "\(found.table)/\($0)" } ?? found.table
        var parent = found.parent
        if let row = found.row {
            let key = found.column.sqlIdentifier
            let id = ModelCheck.idColumn.sqlIdentifier
            try connection.rows(SQLText("SELECT \(key) FROM \(found.table.sqlIdentifier) WHERE \(id) = ?")) {
                $0.bind(integer: row)
            } each: { row in
                row.base = 0
                parent += "/\(try row.integer(0))"
            }
        }
        return .deleteDenied(parent, heldBy: holder, relationship: "\(found.table).\(found.column)")
    }
}
