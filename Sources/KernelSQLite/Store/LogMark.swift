internal import KernelSQL

/// What tells whether a `-wal` belongs to the file beside it.
///
/// A log says nothing of the file that it was written for. So the first transaction of each log carries a mark: a
/// row with the file's mark until then (`base`) and a new random one (`token`). A log belongs to a file whose own
/// mark is that base, or one that came with the log itself and was copied into the file since. A file of another
/// store has another mark, and so has an older or newer copy of the same store.
///
/// The row has a table, and so a page, of its own: the page can be found in the log and in the file as they lie
/// there, though neither may be a whole database without the other.
enum LogMark {
    /// The SQL that gives a store its table. A new store gets it before all others; one that an older version of the
    /// kernel made gets it at its next opening.
    static func tableSQL(isNewStore: Bool) -> [String] {
        let base = isNewStore ? "zeroblob(16)" : "x'\(String(repeating: "FF", count: 16))'"
        return [
            "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, mark TEXT NOT NULL, base BLOB NOT NULL, token BLOB NOT NULL)",
            "INSERT INTO \(table) (id, mark, base, token) VALUES (1, '\(signature)', \(base), randomblob(16))",
        ]
    }

    static var table: String { "kernel_log" }
    static let renew = SQLText("UPDATE \(table) SET base = token, token = randomblob(16) WHERE id = 1")

    static var length: Int { 16 }
    /// What `base` is in the log that made the store, and in the one that gave an older store its table.
    static var newStore: [UInt8] { [UInt8](repeating: 0, count: length) }
    static var olderStore: [UInt8] { [UInt8](repeating: 0xFF, count: length) }
    /// Where the table is in a store that was made with it.
    static var firstPage: Int { 2 }

    private static var signature: String { "DataKernel log 1" }
    /// A leaf's only cell: 53 bytes of row 1, whose columns are nothing (the id), 16 letters, and twice 16 bytes. See
    /// https://sqlite.org/fileformat.html, sections 1.6 and 2.1.
    private static let cell: [UInt8] = [53, 1, 5, 0, 45, 44, 44] + Array(signature.utf8)

    /// The row, if the page is the table's.
    static func row(inPage page: ArraySlice<UInt8>) -> (base: [UInt8], token: [UInt8])? {
        let start = page.startIndex
        // A leaf of a table, with one cell: the offset of the cell follows the eight bytes of the page's header.
        guard page.count >= 512, page[start] == 13, page[start + 3] == 0, page[start + 4] == 1 else { return nil }
        let offset = Int(page[start + 8]) &<< 8 | Int(page[start + 9])
        let base = start + offset + cell.count
        guard base + 2 * length <= page.endIndex, page[(start + offset)...].starts(with: cell) else { return nil }
        return (Array(page[base..<base + length]), Array(page[base + length..<base + 2 * length]))
    }
}
