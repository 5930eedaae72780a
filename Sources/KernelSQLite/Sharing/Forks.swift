internal import Foundation
internal import KernelSQL
internal import Synchronization

/// What a child process after `fork` has to know: that it is one, and which databases its parent had open.
///
/// SQLite keeps a table of the files that it has locked, and the child inherits the table without the locks. Its own
/// connection to such a file believes in locks that it does not have: the parent removes the log under it, and what
/// the child commits then is lost. So a child must not open a file again that was open when it was made.
enum Forks {
    /// How many forks lie between this process and the one that was started.
    static var count: Int { counter.load(ordering: .relaxed) }

    private static let counter = Atomic(0)
    fileprivate static let table = FileTable()

    /// Whether forks are counted. It can fail for want of memory only.
    static let areCounted: Bool = {
        // Both made before the handlers, which run where nothing must be waited for.
        _ = (count, table)
        // The table's lock is held around a fork, so that a child never finds it held by a thread that it does not have.
        return pthread_atfork(
            { Forks.table.lock.lock() },
            { Forks.table.lock.unlock() },
            {
                Forks.counter.add(1, ordering: .relaxed)
                Forks.table.inherit()
                Forks.table.lock.unlock()
            }) == 0
    }()
}

/// A file as one that is open in this process, from `init` to the last reference.
package final class OpenFile: Sendable {
    struct ID: Equatable {
        private let device: dev_t
        private let number: ino_t

        /// nil: nothing is there.
        init?(path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = status.st_dev
            number = status.st_ino
        }
    }

    let id: ID
    private let process = ProcessGuard()

    /// nil: there is no file at the path. Throws `KernelError.usedAfterFork` for a file that the parent process had
    /// open when this one was forked from it.
    init?(path: String) throws {
        guard let id = ID(path: path) else { return nil }
        guard Forks.table.add(id) else { throw KernelError.usedAfterFork }
        self.id = id
    }

    /// Whether the path still leads to this file.
    package func isStill(at path: String) -> Bool { ID(path: path) == id }

    deinit { if !process.isForked { Forks.table.remove(id) } }
}

/// The files that are open in this process, and those that were open in its parent when it was forked.
///
/// Proof of `@unchecked Sendable`: the lock guards both; `inherit` is called with the lock held.
private final class FileTable: @unchecked Sendable {
    let lock = NSLock()
    /// One for each opening. They are few.
    private var open: [OpenFile.ID] = []
    private var inherited: [OpenFile.ID] = []

    /// False for a file that the parent had open.
    func add(_ id: OpenFile.ID) -> Bool {
        lock.withLock {
            guard inherited.firstIndex(of: id) == nil else { return false }
            open.append(id)
            return true
        }
    }

    func remove(_ id: OpenFile.ID) {
        lock.withLock {
            if let index = open.firstIndex(of: id) { open.remove(at: index) }
        }
    }

    func inherit() {
        for id in open { inherited.append(id) }
        open = []
    }
}
