import Foundation
import KernelSQL
import Testing

@testable import KernelSQLite

@Suite struct FunctionTests {
    let folder: TemporaryFolder
    let connection: Connection

    init() throws {
        folder = try TemporaryFolder()
        connection = try folder.writer()
    }

    @Test("NULL gives NULL in every function")
    func nulls() throws {
        for call in [
            "k_decimal(NULL)", "k_fold(NULL)", "k_begins(NULL, 'a')", "k_begins('a', NULL)", "k_ends(NULL, 'a')",
            "k_ends('a', NULL)",
        ] {
            #expect(try connection.one("SELECT \(call)") == .null, "\(call)")
        }
    }

    @Test("k_decimal sorts any two Decimals as Decimal compares them")
    func decimals() throws {
        var random = SplitMix(seed: 42)
        var numbers: [Decimal] = [
            0, 1, -1, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
            -Decimal.leastNonzeroMagnitude, Decimal(Int64.max), Decimal(Int64.min),
        ]
        for _ in 0..<2000 {
            let digits = Int.random(in: 1...38, using: &random)
            let text = String((0..<digits).map { _ in Character("\(Int.random(in: 0...9, using: &random))") })
            let exponent = Int.random(in: Bool.random(using: &random) ? -3...3 : -100...80, using: &random)
            let sign = Bool.random(using: &random) ? "-" : ""
            if let number = Decimal(string: "\(sign)\(text)e\(exponent)"), !number.isNaN { numbers.append(number) }
        }
        #expect(numbers.count > 1900)
        try connection.execute("CREATE TABLE t(i INTEGER, x)")
        try connection.begin()
        for (index, number) in numbers.enumerated() {
            try connection.run(SQLText("INSERT INTO t VALUES (?, ?)")) {
                $0.bind(integer: Int64(index))
                try $0.bind(number)
            }
        }
        try connection.commit()
        var previous: Decimal?
        try connection.rows(SQLText("SELECT x FROM t ORDER BY k_decimal(x)")) { row in
            let number: Decimal = try row.value(0)
            if let previous { #expect(previous <= number) }
            previous = number
        }
    }

    @Test("one number has one key, however it is written")
    func spellings() throws {
        for (left, right) in [
            ("1", "1.0"), ("0", "-0"), ("0", "0.000"), ("100", "1e2"), ("0.5", ".5"), ("+7", "007"), ("1.", "1"),
            ("-12.50", "-1.25E+1"), ("0e99", "0"),
        ] {
            #expect(try connection.one("SELECT k_decimal(?) = k_decimal(?)", .text(left), .text(right)) == .integer(1))
        }
        #expect(try connection.one("SELECT k_decimal(2.5) = k_decimal('2.5')") == .integer(1))
        #expect(try connection.one("SELECT k_decimal(1e20) = k_decimal('100000000000000000000')") == .integer(1))
        #expect(
            try connection.one("SELECT k_decimal(9223372036854775807) < k_decimal('9223372036854775808')")
                == .integer(1))
    }

    @Test("numbers of any length compare exactly, far beyond Decimal and Double")
    func longNumbers() throws {
        let long = String(repeating: "9", count: 5000)
        #expect(
            try connection.one("SELECT k_decimal(?) < k_decimal(?)", .text(long), .text(long + ".1")) == .integer(1))
        #expect(
            try connection.one("SELECT k_decimal(?) > k_decimal(?)", .text("-" + long), .text("-\(long)1"))
                == .integer(1))
    }

    @Test("what is no number sorts after all numbers, and data after that, each distinct")
    func noNumbers() throws {
        let words = ["", "abc", "1x", "--1", "1e", ".", "e5", " 1", "1.2.3", "1e99999999999", "NaN", "1\0"]
        let biggest = StoredValue.text(Decimal.greatestFiniteMagnitude.description)
        for word in words {
            #expect(
                try connection.one("SELECT k_decimal(?) > k_decimal(?)", .text(word), biggest) == .integer(1), "\(word)"
            )
            #expect(try connection.one("SELECT k_decimal(?) < k_decimal(x'00')", .text(word)) == .integer(1))
        }
        var keys = Set<StoredValue>()
        for word in words { keys.insert(try connection.one("SELECT k_decimal(?)", .text(word)) ?? .null) }
        #expect(keys.count == words.count)
        #expect(try connection.one("SELECT k_decimal(x'FF01') < k_decimal(x'FF02')") == .integer(1))
    }

    @Test(
        "k_fold takes case and accents away, beyond ASCII too, and leaves NUL and numbers alone",
        arguments: [
            ("ABC xyz [\\]^_`{@", "abc xyz [\\]^_`{@"), ("", ""), ("É", "e"), ("e\u{301}", "e"),
            ("Ångström", "angstrom"),
            ("ПРИВЕТ", "привет"), ("Σ", "σ"), ("A\0B", "a\0b"), ("ÇA\0É", "ca\0e"), ("日本", "日本"), ("I", "i"),
        ])
    func fold(text: String, folded: String) throws {
        #expect(try connection.one("SELECT k_fold(?)", .text(text)) == .text(folded))
        #expect(StoredValue.text(TextFolding.fold(text)) == .text(folded))
    }

    @Test("the quick way for ASCII gives what Foundation gives")
    func asciiFold() {
        let all = String(decoding: UInt8(0)...127, as: UTF8.self)
        #expect(TextFolding.fold(all) == all.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
    }

    @Test("k_fold gives numbers and data back as they are")
    func foldOthers() throws {
        #expect(try connection.one("SELECT k_fold(5)") == .integer(5))
        #expect(try connection.one("SELECT k_fold(x'41')") == .blob(Data([0x41])))
    }

    @Test("k_begins and k_ends compare bytes, with %, _ and NUL as letters")
    func parts() throws {
        for (text, part, begins, ends) in [
            ("honda", "hon", 1, 0), ("honda", "nda", 0, 1), ("honda", "honda", 1, 1), ("honda", "", 1, 1),
            ("", "", 1, 1),
            ("", "a", 0, 0), ("honda", "Hon", 0, 0), ("honda", "h%", 0, 0), ("100%", "0%", 0, 1), ("a\0b", "a\0", 1, 0),
            ("a\0b", "\0b", 0, 1), ("a\0b", "b", 0, 1), ("a", "a\0", 0, 0), ("é", "e", 0, 0), ("e\u{301}", "e", 1, 0),
            ("hon", "honda", 0, 0),
        ] {
            let row = try connection.all("SELECT k_begins(?1, ?2), k_ends(?1, ?2)", .text(text), .text(part))
            #expect(row == [[.integer(Int64(begins)), .integer(Int64(ends))]], "\(text) \(part)")
        }
        #expect(try connection.one("SELECT k_begins(x'0102', x'01')") == .integer(1))
        #expect(try connection.one("SELECT k_ends(123, 23)") == .integer(1))
    }

    @Test("each function can stand in an index, which keeps its file whole")
    func indexes() throws {
        try connection.execute(
            """
            CREATE TABLE t(x); CREATE UNIQUE INDEX d ON t(k_decimal(x)); CREATE INDEX f ON t(k_fold(x));
            INSERT INTO t VALUES ('1.5'), ('É'), (NULL), (x'FF01')
            """)
        #expect(failure { try connection.execute("INSERT INTO t VALUES ('1.50')") }?.code == .constraintUnique)
        let other = try folder.writer()
        #expect(try other.one("SELECT x FROM t WHERE k_fold(x) = 'e'") == .text("É"))
        #expect(try other.one("PRAGMA integrity_check") == .text("ok"))
        let plan = try other.all("EXPLAIN QUERY PLAN SELECT x FROM t WHERE k_decimal(x) = k_decimal('1.5')")
        #expect("\(plan)".contains("INDEX d"))
    }
}
