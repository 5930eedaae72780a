import Foundation
import KernelSQL
import Testing

@testable import KernelSQLite

@Suite struct StatementTests {
    let folder: TemporaryFolder
    let connection: Connection

    init() throws {
        folder = try TemporaryFolder()
        connection = try folder.writer()
    }

    @Test(
        "a stored value comes back to the bit",
        arguments: [
            .null, .integer(.min), .integer(.max), .integer(0), .real(.greatestFiniteMagnitude),
            .real(.leastNonzeroMagnitude), .real(.infinity), .real(-.infinity), .real(0.1), .text(""), .text("a\0b"),
            .text("\0"), .text("Zoë 👩‍👩‍👧 naïve"), .text(String(repeating: "x", count: 100_000)), .blob(Data()),
            .blob(Data([0, 255, 0])), .blob(Data(repeating: 7, count: 100_000)),
        ] as [StoredValue])
    func roundTrip(value: StoredValue) throws {
        try connection.execute("CREATE TABLE t(x)")
        try connection.run(SQLText("INSERT INTO t VALUES (?)")) { $0.bind(stored: value) }
        #expect(try connection.one("SELECT x FROM t") == value)
        #expect(try connection.one("SELECT count(*) FROM t WHERE x IS ?", value) == .integer(1))
    }

    @Test("negative zero comes back equal to zero")
    func negativeZero() throws {
        #expect(try connection.one("SELECT ?", .real(-0.0)) == .real(0))
    }

    @Test("a slice of data is bound as its own bytes")
    func slice() throws {
        let slice = Data([1, 2, 3, 4])[1..<3]
        #expect(try connection.one("SELECT hex(?)", .blob(slice)) == .text("0203"))
    }

    @Test("a statement runs again with new values after rewind")
    func rewind() throws {
        let before = connection.counters.prepares
        let statement = try connection.borrow(SQLText("SELECT ? || ?"))
        var results: [String] = []
        for word in ["a", "b"] {
            statement.rewind()
            statement.bind(text: word)
            statement.bind(text: "!")
            #expect(try statement.step())
            results.append(try statement.row.text(0))
        }
        #expect(results == ["a!", "b!"])
        #expect(connection.counters.prepares == before + 1)
    }

    @Test("bindings stay over a reset")
    func reset() throws {
        let statement = try connection.borrow(SQLText("SELECT ?"))
        statement.bind(integer: 7)
        for _ in 0..<2 {
            #expect(try statement.step())
            #expect(try statement.row.integer(0) == 7)
            statement.reset()
        }
    }

    @Test("a statement that gives one row at most is stepped once a run, and gives it in every run")
    func single() throws {
        try connection.execute("CREATE TABLE t(x PRIMARY KEY); INSERT INTO t VALUES (1), (2)")
        let statement = try connection.borrow(SQLText("SELECT x FROM t WHERE x = ?", isSingle: true))
        var found: [Int64] = []
        let before = connection.counters.steps
        for number in [1, 2, 1] as [Int64] {
            statement.rewind()
            statement.bind(integer: number)
            while try statement.step() { found.append(try statement.row.integer(0)) }
        }
        #expect(found == [1, 2, 1])
        #expect(connection.counters.steps == before + 3)
        statement.rewind()
        statement.bind(integer: 3)
        #expect(try !statement.step())
        // No row, no last one: the next step begins a run.
        #expect(try !statement.step())
    }

    @Test("too few parameters are refused before the run")
    func tooFew() throws {
        let statement = try connection.borrow(SQLText("SELECT ?, ?"))
        statement.bind(integer: 1)
        let failure = failure { _ = try statement.step() }
        #expect(failure?.code == .misuse)
        #expect(failure?.message == "2 parameters, 1 bound")
    }

    @Test("one parameter too many is remembered and thrown at the step")
    func tooMany() throws {
        let statement = try connection.borrow(SQLText("SELECT ?"))
        statement.bind(integer: 1)
        statement.bind(integer: 2)
        #expect(failure { _ = try statement.step() }?.code == ResultCode(25))
        statement.rewind()
        statement.bind(integer: 3)
        #expect(try statement.step())
    }

    @Test("binding while rows are being read fails at the next step, and not silently")
    func bindWhileRunning() throws {
        let statement = try connection.borrow(SQLText("SELECT ? UNION ALL SELECT 2"))
        statement.bind(integer: 1)
        #expect(try statement.step())
        statement.bind(integer: 5)
        #expect(throws: DatabaseFailure.self) {
            while try statement.step() {}
        }
    }

    @Test("attribute i is column base + i, and the column before the base can be reached")
    func base() throws {
        let statement = try connection.borrow(SQLText("SELECT 10, 'a', 2.5"))
        #expect(try statement.step())
        let row = statement.row
        row.base = 1
        #expect(try row.integer(-1) == 10)
        #expect(try row.text(0) == "a")
        #expect(try row.real(1) == 2.5)
        #expect(row.lastRead == 1)
    }

    @Test("a column of another type is an issue that names the types and the attribute, not the value")
    func wrongType() throws {
        let statement = try connection.borrow(SQLText("SELECT 'secret', 1, NULL, 1.5, x'00'"))
        #expect(try statement.step())
        let row = statement.row
        let issue = #expect(throws: ValueIssue.self) { try row.integer(0) }
        #expect(issue?.reason == "holds text where an integer belongs")
        #expect(row.lastRead == 0)
        #expect(throws: ValueIssue.self) { try row.text(1) }
        #expect(throws: ValueIssue.self) { try row.integer(2) }
        #expect(throws: ValueIssue.self) { try row.integer(3) }
        #expect(throws: ValueIssue.self) { try row.text(4) }
        #expect(throws: ValueIssue.self) { try row.blob(0) }
        #expect(throws: ValueIssue.self) { try row.real(0) }
        #expect(throws: ValueIssue.self) { try row.integer(5) }
        #expect(row.isNull(2) && !row.isNull(1))
    }

    @Test("a real is read from an integer")
    func realFromInteger() throws {
        let statement = try connection.borrow(SQLText("SELECT 5"))
        #expect(try statement.step())
        #expect(try statement.row.real(0) == 5)
    }

    @Test("text that is not UTF-8 is an issue, not repaired in silence")
    func brokenText() throws {
        let statement = try connection.borrow(SQLText("SELECT CAST(x'61ff62' AS TEXT)"))
        #expect(try statement.step())
        #expect(throws: ValueIssue.self) { try statement.row.text(0) }
    }

    @Test(
        "texts come back byte by byte, and broken ones are issues, at every length around what a string has in itself")
    func lengths() throws {
        let query = SQLText("SELECT CAST(? AS TEXT)")
        func read(_ bytes: [UInt8]) throws -> String? {
            let statement = try connection.borrow(query)
            defer { connection.giveBack(statement) }
            statement.bind(blob: Data(bytes))
            #expect(try statement.step())
            let text = try? statement.row.text(0)
            let textIfAny = try? statement.row.textIfAny(0)
            #expect(text == textIfAny)
            return text
        }
        for length in 0...20 {
            let plain = (0..<length).map { UInt8(97 + $0) }
            #expect(try read(plain).map { Array($0.utf8) } == plain)
            // é is two bytes, and half of one is no text; 0 is a character like others.
            for place in 0..<length {
                for (wrong, character) in [([0xC3], [0xC3, 0xA9]), ([0xFF], [0])] as [([UInt8], [UInt8])] {
                    let whole = plain[..<place] + character + plain[place...].dropFirst(character.count)
                    #expect(try read(Array(whole)).map { Array($0.utf8) } == Array(whole))
                    let broken = plain[..<place] + wrong + plain[place...].dropFirst()
                    #expect(try read(Array(broken)) == nil)
                }
            }
        }
    }

    @Test("a row kept beyond its statement reads as NULL")
    func escapedRow() throws {
        var row: StatementRow?
        do {
            let connection = try folder.writer("other.db")
            let statement = try connection.borrow(SQLText("SELECT 1"))
            #expect(try statement.step())
            row = statement.row
        }
        #expect(row?.isNull(0) == true)
    }
}
