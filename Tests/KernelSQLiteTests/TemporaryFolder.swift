import Foundation
import KernelSQL

@testable import KernelSQLite

/// A folder of one test's own, removed with the last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/kernel-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String = "store.db") -> String { path + "/" + name }

    func writer(_ name: String = "store.db", _ options: ConnectionOptions = .quick) throws -> Connection {
        try Connection(path: file(name), role: .writer, options: options)
    }

    func reader(_ name: String = "store.db") throws -> Connection {
        try Connection(path: file(name), role: .reader, options: .quick)
    }
}

extension ConnectionOptions {
    /// For tests that do not care about power cuts.
    static let quick = ConnectionOptions(synchronous: .off)
}

extension Connection {
    /// All rows of a statement, as they are stored.
    func all(_ sql: String, _ values: StoredValue...) throws -> [[StoredValue]] {
        var result: [[StoredValue]] = []
        try rows(SQLText(sql)) { statement in
            for value in values { statement.bind(stored: value) }
        } each: { row in
            result.append(try (0..<row.columnCount).map { try row.stored($0) })
        }
        return result
    }

    /// The first value of the first row.
    func one(_ sql: String, _ values: StoredValue...) throws -> StoredValue? {
        var result: StoredValue?
        try rows(SQLText(sql)) { statement in
            for value in values { statement.bind(stored: value) }
        } each: { row in
            if result == nil { result = try row.stored(0) }
        }
        return result
    }

    func values(_ sql: String, list: ValueList) throws -> [StoredValue] {
        var result: [StoredValue] = []
        try rows(SQLText(sql), bind: { $0.bind(list: list) }) { result.append(try $0.stored(0)) }
        return result
    }
}

/// The failure that `body` throws; nil when it throws none or something else.
func failure(_ body: () throws -> Void) -> DatabaseFailure? {
    do {
        try body()
        return nil
    } catch {
        return error as? DatabaseFailure
    }
}
