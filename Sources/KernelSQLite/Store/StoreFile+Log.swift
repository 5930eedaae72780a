internal import Foundation
internal import KernelSQL

extension StoreFile {
    /// Throws `KernelError.foreignLog` when a log lies beside the file that was written for another file, or for
    /// another state of this one. Only reads. To be called before a connection looks into the file: SQLite itself
    /// takes any log for the file's own.
    ///
    /// A log without a mark is let through: other programs write such.
    package static func checkLog(path: String) throws {
        let path = resolved(path)
        var refusals = 0
        // Another process may be at work: what was read from a log that was begun anew meanwhile, or from a page that
        // was just being written, says nothing.
        for _ in 0..<20 {
            guard let header = LogFile(path: path + "-wal")?.header, access(path, F_OK) == 0 else { return }
            let file = try MarkedFile(path: path)
            guard let log = LogFile(path: path + "-wal") else { return }
            if try file.owns(log) { return }
            if log.header == header { refusals += 1 }
            if refusals == 3 { throw KernelError.foreignLog(path: path) }
            BusyHandler.pause()
        }
        // Begun anew twenty times within some milliseconds: it is in use, and by those who look at the mark.
    }
}

/// A database file without its log, as far as marks go.
private struct MarkedFile {
    private let file: RawFile

    init(path: String) throws { file = try RawFile(path: path) }

    /// Whether the log was written for this file.
    ///
    /// Reads the log up to the first mark that fits, which is in its first transaction.
    func owns(_ log: LogFile) throws -> Bool {
        var own: [[UInt8]]?
        while let (number, page) = log.next() {
            guard let row = LogMark.row(inPage: page) else { continue }
            let known: [[UInt8]]
            if let own {
                known = own
            } else {
                known = try tokens(besides: row.base, number, log.pageSize)
                if try known.contains(row.base) || known.isEmpty && fits(row.base, log.pageSize) { return true }
                own = known
            }
            if known.contains(row.token) { return true }
        }
        return own == nil
    }

    /// The file's marks: one, as a rule, on the page that the log has it on.
    private func tokens(besides base: [UInt8], _ number: Int, _ pageSize: Int) throws -> [[UInt8]] {
        let near = try [number, LogMark.firstPage].compactMap { try token(onPage: $0, pageSize) }
        // VACUUM gives the table another page: the file has it elsewhere as long as that is only in the log.
        guard near.isEmpty, base != LogMark.newStore, base != LogMark.olderStore else { return near }
        let pages = Int(file.size / Int64(pageSize))
        return try (1..<pages + 1).compactMap { try token(onPage: $0, pageSize) }
    }

    /// Whether a file without a mark can be what a log begins with.
    private func fits(_ base: [UInt8], _ pageSize: Int) throws -> Bool {
        // The first checkpoint writes page 1 before the others.
        if base == LogMark.newStore { return file.size > 0 && file.size <= Int64(pageSize) }
        return base == LogMark.olderStore
    }

    private func token(onPage number: Int, _ pageSize: Int) throws -> [UInt8]? {
        let page = try file.read(pageSize, at: Int64(number - 1) * Int64(pageSize))
        return page.flatMap { LogMark.row(inPage: $0[...])?.token }
    }
}
