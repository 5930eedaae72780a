extension DatabaseFailure {
    /// What happened in the model's words, and what to do about it. SQLite's own words are in ``message``.
    public var reason: String {
        if let words = EngineMessage.words(message) { return words }
        let words = code.words(systemError)
        // What the kernel itself says with a code of SQLite's is in the model's words already.
        let isOwn = !message.isEmpty && code.primary != .error && !EngineMessage.isGeneral(message)
        if let words { return isOwn ? "\(words) (\(message.shown(limit: 300)))" : words }
        return "the database failed unexpectedly (SQLite error \(code.rawValue): \(message.shown(limit: 300)))"
    }

    /// Whether there is no room: on the disk, or within the user's quota. SQLite says "disk I/O error" of some of it.
    package var isDiskFull: Bool {
        if case .full = code { return true }
        guard code.primary == .ioError || code.primary == .cannotOpen else { return false }
        return systemError.map(SystemError.noRoom.contains) ?? false
    }
}

/// Numbers of the operating system's errors that mean more to a caller than "it failed".
enum SystemError {
    /// ENOSPC, and EDQUOT on Darwin and on Linux. No call on a file gives what the other system means by the number.
    static let noRoom: [Int32] = [28, 69, 122]
    static let fileTooBig: Int32 = 27
    static let tooManyFiles: [Int32] = [23, 24]
    static let notPermitted: [Int32] = [1, 13]
}

extension ResultCode {
    /// What the code means for somebody who knows entities, files and units of work. nil for SQLITE_ERROR, which means
    /// anything.
    fileprivate func words(_ systemError: Int32?) -> String? {
        switch primary {
        case .busy, .locked: "another connection holds the store; try again"
        case .noMemory: "there is not enough memory; ask for less at once, by a limit or forEach"
        case .readOnly: "the file cannot be written; mend its rights, or those of its -wal and folder"
        case .interrupt: "it was stopped on the way, and what it did is undone; try again"
        case .ioError: ioWords(systemError)
        case .corrupt: "its contents contradict one another"
        case .full: "the disk is full; make room and try again"
        case .cannotOpen: openWords(systemError)
        case .schema: "another program is changing the store's tables; try again"
        case .tooBig:
            "a value, or an object with all its values, has more bytes than a store can hold (1,000,000,000 mostly); "
                + "keep such data in a file, and its name in the store"
        case .constraint: constraintWords
        case .mismatch: "a column that takes integers only was given something else"
        case .notADatabase: "the file is no SQLite database, or is encrypted"
        case ResultCode(4):
            "the rows ended, because their unit was saved or rolled back while they were read; ask again"
        case ResultCode(22): "the file system cannot hold a file of that size; move the store to another one"
        default: nil
        }
    }

    private func ioWords(_ systemError: Int32?) -> String {
        if systemError == SystemError.fileTooBig {
            return "the file has reached the size that the system allows; raise the limit, or remove objects"
        }
        return "the disk, or the system's access to it, failed; what was saved before is safe as far as the disk is. "
            + "Check the disk and try again"
    }

    private func openWords(_ systemError: Int32?) -> String {
        guard let systemError else { return "the file, or its -wal or -shm, cannot be opened; check path and rights" }
        if SystemError.tooManyFiles.contains(systemError) {
            return "the process has too many files open; close some, or raise the limit"
        }
        if SystemError.notPermitted.contains(systemError) {
            return "there is no right to open the file, its -wal or its -shm; mend the rights"
        }
        return "the file, or its -wal or -shm, cannot be opened; check path and rights"
    }

    private var constraintWords: String {
        switch self {
        case .constraintForeignKey:
            "a row refers to one that is not there, or is referred to and cannot be removed; the reference is none of the "
                + "model's, so another program added it to the store"
        case ResultCode(1811): "a trigger that another program added to the store refused it"
        case ResultCode(275): "a check that another program added to the store refused it"
        default: "a rule that another program added to the store refused it"
        }
    }
}
