/// The SQL of an entity's table and indexes.
package enum SchemaSQL {
    /// Tables that hold no entity: what the store knows of itself, and which row ids were given out.
    package static var metadata: [String] {
        [
            "CREATE TABLE kernel_meta (key TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID",
            "CREATE TABLE kernel_id (entity TEXT PRIMARY KEY NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID",
        ]
    }

    /// ```sql
    /// CREATE TABLE "Car" ("_id" INTEGER PRIMARY KEY, "model" TEXT NOT NULL, "mark" TEXT)
    /// ```
    package static func createTable(_ entity: EntityDescription) -> String {
        let columns = entity.links.storedAttributes.map { column($0, of: entity) }
        let orders = entity.links.orderColumns.map(orderColumn)
        let id = "\(ModelCheck.idColumn.sqlIdentifier) INTEGER PRIMARY KEY"
        return "CREATE TABLE \(entity.name.sqlIdentifier) (\(([id] + columns + orders).joined(separator: ", ")))"
    }

    /// The table of a many-to-many relationship: `table` is the owner's end.
    ///
    /// ```sql
    /// CREATE TABLE "Package_tags" ("packages" INTEGER NOT NULL REFERENCES "Package" ("_id") …,
    ///     "tags" INTEGER NOT NULL REFERENCES "Tag" ("_id") …, PRIMARY KEY ("packages", "tags")) WITHOUT ROWID
    /// ```
    package static func createJoin(_ table: StoredJoin) -> [String] {
        let (own, other) = (table.ownColumn.sqlIdentifier, table.otherColumn.sqlIdentifier)
        let order = table.order.map { ", \(orderColumn($0))" } ?? ""
        let name = table.name.sqlIdentifier
        return [
            "CREATE TABLE \(name) (\(own) INTEGER NOT NULL\(references(table.ownEntity)), "
                + "\(other) INTEGER NOT NULL\(references(table.otherEntity))\(order), "
                + "PRIMARY KEY (\(own), \(other))) WITHOUT ROWID",
            "CREATE INDEX \("kernel_index.\(spelt([table.name, table.otherColumn]))".sqlIdentifier) "
                + "ON \(name) (\(other), \(own))",
        ]
    }

    package static func addOrderColumn(_ name: String, to entity: String) -> String {
        "ALTER TABLE \(entity.sqlIdentifier) ADD COLUMN \(orderColumn(name))"
    }

    private static func orderColumn(_ name: String) -> String { "\(name.sqlIdentifier) INTEGER" }

    /// Checked at the end of the transaction: the kernel carries out the delete rules itself, and a cycle of required
    /// keys has no order in which it could be written.
    private static func references(_ entity: String) -> String {
        " REFERENCES \(entity.sqlIdentifier) (\(ModelCheck.idColumn.sqlIdentifier)) DEFERRABLE INITIALLY DEFERRED"
    }

    /// A column as CREATE TABLE writes it.
    package static func column(_ position: Int, of entity: EntityDescription) -> String {
        let attribute = entity.attributes[position]
        let target = attribute.relationship.map { entity.relationships[$0].target().name }
        return "\(attribute.name.sqlIdentifier) \(attribute.storageClass.columnType)"
            + (attribute.isOptional ? "" : " NOT NULL") + (target.map(references) ?? "")
    }

    /// A column that ALTER TABLE can add to a table with rows; the caller fills in the real values.
    package static func addColumn(_ position: Int, to entity: EntityDescription) -> String {
        let attribute = entity.attributes[position]
        let filler = attribute.isOptional ? "" : " DEFAULT \(attribute.storageClass.fillerLiteral)"
        return "ALTER TABLE \(entity.name.sqlIdentifier) ADD COLUMN \(column(position, of: entity))\(filler)"
    }

    package static func createIndex(_ index: StoredIndex, on entity: String) -> String {
        let columns = index.attributes.map(\.sqlIdentifier).joined(separator: ", ")
        let kind = index.isUnique ? "UNIQUE INDEX" : "INDEX"
        return "CREATE \(kind) \(name(index, on: entity).sqlIdentifier) ON \(entity.sqlIdentifier) (\(columns))"
    }

    /// A name that a person can read and that no other index has.
    private static func name(_ index: StoredIndex, on entity: String) -> String {
        // No table's name begins with kernel_, and parts that hold a dot themselves are spelt without one.
        "kernel_\(index.isUnique ? "unique" : "index").\(spelt([entity] + index.attributes))"
    }

    private static func spelt(_ parts: [String]) -> String {
        parts.map { $0.replacing("~", with: "~0").replacing(".", with: "~1") }.joined(separator: ".")
    }

    /// Finds rows that a unique index could not hold.
    package static func duplicates(_ index: StoredIndex, in entity: String) -> String {
        let columns = index.attributes.map(\.sqlIdentifier)
        let id = ModelCheck.idColumn.sqlIdentifier
        let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        return "SELECT min(\(id)), max(\(id)) FROM \(entity.sqlIdentifier) WHERE \(present) "
            + "GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 ORDER BY 1 LIMIT 10"
    }
}

extension StorageClass {
    /// The column's declared type. Decimals and JSON are TEXT, so that no affinity changes them.
    var columnType: String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text, .decimal, .json: "TEXT"
        case .blob: "BLOB"
        }
    }

    var fillerLiteral: String {
        switch self {
        case .integer, .real: "0"
        case .text, .decimal, .json: "''"
        case .blob: "x''"
        }
    }
}
