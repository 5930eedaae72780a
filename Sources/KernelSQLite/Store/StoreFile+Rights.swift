internal import Foundation
internal import KernelSQL

extension StoreFile {
    /// Throws `KernelError.storeReadOnly` when the file, a side file or the folder cannot be written. To be called
    /// before opening: SQLite opens a read-only file without a word, and fails later in one of four ways, depending on
    /// which side files are there.
    ///
    /// The folder too: the log has to be made there, and to be removed.
    package static func checkRights(path: String) throws {
        let path = resolved(path)
        for file in [path] + walSuffixes.map({ path + $0 }) {
            if let code = refusal(file), code != ENOENT { throw readOnly(file, code) }
        }
        let folder = (path as NSString).deletingLastPathComponent
        if let code = refusal(folder) { throw readOnly(folder, code) }
    }

    /// Why the file cannot be written; nil if it can. For the effective user, whom SQLite acts for.
    private static func refusal(_ file: String) -> Int32? {
        faccessat(AT_FDCWD, file, W_OK, AT_EACCESS) == 0 ? nil : errno
    }

    private static func readOnly(_ file: String, _ code: Int32) -> KernelError {
        .storeReadOnly(DatabaseFailure(code: .readOnly, message: "\(file) cannot be written: \(reason(code))"))
    }
}
