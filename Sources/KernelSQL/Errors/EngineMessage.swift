/// What SQLite says, in the model's words. Its messages are the only place that tells most of its failures apart.
///
/// The texts are those of SQLite 3.40 to 3.50; one that is not known here is shown with its code (see
/// ``DatabaseFailure/reason``).
enum EngineMessage {
    /// One message: what it begins and ends with, and the words for it. What stands between may be put into the words.
    private struct Rule: Sendable {
        let prefix: String
        let suffix: String
        let words: @Sendable (String) -> String?

        init(_ prefix: String, _ suffix: String = "", _ words: @escaping @Sendable (String) -> String?) {
            self.prefix = prefix
            self.suffix = suffix
            self.words = words
        }

        func words(for message: String) -> String? {
            guard message.utf8.count >= prefix.utf8.count + suffix.utf8.count, message.hasPrefix(prefix),
                message.hasSuffix(suffix)
            else { return nil }
            return words(message.dropFirst(prefix.count).dropLast(suffix.count).description.shown)
        }
    }

    static func words(_ message: String) -> String? {
        for rule in rules { if let words = rule.words(for: message) { return words } }
        return nil
    }

    /// Whether the message is what SQLite says of the code as such.
    static func isGeneral(_ message: String) -> Bool { general.contains(message) }

    private static let again = "open the store anew, which says what differs"
    private static let split = "split it, or name values by oneOf"

    private static let rules: [Rule] = gone + foreign + constraints + sizes + broken

    /// Tables and columns that another program took away.
    private static let gone: [Rule] = [
        Rule("no such table: ") { "another program removed the table \($0) from the store; \(again)" },
        Rule("no such column: ") { "another program removed the column \($0) from the store; \(again)" },
        Rule("table ", " may not be modified") { "\($0) is no ordinary table in the store any more; \(again)" },
        Rule("table ", " already exists") { taken("table", $0) },
        Rule("view ", " already exists") { taken("view", $0) },
        Rule("table ", " values were supplied") { _ in "another program changed the columns of a table; \(again)" },
        Rule("table ") { rest in
            parts(rest, " has no column named ").map { "another program removed the column \($0).\($1); \(again)" }
        },
        Rule("cannot modify ", " because it is a view") {
            "\($0) is a view in the store, where the model needs a table: another program put it there; \(again)"
        },
        Rule("cannot UPDATE generated column ") { generated($0) },
        Rule("cannot INSERT into generated column ") { generated($0) },
        Rule("no such index: ") { "another program removed the index \($0) from the store; \(again)" },
        Rule("there is already an index named ") { taken("index", $0) },
        Rule("there is already a table named ") { taken("table", $0) },
        Rule("index ", " already exists") { taken("index", $0) },
        Rule("duplicate column name: ") {
            "another program added a column \($0) to the store, which the model is about to add; rename that one"
        },
    ]

    /// What others added to the store, and what does not work of it.
    private static let foreign: [Rule] = [
        Rule("foreign key mismatch - ") {
            "a reference that another program added to the store leads to columns that are not unique (\($0)); make "
                + "them unique, or drop that reference"
        },
        Rule("too many levels of trigger recursion") { _ in
            "triggers that another program added to the store set one another off without end; drop one of them"
        },
        Rule("no such function: ") { missing("function", $0) },
        Rule("no such collation sequence: ") { missing("collation", $0) },
        Rule("no such module: ") { missing("module", $0) },
        Rule("unsafe use of ") {
            "a trigger, view, index or column that another program added to the store uses \($0), which the kernel "
                + "does not let a file do; drop it"
        },
        Rule("error in ") { "something that another program added to the store does not work (\($0)); drop it" },
        Rule("ambiguous column name: ") {
            "a trigger or view that another program added to the store does not tell which \($0) it means; drop it"
        },
        Rule("integer overflow") { _ in
            "a trigger, index or column that another program added to the store computes a number that is too large"
        },
        Rule("malformed JSON") { _ in
            "a trigger, index or column that another program added to the store reads text as JSON that is none"
        },
        Rule("view ", " is circularly defined") {
            "\($0) is a view in the store that is made from itself: another program put it there; drop it"
        },
    ]

    private static let constraints: [Rule] = [
        Rule("UNIQUE constraint failed: index '", "'") {
            "another object has the same value in the index \($0), which another program added to the store"
        },
        Rule("UNIQUE constraint failed: ") { "another row has the same \($0)" },
        Rule("NOT NULL constraint failed: ") {
            "\($0) needs a value and has none; if the model has no such attribute, another program added the column"
        },
        Rule("CHECK constraint failed: ") {
            "a check that another program added to the store refused it (\($0)); change the value, or drop the check"
        },
        Rule("cannot store ") {
            "another program made the columns of the table strict, and one cannot hold the value (\($0))"
        },
    ]

    /// Requests beyond what SQLite takes. The kernel refuses most of them before; a build of SQLite may take less.
    private static let sizes: [Rule] = [
        Rule("too many terms in ORDER BY clause") { _ in "the request is sorted by more keys than SQLite takes" },
        Rule("too many SQL variables") { _ in "the request has more values than SQLite takes; \(split)" },
        Rule("LIKE or GLOB pattern too complex") { _ in "a pattern of the request is longer than SQLite takes" },
        Rule("Expression tree is too large") { _ in "the request's conditions are nested too deeply; \(split)" },
        Rule("parser stack overflow") { _ in "the request's conditions are nested too deeply; \(split)" },
        Rule("no query solution") { _ in "the request has more conditions than SQLite can plan; \(split)" },
        Rule("at most ", " tables in a join") {
            "the request leads through more relationships than SQLite joins (\($0)); \(split)"
        },
        Rule("too many columns") { _ in "an entity, or a list of values, has more attributes than SQLite takes" },
        Rule("query aborted") { _ in "it was stopped on the way; try again" },
    ]

    private static let broken: [Rule] = [
        Rule("malformed database schema ") {
            "what the file says of its tables cannot be read: \($0); another program changed it"
        }
    ]

    private static func generated(_ column: String) -> String {
        "another program made the column \(column) one that is computed, so no value can be written; \(again)"
    }

    private static func taken(_ kind: String, _ name: String) -> String {
        "another program made the \(kind) \(name) in the store, whose name the model needs; rename that one"
    }

    private static func missing(_ kind: String, _ name: String) -> String {
        "a trigger, view, index or column that another program added to the store needs the \(kind) \(name), which is not "
            + "there; drop it"
    }

    /// What stands before and behind `separator`.
    private static func parts(_ text: String, _ separator: String) -> (Substring, Substring)? {
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].hasPrefix(separator) {
                return (text[..<start], text[start...].dropFirst(separator.count))
            }
            text.formIndex(after: &start)
        }
        return nil
    }

    /// What `sqlite3_errstr` says of the codes.
    private static let general: Set<String> = [
        "not an error", "SQL logic error", "access permission denied", "query aborted", "database is locked",
        "database table is locked", "out of memory", "attempt to write a readonly database", "interrupted",
        "disk I/O error", "database disk image is malformed", "unknown operation", "database or disk is full",
        "unable to open database file", "locking protocol", "table contains no data", "database schema has changed",
        "string or blob too big", "constraint failed", "datatype mismatch", "bad parameter or other API misuse",
        "large file support is disabled", "authorization denied", "column index out of range",
        "file is not a database", "abort due to ROLLBACK", "unknown error", "FOREIGN KEY constraint failed",
    ]
}
