import DataKernel
import Foundation

/// One way to damage a store, chosen by a seed.
struct DamageVariant {
    let seed: UInt64
    private var random: SeededGenerator
    let kind: DamageTemplate.Kind
    /// Whether bytes of the file are damaged; else values of rows.
    let isRaw: Bool
    private(set) var actions: [String] = []

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        isRaw = Int.random(in: 0..<5, using: &random) == 0
        let kinds: [DamageTemplate.Kind] = isRaw ? [.plain, .plain, .logged] : [.plain, .relaxed, .relaxed]
        kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
    }

    /// Damages the file. What SQLite itself refuses (a constraint) leaves it as it is.
    mutating func damage(_ url: URL) throws {
        if isRaw { return try damageBytes(url) }
        let database = try RawDatabase(url)
        try database.run("PRAGMA foreign_keys=off; PRAGMA synchronous=off; PRAGMA ignore_check_constraints=on")
        for _ in 0..<[1, 1, 1, 2, 4, 12][Int.random(in: 0..<6, using: &random)] {
            let sql = try statement(database)
            actions.append(sql.count > 300 ? sql.prefix(300) + "…" : sql)
            try? database.run(sql)
        }
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    // MARK: Values

    private mutating func pick<T>(_ some: [T]) -> T { some[Int.random(in: 0..<some.count, using: &random)] }

    private mutating func statement(_ database: RawDatabase) throws -> String {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return kernelStatement()
        case 1:
            let pragma = pick(["user_version", "application_id"])
            return "PRAGMA \(pragma) = \(pick(["0", "-1", "2", "2147483647", "-2147483648"]))"
        default: break
        }
        let tables = try database.tables.filter { !$0.hasPrefix("kernel_") }
        let table = pick(tables)
        let name = RawDatabase.quoted(table)
        let columns = try database.columns(table)
        let column = RawDatabase.quoted(pick(columns))
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return "DELETE FROM \(name) WHERE \(some(columns, name))"
        case 1:
            // A row twice: all of it but its id.
            let others = columns.filter { $0 != "_id" }.map(RawDatabase.quoted).joined(separator: ", ")
            return "INSERT INTO \(name) (\(others)) SELECT \(others) FROM \(name) WHERE \(some(columns, name))"
        case 2:
            let other = RawDatabase.quoted(pick(columns))
            return "UPDATE \(name) SET \(column) = \(other), \(other) = \(column) WHERE \(some(columns, name))"
        case 3:
            return
                "UPDATE \(name) SET \(column) = (SELECT \(column) FROM \(name) ORDER BY 1 LIMIT 1 OFFSET \(Int.random(in: 0..<6, using: &random)))"
        default:
            return "UPDATE \(name) SET \(column) = \(value()) WHERE \(some(columns, name))"
        }
    }

    /// A condition that holds for all rows or for some. SQLite's own random numbers would not follow from the seed.
    private mutating func some(_ columns: [String], _ table: String) -> String {
        if Int.random(in: 0..<4, using: &random) == 0 { return "1" }
        let column = RawDatabase.quoted(pick(columns))
        let (limit, offset) = (Int.random(in: 1...4, using: &random), Int.random(in: 0..<6, using: &random))
        return "\(column) IN (SELECT \(column) FROM \(table) ORDER BY 1 LIMIT \(limit) OFFSET \(offset))"
    }

    private mutating func kernelStatement() -> String {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return "UPDATE kernel_id SET next = \(value())" + pick(["", " WHERE entity = 'Shelf'"])
        case 1: return "UPDATE kernel_id SET entity = \(value()) WHERE entity = 'Book'"
        case 2: return "UPDATE kernel_log SET \(pick(["base", "token", "mark"])) = \(value())"
        case 3: return "UPDATE kernel_meta SET value = \(value())" + pick(["", " WHERE key = 'version'"])
        default:
            let length = Int.random(in: 0..<3000, using: &random)
            let part = pick(["text", "integer", "Shelf", "true", "[", "}", "\"", "null"])
            let new = pick(["", "blob", "nothing", "{}", "[[[[", "\\u0000", "9e999"])
            return pick([
                "UPDATE kernel_meta SET value = substr(value, 1, \(length)) WHERE key = 'model'",
                "UPDATE kernel_meta SET value = substr(value, \(length)) WHERE key = 'model'",
                "UPDATE kernel_meta SET value = replace(value, '\(part)', '\(new)') WHERE key = 'model'",
                "UPDATE kernel_meta SET key = \(value())",
                "DELETE FROM \(pick(["kernel_meta", "kernel_id", "kernel_log"]))",
                "DROP TABLE \(pick(["kernel_meta", "kernel_id", "kernel_log", "Book", "Topic"]))",
                "ALTER TABLE \(pick(["Book", "Lamp", "Specimen"])) RENAME TO renamed",
            ])
        }
    }

    /// A value as SQL.
    private mutating func value() -> String {
        let number = Int.random(in: 0..<12, using: &random)
        let integers = [
            "0", "-1", "1", "2", "\(number)", "\(-number)", "127", "128", "-129", "32768", "65536", "2147483647",
            "2147483648", "-2147483649", "4294967296", "9007199254740993", "9223372036854775807",
            "(-9223372036854775807 - 1)", "9223372036854775806", "9223372036853999999", "9223372036854644735",
            "1048576",
        ]
        let reals = [
            "0.0", "-0.0", "0.5", "1e308", "-1e308", "9e999", "-9e999", "5e-324", "9.3e18", "1e40", "63113904000.0",
        ]
        let texts = [
            "''", "'a'", "'1'", "'red'", "'null'", "'{}'", "'[]'", "'{\"name\":\"x\",\"branches\":[]}'",
            "'[1,2,1e400]'",
            "'[1e99999999999]'", "'\"'", "'[\"a\\ud800\"]'", "'{\"a\":1e999999}'", "'{\"a\":-}'", "'{\"a\":1,\"a\":2}'",
            "CAST(x'C3' AS TEXT)", "CAST(x'610062' AS TEXT)", "CAST(x'EDA080' AS TEXT)",
            "CAST(x'F8888080808080' AS TEXT)",
            "CAST(x'00' AS TEXT)", "printf('%.*c', 100000, 'x')", "printf('%.*c', 20000, '[')",
            "replace(printf('%.*c', 300, 'x'), 'x', '{\"name\":\"\",\"branches\":[') || replace(printf('%.*c', 300, 'x'), 'x', ']}')",
            "'1e127'", "'1e128'", "'1e-128'", "'1e2147483648'", "'1e99999999999999999999'", "'-1e-2147483649'", "'.'",
            "'-'",
            "'+.e1'", "printf('%.*c', 400, '9')", "'0.' || printf('%.*c', 400, '9')", "'NaN'", "'inf'", "' 1'", "'1 '",
            "'http://[::1'", "'http://a b'", "'%'", "'//['", "'http://x:99999999999/'", "'data:,%ZZ'", "'\u{FEFF}'",
        ]
        let blobs = [
            "x''", "x'00'", "zeroblob(15)", "zeroblob(16)", "zeroblob(17)",
            "x'0102030405060708090A0B0C0D0E0F\(String(number + 16, radix: 16))'", "zeroblob(100000)",
        ]
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "NULL"
        case 1...3: return pick(integers)
        case 4: return pick(reals)
        case 5, 6: return pick(texts)
        default: return pick(blobs)
        }
    }

    // MARK: Bytes

    private mutating func damageBytes(_ url: URL) throws {
        var target = url
        if kind == .logged, Bool.random(using: &random) { target = URL(filePath: url.path + "-wal") }
        var bytes = [UInt8](try Data(contentsOf: target))
        guard !bytes.isEmpty else { return }
        for _ in 0..<[1, 1, 2, 4, 16, 64][Int.random(in: 0..<6, using: &random)] { change(&bytes) }
        try Data(bytes).write(to: target)
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        guard bytes.count > 600 else { return }
        let pages = max(1, bytes.count / 4096)
        let start = Int.random(in: 0..<pages, using: &random) * 4096
        let place: Int
        switch Int.random(in: 0..<6, using: &random) {
        case 0: place = Int.random(in: 0..<100, using: &random)
        case 1: place = start + Int.random(in: 0..<12, using: &random)
        case 2: place = start + 8 + Int.random(in: 0..<60, using: &random)
        default: place = Int.random(in: 0..<bytes.count, using: &random)
        }
        let index = min(place, bytes.count - 1)
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            // One page in the place of another.
            let source = Int.random(in: 0..<pages, using: &random) * 4096
            for offset in 0..<min(4096, bytes.count - max(source, start)) where start > 0 {
                bytes[start + offset] = bytes[source + offset]
            }
            actions.append("page \(source / 4096 + 1) over page \(start / 4096 + 1)")
        case 1:
            bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            actions.append("cut off to \(bytes.count)")
        case 2:
            bytes.append(contentsOf: [UInt8](repeating: 0xA5, count: Int.random(in: 1..<5000, using: &random)))
            actions.append("longer")
        case 3...5:
            bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            actions.append("bit of byte \(index)")
        default:
            bytes[index] = pick([
                0, 1, 2, 4, 5, 10, 13, 0x7F, 0x80, 0xFE, 0xFF, UInt8.random(in: 0...255, using: &random),
            ])
            actions.append("byte \(index) = \(bytes[index])")
        }
    }
}
