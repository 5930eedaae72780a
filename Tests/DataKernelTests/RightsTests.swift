import DataKernel
import Foundation
import Testing

// Opened by StoreHelper, which gives up root: root may write everything.
@Suite("A store that cannot be written")
struct RightsTests {
    /// A folder with a store that belongs to the user who opens it.
    private final class Store {
        let folder: Folder
        var url: URL { folder.file("sub/store.db") }
        private var sub: URL { folder.file("sub") }

        init(_ state: State) async throws {
            folder = try Folder()
            try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: true)
            try own(sub)
            if state == .missing { return }
            // Made by the helper, so that it is the helper's. A killed process leaves a log.
            let lines = try await Helper.run(state == .killed ? "kill" : "open", url.path)
            #expect(lines == [#"open and save: ["B"]"#])
        }

        deinit { _ = chmod(sub.path, 0o755) }

        private func own(_ url: URL) throws {
            if geteuid() == 0 { #expect(chown(url.path, 65_534, 65_534) == 0) }
        }

        func setRights(_ name: String, _ rights: mode_t) {
            #expect(chmod(sub.appending(path: name).path, rights) == 0)
        }

        /// Names, bytes and rights of what lies there.
        func content() throws -> [String: Data] {
            var content: [String: Data] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: sub.path) {
                let file = sub.appending(path: name)
                let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
                content["\(name) \(String(describing: rights))"] = try Data(contentsOf: file)
            }
            return content
        }
    }

    enum State { case missing, closed, killed }

    /// A file in the folder, or the folder itself, and its rights.
    struct Right: Sendable, CustomTestStringConvertible {
        var state = State.closed
        var name: String
        var rights: mode_t
        var testDescription: String { "\(state) store, \(name.isEmpty ? "folder" : name) \(String(rights, radix: 8))" }
    }

    @Test(
        "is storeReadOnly at opening, and nothing is changed",
        arguments: [
            Right(name: "store.db", rights: 0o444), Right(name: "", rights: 0o555),
            Right(state: .killed, name: "store.db", rights: 0o444), Right(state: .killed, name: "", rights: 0o555),
            Right(state: .killed, name: "store.db-wal", rights: 0o444),
            Right(state: .killed, name: "store.db-shm", rights: 0o444), Right(state: .missing, name: "", rights: 0o555),
        ])
    func readOnly(right: Right) async throws {
        let store = try await Store(right.state)
        store.setRights(right.name, right.rights)
        let before = try store.content()
        #expect(before.isEmpty == (right.state == .missing))
        for _ in 0..<2 { #expect(try await Helper.run("open", store.url.path) == ["open and save: storeReadOnly"]) }
        #expect(try store.content() == before)
        // With the rights back it is as it was.
        store.setRights(right.name, right.name.isEmpty ? 0o755 : 0o644)
        #expect(try await Helper.run("open", store.url.path) == [#"open and save: ["B"]"#])
    }

    @Test("because it cannot be read either is cannotOpen, and so is one whose folder cannot be made")
    func unreadable() async throws {
        let store = try await Store(.closed)
        store.setRights("store.db", 0o000)
        let before = try store.content()
        #expect(try await Helper.run("open", store.url.path) == ["open and save: cannotOpen"])
        store.setRights("", 0o555)
        let below = store.url.deletingLastPathComponent().appending(path: "new/store.db")
        #expect(try await Helper.run("open", below.path) == ["open and save: cannotOpen"])
        #expect(try store.content() == before)
    }

    @Test("by a symbolic link's target is storeReadOnly too")
    func link() async throws {
        let store = try await Store(.closed)
        store.setRights("", 0o555)
        let link = store.folder.file("link.db")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store.url)
        #expect(try await Helper.run("open", link.path) == ["open and save: storeReadOnly"])
    }

    @Test("from a moment on while it is open can still be saved, because its files are open")
    func whileOpen() async throws {
        let store = try await Store(.missing)
        #expect(try await Helper.run("close-rights", store.url.path) == [#"save: ["A", "B"]"#])
        #expect(try await Helper.run("open", store.url.path) == ["open and save: storeReadOnly"])
    }
}
