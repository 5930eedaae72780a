import DataKernel
import Foundation

@Entity
final class Note {
    @Attribute(.primaryKey) var title = ""
}

func openNotes(_ url: URL) throws -> SQLiteStorage {
    try SQLiteStorage(store: .url(url), model: [Note.self])
}

extension SQLiteStorage {
    func save(_ title: String) throws {
        try perform(ephemeral: true) { context, save in
            let _: Note = try context.acquire(title)
            try save()
        }
    }

    func titles() throws -> [String] {
        try read { try $0.fetch(Request<Note>().sort("title")).map(\.title) }
    }
}

/// Prints a line, past the buffers of the C library: a child would print them again.
func report(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(1, bytes, bytes.count)
}

/// Runs a step and prints how it ended: with which value, or which case of the kernel's error.
func report<R>(_ step: String, _ body: () throws -> R) {
    do {
        report("\(step): \(try body())")
    } catch let error as KernelError {
        report("\(step): \(caseName(error))")
    } catch {
        report("\(step): \(error)")
    }
}

private func caseName(_ error: KernelError) -> String {
    if case .usedAfterFork = error { return "usedAfterFork" }
    return Mirror(reflecting: error).children.first?.label ?? "\(error)"
}
