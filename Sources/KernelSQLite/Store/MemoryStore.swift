internal import Foundation
internal import KernelSQL

/// Stores that live in memory as far as anybody can see: an unlinked file in a private folder.
///
/// SQLite's own memory databases give a reader no snapshot while another connection writes; a file does. After
/// ``unlink(path:)`` the file has no name: nobody else can open it, and a killed process leaves nothing behind.
package enum MemoryStore {
    /// Makes a private folder and gives the path for the database in it. Open every connection, the pool's readers
    /// too, then call ``unlink(path:)``.
    package static func makePath() throws -> String {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        let template = strdup(parent + "/kernel-XXXXXX")
        defer { free(template) }
        guard let template, let folder = mkdtemp(template) else {
            throw KernelError.cannotOpen(path: parent, reason: StoreFile.reason(errno))
        }
        return String(cString: folder) + "/memory.db"
    }

    /// Removes the file's name and the folder. Open connections go on; a later one would see a new, empty file.
    package static func unlink(path: String) throws {
        try StoreFile.remove(path: path)
        rmdir((path as NSString).deletingLastPathComponent)
    }
}
