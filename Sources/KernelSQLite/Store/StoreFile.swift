internal import Foundation
package import KernelSQL

/// A store's file and its side files.
package enum StoreFile {
    /// "DtKn": what `application_id` is in the kernel's files.
    package static var applicationID: Int32 { 0x4474_4B6E }
    /// What `user_version` is in files of this version of the kernel.
    static var formatVersion: Int32 { 1 }

    static var turnSuffix: String { "-next" }
    static var walSuffixes: [String] { ["-wal", "-shm", "-journal"] }

    /// What stands at a path.
    package enum Content: Sendable {
        /// No file, or a database in which nothing was ever created. It may be made a store.
        case nothing
        /// A store of this kernel.
        case store
    }

    // MARK: Before opening

    /// Looks at the file's header, before any connection can touch it: text, damaged, foreign and newer files are
    /// told apart and left alone. For a missing file makes its folder and removes what a vanished store left.
    /// A `-wal` may hold a newer header: call ``verify(_:)`` after opening.
    package static func inspect(path: String) throws -> Content {
        guard path.hasPrefix("/") else { throw KernelError.cannotOpen(path: path, reason: "the path is not absolute") }
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            guard code == ENOENT else { throw KernelError.cannotOpen(path: path, reason: reason(code)) }
            try prepareCreation(path: path)
            return .nothing
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw KernelError.cannotOpen(path: path, reason: "it is no file")
        }
        return status.st_size == 0 ? .nothing : try StoreHeader(path: path).content(path: path)
    }

    private static func prepareCreation(path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw KernelError.cannotOpen(path: path, reason: "its folder cannot be made: \(error.localizedDescription)")
        }
        guard isStale(path: path) else { return }
        // Under the turn's lock, and looked at again: another process may be creating the store at this moment.
        let turn = TurnFile(path: path + turnSuffix)
        guard turn.take(until: .now + .seconds(5)) else { return }
        defer { turn.pass() }
        if isStale(path: path) { try removeSideFiles(path: path) }
    }

    /// Whether a log stands there without its file. The log is looked for first: SQLite creates the file before it.
    private static func isStale(path: String) -> Bool {
        walSuffixes.contains { access(path + $0, F_OK) == 0 } && access(path, F_OK) != 0
    }

    /// Whether there is a log with anything in it.
    static func hasLog(path: String) -> Bool {
        walSuffixes.contains { suffix in
            var status = stat()
            return stat(path + suffix, &status) == 0 && status.st_size > 0
        }
    }

    // MARK: After opening

    /// Asks the opened database what it is, its `-wal` included. Throws ``KernelError``: foreign or newer.
    package static func verify(_ connection: Connection) throws -> Content {
        try mapping(connection.path) {
            let id = try connection.integer(Texts.applicationID)
            if id == Int64(applicationID) {
                let version = try connection.integer(Texts.version)
                guard version <= Int64(formatVersion) else {
                    throw KernelError.storeNewer(found: Int(version), supported: Int(formatVersion))
                }
                return .store
            }
            guard id == 0, try connection.integer(Texts.tables) == 0 else {
                throw KernelError.foreignStore(path: connection.path, applicationID: Int(id))
            }
            return .nothing
        }
    }

    /// Marks the database as the kernel's. Inside the transaction that creates the tables, both come or neither.
    package static func stamp(_ connection: Connection) throws {
        try connection.execute("PRAGMA application_id=\(applicationID); PRAGMA user_version=\(formatVersion)")
    }

    // MARK: Removing

    /// Removes the database and its side files. No connection may be open. Files that are missing are no error.
    package static func remove(path: String) throws {
        // The database first: a log without it is recognised as stale, the other way round it would lose commits.
        for suffix in [""] + walSuffixes + [turnSuffix] { try unlinkIfThere(path + suffix) }
    }

    /// Removes logs that belong to another file, before a file is put in the place of an old one. SQLite would
    /// read the old one's log into it without an error.
    static func removeSideFiles(path: String) throws {
        for suffix in walSuffixes { try unlinkIfThere(path + suffix) }
    }

    private static func unlinkIfThere(_ path: String) throws {
        guard unlink(path) != 0 else { return }
        let code = errno
        if code != ENOENT { throw KernelError.cannotOpen(path: path, reason: "it cannot be removed: \(reason(code))") }
    }

    /// The path without symbolic links: SQLite puts the side files beside the file itself. As given for a missing file.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func reason(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    // MARK: Errors

    /// A failure in the words that a caller of the kernel can act on. Constraint failures are for the layer that
    /// knows the model: they come back as `.database`.
    package static func error(_ failure: DatabaseFailure, path: String) -> KernelError {
        switch failure.code {
        case _ where failure.isDiskFull: .storeFull(failure)
        case .busy, .locked: .storeBusy(failure)
        case .readOnlyMoved: .storeMoved(path: path)
        case .readOnly: .storeReadOnly(failure)
        case .corrupt: .storeDamaged(path: path, failure)
        case .notADatabase: .notADatabase(path: path)
        case .cannotOpen: .cannotOpen(path: path, reason: failure.reason)
        default: .database(failure)
        }
    }

    /// Runs `body` and turns a ``DatabaseFailure`` that it throws into a ``KernelError``; other errors pass.
    package static func mapping<R>(_ path: String, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let failure as DatabaseFailure {
            throw error(failure, path: path)
        }
    }

    private enum Texts {
        static let applicationID = SQLText("PRAGMA application_id")
        static let version = SQLText("PRAGMA user_version")
        static let tables = SQLText("SELECT count(*) FROM sqlite_schema")
    }
}
