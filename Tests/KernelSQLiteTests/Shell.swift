import Foundation
import TestSupport

/// Another process on the same file: SQLite's own shell.
enum Shell {
    static let sqlitePath: String? = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether the shell is installed.
    static var isThere: Bool { sqlitePath != nil }

    /// What `sqlite3` answers to statements and commands, errors included.
    static func sqlite(_ path: String, _ commands: String...) throws -> String {
        let result = try Program(URL(filePath: sqlitePath ?? "")).run([path] + commands)
        return result.output + result.errors
    }
}
