internal import KernelSQL

/// What the first 100 bytes of a file say. See https://sqlite.org/fileformat.html, section 1.3.
struct StoreHeader {
    private let bytes: [UInt8]
    private let fileSize: Int64

    /// Reads the header, without a lock and without a look at the `-wal`. Throws ``KernelError``: no rights, no
    /// database.
    init(path: String) throws {
        let file = try RawFile(path: path)
        guard let bytes = try file.read(100, at: 0), bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw KernelError.notADatabase(path: path)
        }
        self.bytes = bytes
        fileSize = file.size
    }

    var applicationID: Int32 { integer(at: 68) }
    var userVersion: Int32 { integer(at: 60) }
    /// Zero until the first table is created.
    var schemaCookie: Int32 { integer(at: 40) }

    func content(path: String) throws -> StoreFile.Content {
        guard applicationID == StoreFile.applicationID else {
            if applicationID == 0, schemaCookie == 0 { return .nothing }
            throw KernelError.foreignStore(path: path, applicationID: Int(applicationID))
        }
        guard userVersion <= StoreFile.formatVersion else {
            throw KernelError.storeNewer(found: Int(userVersion), supported: Int(StoreFile.formatVersion))
        }
        if isCutOff, !StoreFile.hasLog(path: path) {
            let failure = DatabaseFailure(code: .corrupt, message: "the file ends before its last page")
            throw KernelError.storeDamaged(path: path, failure)
        }
        return .store
    }

    /// Whether the file is shorter than its header says. SQLite itself notices when it needs a page that is missing,
    /// which may be long after others were written. With a `-wal` the missing pages may be in there.
    private var isCutOff: Bool {
        // The size is valid only if it was written with the last change.
        guard integer(at: 92) == integer(at: 24) else { return false }
        let stored = Int(bytes[16]) &<< 8 | Int(bytes[17])
        let pageSize = stored == 1 ? 65_536 : stored
        return fileSize < Int64(pageSize) * Int64(integer(at: 28))
    }

    private func integer(at offset: Int) -> Int32 {
        bytes.withUnsafeBytes { Int32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Int32.self)) }
    }
}
