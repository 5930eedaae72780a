import CKernelSQLite
import Foundation
import KernelSQL
import Testing

@testable import KernelSQLite

@Suite struct ValueListTests {
    let folder: TemporaryFolder
    let connection: Connection

    init() throws {
        folder = try TemporaryFolder()
        connection = try folder.writer()
    }

    private let select = "SELECT value FROM kernel_values(?)"

    @Test("every value comes out to the bit, once, in SQLite's order")
    func order() throws {
        var values: [StoredValue] = [
            .text("b"), .blob(Data([1])), .integer(3), .real(2.5), .null, .text("a"), .text("a\0c"), .text(""),
            .integer(.max), .real(0x1p63), .integer(.min), .real(-0x1p63), .real(.infinity), .real(-.infinity),
            .blob(Data()), .text("é"), .text("e\u{301}"), .integer(3), .text("a"), .null, .real(0.1),
            .blob(Data([1, 0])),
            .integer(9_007_199_254_740_993), .real(9_007_199_254_740_992), .integer(9_007_199_254_740_992), .real(-2.5),
            .integer(-2), .integer(-3), .real(1e300), .real(-1e300),
        ]
        var random = SplitMix(seed: 11)
        values.shuffle(using: &random)
        let list = ValueList(values)
        let found = try connection.values(select, list: list)

        try connection.execute("CREATE TABLE t(x)")
        for value in values { try connection.run(SQLText("INSERT INTO t VALUES (?)")) { $0.bind(stored: value) } }
        let expected = try connection.all("SELECT x FROM t GROUP BY x ORDER BY x").map { $0[0] }
        #expect(found.count == expected.count)
        #expect(found.count == list.count)
        for (one, other) in zip(found, expected) {
            // 9007199254740992 stands there as integer and as real: SQLite calls them equal, either may be the one kept.
            let areEqual = try connection.one("SELECT ? IS ?", one, other) == .integer(1)
            #expect(one == other || areEqual, "\(one) \(other)")
        }
    }

    @Test("NaN is taken for NULL, as SQLite would")
    func nan() throws {
        #expect(try connection.values(select, list: ValueList([.real(.nan), .null])) == [.null])
    }

    @Test("an empty list has no rows, and its negation finds everything")
    func empty() throws {
        try connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES (1), (NULL)")
        for list in [ValueList([]), ValueList(integers: [])] {
            #expect(try connection.values(select, list: list).isEmpty)
            #expect(try connection.values("SELECT x FROM t WHERE x IN (\(select))", list: list).isEmpty)
            #expect(try connection.values("SELECT x FROM t WHERE x NOT IN (\(select))", list: list).count == 2)
        }
    }

    @Test(
        "300,000 values find their 30,000 of 90,000 rows, by the index, on a reader, with sort and limit right",
        arguments: [
            ("integer", "i"), ("real", "i / 7.0"), ("text", "i || '-name'"), ("blob", "CAST(i || '-name' AS BLOB)"),
        ])
    func long(kind: String, expression: String) throws {
        try connection.execute(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, x);
            WITH RECURSIVE n(i) AS (SELECT 1000000 UNION ALL SELECT i + 1 FROM n LIMIT 90000)
            INSERT INTO t(x) SELECT \(expression) FROM n;
            CREATE INDEX i ON t(x)
            """)
        // Every third row, and many values that no row has. Backwards, so that an unoptimised build sorts them in time.
        let wanted = (1_000_000..<1_900_000).reversed().filter { $0 % 3 == 1 }
        #expect(wanted.count == 300_000)
        let list = ValueList(
            wanted.map { i in
                switch kind {
                case "integer": .integer(Int64(i))
                case "real": .real(Double(i) / 7)
                case "text": .text("\(i)-name")
                default: .blob(Data("\(i)-name".utf8))
                }
            })
        #expect(list.count == 300_000)
        let reader = try folder.reader()
        let condition = "WHERE x IN (SELECT value FROM kernel_values(?))"
        #expect(try reader.values("SELECT count(*) FROM t \(condition)", list: list) == [.integer(30_000)])
        let page = try reader.values("SELECT id FROM t \(condition) ORDER BY id DESC LIMIT 3", list: list)
        #expect(page == [.integer(89_998), .integer(89_995), .integer(89_992)])
        let plan = try reader.all("EXPLAIN QUERY PLAN SELECT id FROM t \(condition)", .null)
        #expect("\(plan)".contains("SEARCH t USING COVERING INDEX i"), "\(plan)")
    }

    @Test("one cached statement serves lists of every length, and a list is let go when the statement comes back")
    func lifetime() throws {
        let text = SQLText(select)
        weak var weakList: ValueList?
        do {
            let list = ValueList([.text("a"), .text("b")])
            weakList = list
            try connection.rows(text, bind: { $0.bind(list: list) }) { _ in }
        }
        #expect(weakList == nil)
        let before = connection.counters.prepares
        for length in 0..<5 {
            var count = 0
            try connection.rows(text, bind: { $0.bind(list: ValueList(integers: Array(0..<Int64(length)))) }) { _ in
                count += 1
            }
            #expect(count == length)
        }
        #expect(connection.counters.prepares == before)
    }

    @Test("the statement alone keeps a list alive while it is being read, over rebinding, and to its end")
    func keptByStatement() throws {
        let statement = try connection.borrow(SQLText(select))
        weak var weakList: ValueList?
        do {
            let list = ValueList((0..<1000).map { .text("text number \($0)") })
            weakList = list
            statement.bind(list: list)
        }
        #expect(weakList != nil)
        var seen = 0
        while try statement.step() {
            seen += try statement.row.text(0).hasPrefix("text number") ? 1 : 0
        }
        #expect(seen == 1000)
        #expect(weakList != nil)
        statement.rewind()
        statement.bind(list: ValueList([.text("x")]))
        #expect(weakList == nil)
        #expect(try statement.step())
        #expect(try statement.row.text(0) == "x")
    }

    @Test("a bind that fails lets its list go")
    func failedBind() throws {
        let statement = try connection.borrow(SQLText("SELECT 1"))
        weak var weakList: ValueList?
        do {
            let list = ValueList(integers: [1])
            weakList = list
            statement.bind(list: list)
        }
        #expect(weakList == nil)
        #expect(throws: DatabaseFailure.self) { _ = try statement.step() }
    }

    @Test("a list survives where its values go: sorters, groups, tables, joins with itself")
    func values() throws {
        let list = ValueList((0..<500).map { .text("v\($0 % 250)") } + [.blob(Data([9])), .text("")])
        let text = SQLText(
            """
            CREATE TABLE copy AS SELECT max(a.value) AS x FROM kernel_values(?1) a JOIN kernel_values(?1) b
            ON a.value = b.value GROUP BY b.value ORDER BY length(b.value), b.value DESC
            """)
        try connection.run(text) { $0.bind(list: list) }
        #expect(try connection.one("SELECT count(DISTINCT x) FROM copy") == .integer(252))
        #expect(try connection.one("SELECT hex(x) FROM copy WHERE typeof(x) = 'blob'") == .text("09"))
    }

    @Test("whatever is no list of ours gives no rows: NULL, numbers, text, nothing, a foreign pointer")
    func foreign() throws {
        for value in [.null, .integer(1), .text("kernel.values"), .blob(Data(repeating: 1, count: 8))] as [StoredValue]
        {
            #expect(try connection.all(select, value).isEmpty)
        }
        #expect(try connection.all("SELECT value FROM kernel_values").isEmpty)
        #expect(try connection.all("SELECT value FROM kernel_values()").isEmpty)

        let statement = try connection.borrow(SQLText(select))
        statement.bindNull()
        let other = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        defer { other.deallocate() }
        // SQLite keeps the tag's address, so the tag must be static.
        let tag: StaticString = "other.type"
        let code = tag.utf8Start.withMemoryRebound(to: CChar.self, capacity: tag.utf8CodeUnitCount + 1) {
            sqlite3_bind_pointer(statement.pointer, 1, other, $0, nil)
        }
        #expect(code == SQLITE_OK)
        #expect(try statement.step() == false)
    }

    @Test("the function may stand in a view, which untrusted schemas allow only to harmless ones")
    func innocuous() throws {
        try connection.execute("CREATE VIEW v AS SELECT value FROM kernel_values(NULL)")
        #expect(try connection.all("SELECT * FROM v").isEmpty)
    }

    @Test("a join that knows its list only in one order still works")
    func join() throws {
        try connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES (1), (2)")
        let text = "SELECT t.x FROM t, kernel_values(?) k WHERE k.value = t.x ORDER BY 1"
        #expect(try connection.values(text, list: ValueList(integers: [2, 3])) == [.integer(2)])
        #expect(try connection.all("SELECT * FROM t JOIN kernel_values(t.x)").isEmpty)
    }
}

/// A generator with a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
