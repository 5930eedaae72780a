import DataKernel
import Foundation

/// Becomes a user whom the rights of files concern.
private func giveUpRoot() {
    guard geteuid() == 0 else { return }
    guard setgroups(0, nil) == 0, setgid(65_534) == 0, setuid(65_534) == 0 else {
        report("root cannot be given up")
        exit(1)
    }
}

/// Opens a store, saves into it, and calls `end` while it is open.
func openWithoutRights(_ file: URL, end: () -> Void = {}) {
    giveUpRoot()
    do {
        let storage = try openNotes(file)
        try storage.save("B")
        report("open and save") { try storage.titles() }
        withExtendedLifetime(storage) { end() }
    } catch {
        report("open and save") { throw error }
    }
}

/// Opens a store, takes the rights of its file and folder away, and saves.
func loseRights(_ file: URL) {
    giveUpRoot()
    report("save") {
        let storage = try openNotes(file)
        try storage.save("A")
        _ = chmod(file.path, 0o444)
        _ = chmod(file.deletingLastPathComponent().path, 0o555)
        try storage.save("B")
        return try storage.titles()
    }
}
