import KernelSQL
import Testing

@Suite("What SQLite says, in the model's words")
struct FailureReasonTests {
    /// Codes with SQLite's messages of them, and what the words must hold.
    private static let table: [(code: Int32, message: String, words: String)] = [
        (1, "no such table: Car", "removed the table Car"),
        (1, "no such table: main.Car", "removed the table main.Car"),
        (1, "no such column: year", "removed the column year"),
        (1, "table Car has no column named year", "removed the column Car.year"),
        (1, "table Car has 2 columns but 3 values were supplied", "changed the columns of a table"),
        (1, "table Car may not be modified", "Car is no ordinary table"),
        (1, "table \"Car\" already exists", "whose name the model needs"),
        (1, "there is already an index named Car_year", "made the index Car_year"),
        (1, "duplicate column name: year", "added a column year"),
        (1, "cannot modify Tag because it is a view", "Tag is a view in the store"),
        (1, "cannot INSERT into generated column \"year\"", "computed"),
        (1, "cannot UPDATE generated column \"year\"", "computed"),
        (1, "foreign key mismatch - \"Note\" referencing \"Car\"", "columns that are not unique"),
        (1, "too many levels of trigger recursion", "triggers"),
        (1, "no such function: soundex", "the function soundex"),
        (1, "no such collation sequence: german", "the collation german"),
        (1, "no such module: fts5", "the module fts5"),
        (1, "unsafe use of load_extension()", "load_extension()"),
        (1, "error in trigger t: no such column: x", "trigger t"),
        (1, "ambiguous column name: x", "which x it means"),
        (1, "integer overflow", "a number that is too large"),
        (1, "malformed JSON", "JSON"),
        (1, "view v is circularly defined", "made from itself"),
        (1, "LIKE or GLOB pattern too complex", "pattern"),
        (1, "too many terms in ORDER BY clause", "sorted by more keys"),
        (1, "too many SQL variables", "more values"),
        (1, "Expression tree is too large (maximum depth 1000)", "nested too deeply"),
        (1, "parser stack overflow", "nested too deeply"),
        (1, "at most 64 tables in a join", "more relationships"),
        (1, "no query solution", "more conditions"),
        (1, "too many columns in result set", "more attributes"),
        (1, "too many columns on Car", "more attributes"),
        (4, "abort due to ROLLBACK", "ask again"),
        (5, "database is locked", "another connection holds the store"),
        (6, "database table is locked", "another connection holds the store"),
        (7, "out of memory", "not enough memory"),
        (8, "attempt to write a readonly database", "mend its rights"),
        (9, "interrupted", "stopped on the way"),
        (10, "disk I/O error", "Check the disk"),
        (11, "database disk image is malformed", "contradict"),
        (11, "malformed database schema (x) - orphan index", "its tables cannot be read"),
        (13, "database or disk is full", "the disk is full"),
        (14, "unable to open database file", "cannot be opened"),
        (17, "database schema has changed", "is changing the store's tables"),
        (18, "string or blob too big", "more bytes than a store can hold"),
        (20, "datatype mismatch", "takes integers only"),
        (22, "large file support is disabled", "of that size"),
        (26, "file is not a database", "no SQLite database"),
        (275, "CHECK constraint failed: year < 3000", "a check that another program added"),
        (787, "FOREIGN KEY constraint failed", "refers to one that is not there"),
        (1299, "NOT NULL constraint failed: Car.extra", "Car.extra needs a value"),
        (1811, "not on Sundays", "refused it (not on Sundays)"),
        (2067, "UNIQUE constraint failed: index 'other'", "the index 'other'"),
        (2067, "UNIQUE constraint failed: Car.a, Car.b", "the same Car.a, Car.b"),
        (3091, "cannot store TEXT value in INTEGER column Car.year", "strict"),
    ]

    @Test("has words for each, and keeps the raw text", arguments: table.indices)
    func words(row: Int) {
        let (code, message, words) = Self.table[row]
        let failure = DatabaseFailure(code: ResultCode(code), message: message, sql: "SELECT 1")
        #expect(failure.reason.contains(words) || failure.reason.contains(words.replacing("'", with: "")))
        #expect(!failure.reason.contains("SQL error") && !failure.reason.contains("SQLite error"))
        #expect(!failure.reason.contains("SELECT"))
        #expect(KernelError.database(failure).description == failure.reason)
        #expect(failure.description.contains(message) && failure.description.contains("SELECT 1"))
    }

    @Test("shows a message that it does not know, with its code")
    func unknown() {
        let failure = DatabaseFailure(code: .error, message: "a new\nmessage")
        #expect(failure.reason == #"the database failed unexpectedly (SQLite error 1: a new\nmessage)"#)
    }

    @Test("the kernel's own words stay", arguments: [ResultCode.corrupt, .cannotOpen, .misuse])
    func own(code: ResultCode) {
        let failure = DatabaseFailure(code: code, message: "a kernel table holds no model")
        #expect(failure.reason.contains("a kernel table holds no model"))
    }

    @Test("no room is told by the system's number where SQLite says only that the disk failed")
    func noRoom() {
        for number: Int32 in [28, 122] {
            #expect(DatabaseFailure(code: ResultCode(4874), message: "disk I/O error", systemError: number).isDiskFull)
            #expect(DatabaseFailure(code: .cannotOpen, message: "", systemError: number).isDiskFull)
        }
        #expect(!DatabaseFailure(code: .ioError, message: "disk I/O error", systemError: 5).isDiskFull)
        #expect(!DatabaseFailure(code: .ioError, message: "disk I/O error").isDiskFull)
        #expect(!DatabaseFailure(code: .busy, message: "database is locked", systemError: 28).isDiskFull)
        let limit = DatabaseFailure(code: ResultCode(778), message: "disk I/O error", systemError: 27)
        #expect(limit.reason.contains("size that the system allows"))
    }
}

@Suite("Names in messages")
struct ShownNameTests {
    @Test("stand on one line, without what acts on a terminal")
    func escaped() {
        #expect("a\nb\r\tc\0".shown == #"a\nb\r\tc\0"#)
        #expect("\u{1B}[31m\u{202E}x".shown == #"\u{1B}[31m\u{202E}x"#)
        #expect("Käse 👨‍👩‍👧 \"q\"".shown == "Käse 👨‍👩‍👧 \"q\"")
        #expect("".shownName == "\"\"")
    }

    @Test("are no longer than a line or two, however long they are")
    func shortened() {
        let name = String(repeating: "x", count: 1_000_000)
        #expect(name.shown == String(repeating: "x", count: 120) + "… (1000000 bytes)")
        let errors: [KernelError] = [
            .unknownAttribute(entity: name, name: name, suggestion: name), .unknownEntity(name),
            .uniqueViolation(entity: name, attributes: [name], DatabaseFailure(code: .constraint, message: name)),
            .cannotOpen(path: name, reason: name), .invalidRequest(entity: name, reason: name),
            .invalidModel([name]), .database(DatabaseFailure(code: .error, message: "no such table: " + name)),
            .database(DatabaseFailure(code: ResultCode(1811), message: name)),
        ]
        for error in errors { #expect(error.description.utf8.count < 5_000) }
    }

    @Test("a control character does not get through any case")
    func cases() {
        let name = "a\n\u{1B}b"
        let failure = DatabaseFailure(code: .error, message: name)
        let errors: [KernelError] = [
            .unknownAttribute(entity: name, name: name, suggestion: name), .unknownEntity(name),
            .noPrimaryKey(entity: name),
            .missingValue(entity: name, attribute: name, failure), .removedObject(entity: name),
            .invalidValue(entity: name, attribute: name, reason: name),
            .deleteDenied(name, heldBy: name, relationship: name),
            .undecodable(entity: name, attribute: name, row: 1, reason: name), .notADatabase(path: name),
            .invalidRequest(entity: name, reason: name), .storeDamaged(path: name, failure), .storeMoved(path: name),
            .foreignLog(path: name), .database(failure), .storeReadOnly(failure),
        ]
        for error in errors {
            #expect(!error.description.contains("\n"), "\(error)")
            #expect(!error.description.contains("\u{1B}"), "\(error)")
        }
    }
}

@Suite("The search for the name that was meant")
struct SuggestionTests {
    @Test("looks at no name that is too long to be misspelt")
    func long() {
        var search = Suggestion()
        #expect(search.nearest(to: String(repeating: "x", count: 1_000_000), among: ["name"]) == nil)
        #expect(search.steps == 0)
        #expect(search.nearest(to: "nam", among: [String(repeating: "n", count: 1_000_000), "name"]) == "name")
        #expect(search.steps < 20)
    }

    @Test("stops where a candidate is too far off")
    func early() {
        var search = Suggestion()
        let names = (0..<2_000).map { "attribute\($0)" + String(repeating: "y", count: 80) }
        #expect(search.nearest(to: String(repeating: "x", count: 90), among: names) == nil)
        // All letters of all names would be 16,000,000.
        #expect(search.steps < 8_000_000)
    }

    @Test("a swap at the edge of what is allowed is found")
    func swaps() {
        var search = Suggestion()
        #expect(search.nearest(to: "nmae", among: ["name"]) == "name")
        #expect(search.nearest(to: "eman", among: ["name"]) == nil)
        #expect(search.nearest(to: "owenr", among: ["other", "owner"]) == "owner")
    }
}
