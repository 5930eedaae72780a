import Foundation

/// Another process on the same file: SQLite's own shell.
enum Shell {
    static let sqlitePath: String? = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether the shell is installed.
    static var isThere: Bool { sqlitePath != nil }

    /// What `sqlite3` answers to statements and commands, errors included.
    static func sqlite(_ path: String, _ commands: String...) throws -> String {
        try run(sqlitePath ?? "", [path] + commands)
    }

    /// Output and errors of a program that has ended.
    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
