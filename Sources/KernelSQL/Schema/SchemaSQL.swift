/// The SQL of an entity's table and indexes.
package enum SchemaSQL {
    /// Tables that hold no entity: what the store knows of itself, and which row ids were given out.
    package static let metadata = [
        "CREATE TABLE kernel_meta (key TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID",
        "CREATE TABLE kernel_id (entity TEXT PRIMARY KEY NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID",
    ]

    /// ```sql
    /// CREATE TABLE "Car" ("_id" INTEGER PRIMARY KEY, "model" TEXT NOT NULL, "mark" TEXT)
    /// ```
    package static func createTable(_ entity: EntityDescription) -> String {
        let columns = entity.attributes.map(column)
        let id = "\(ModelCheck.idColumn.sqlIdentifier) INTEGER PRIMARY KEY"
        return "CREATE TABLE \(entity.name.sqlIdentifier) (\(([id] + columns).joined(separator: ", ")))"
    }

    /// A column as CREATE TABLE writes it.
    package static func column(_ attribute: AttributeDescription) -> String {
        "\(attribute.name.sqlIdentifier) \(attribute.storageClass.columnType)"
            + (attribute.isOptional ? "" : " NOT NULL")
    }

    /// A column that ALTER TABLE can add to a table with rows; the caller fills in the real values.
    package static func addColumn(_ attribute: AttributeDescription, to entity: String) -> String {
        let filler = attribute.isOptional ? "" : " DEFAULT \(attribute.storageClass.fillerLiteral)"
        return "ALTER TABLE \(entity.sqlIdentifier) ADD COLUMN \(column(attribute))\(filler)"
    }

    package static func createIndex(_ index: StoredIndex, on entity: String) -> String {
        let columns = index.attributes.map(\.sqlIdentifier).joined(separator: ", ")
        let kind = index.isUnique ? "UNIQUE INDEX" : "INDEX"
        return "CREATE \(kind) \(name(index, on: entity).sqlIdentifier) ON \(entity.sqlIdentifier) (\(columns))"
    }

    /// A name that a person can read and that no other index has.
    private static func name(_ index: StoredIndex, on entity: String) -> String {
        // No table's name begins with kernel_, and parts that hold a dot themselves are spelt without one.
        let parts = ([entity] + index.attributes).map {
            $0.replacing("~", with: "~0").replacing(".", with: "~1")
        }
        return "kernel_\(index.isUnique ? "unique" : "index").\(parts.joined(separator: "."))"
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
