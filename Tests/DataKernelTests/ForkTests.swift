import Foundation
import Testing

// Drawn in StoreHelper: the parent is a process of its own, since a test's has threads that fork would leave behind.
@Suite("A child process after fork")
struct ForkTests {
    @Test("gets usedAfterFork from every entry point at once, and the parent's store is as it was")
    func everyEntryPoint() async throws {
        let folder = try Folder()
        let lines = try await Helper.run("fork", folder.url.path)
        let refused = [
            "perform", "perform, save context", "read", "async perform", "async read", "uiContext fetch",
            "uiContext count, held before", "uiContext refresh, held before", "wipeStore", "restoreStore",
        ]
        #expect(
            lines == refused.map { "\($0): usedAfterFork" } + [
                "path: nil", "object: A", "own storage on the store: usedAfterFork",
                #"own storage elsewhere: ["child"]"#, "child: 0", "unchanged: true",
                // The parent goes on where it was, and another child lets go of its storage.
                "unit of the other thread: ()", "child: 0", "unchanged: true", #"parent: ["A", "B", "C", "D"]"#,
                #"parent, opened anew: ["A", "B", "C", "D"]"#,
            ])
    }

    @Test("that was made inside a unit cannot go on in it, and the parent can")
    func insideAUnit() async throws {
        let folder = try Folder()
        let lines = try await Helper.run("fork-in-unit", folder.url.path)
        #expect(
            lines == [
                "count: usedAfterFork", "acquire: usedAfterFork", "nested unit: usedAfterFork", "unit: usedAfterFork",
                "child: 0", "unchanged: true", #"parent: ["A"]"#,
            ])
    }
}
