import Foundation
import KernelSQL
import Testing

@testable import KernelSQLite

@Suite("LIKE as the kernel does it")
struct LikeTests {
    private let folder: TemporaryFolder
    private let connection: Connection

    init() throws {
        folder = try TemporaryFolder()
        connection = try folder.writer()
    }

    private func ask(_ sql: String, _ text: String, _ pattern: String) throws -> Bool {
        var answer = false
        try connection.rows(
            SQLText(sql),
            bind: {
                $0.bind(text: text)
                $0.bind(text: pattern)
            }, each: { answer = try $0.integer(0) != 0 })
        return answer
    }

    @Test("agrees with SQLite's on 20,000 random texts and patterns without NUL")
    func agrees() throws {
        var random = SplitMix(seed: 7)
        let letters: [String] = ["a", "A", "b", "é", "É", "%", "_", "\\", "😀", "z", "[", " "]
        var found = 0
        for round in 0..<20_000 {
            func word(_ most: Int) -> String {
                (0..<Int.random(in: 0...most, using: &random)).map { _ in
                    letters[Int.random(in: 0..<letters.count, using: &random)]
                }.joined()
            }
            let (text, pattern) = (word(7), word(6))
            let own = try ask("SELECT k_like(?, ?)", text, pattern)
            let theirs = try ask("SELECT ? LIKE ? ESCAPE '\\'", text, pattern)
            if own { found += 1 }
            #expect(own == theirs, "round \(round): \(text) like \(pattern)")
        }
        #expect(found > 200)
    }

    @Test("goes on behind a NUL, in text and pattern")
    func nul() throws {
        for (text, pattern, isLike) in [
            ("a\0b", "a%", true), ("a\0b", "%b", true), ("a\0b", "a_b", true), ("a\0b", "a\0b", true),
            ("a\0b", "a", false),
            ("a\0b", "a\0c", false), ("\0", "_", true), ("", "\0", false), ("ab", "a\0b", false), ("\0\0x", "%X", true),
        ] {
            #expect(
                try ask("SELECT k_like(?, ?)", text, pattern) == isLike,
                "\(text.debugDescription) like \(pattern.debugDescription)")
        }
    }

    @Test("takes a pattern of many wildcards without a stack or time without end")
    func wildcards() throws {
        let text = String(repeating: "a", count: 2_000)
        #expect(try !ask("SELECT k_like(?, ?)", text, String(repeating: "%a", count: 500) + "%b"))
        #expect(try ask("SELECT k_like(?, ?)", text, String(repeating: "%a", count: 2_000)))
        #expect(try ask("SELECT k_like(?, ?)", text, String(repeating: "%", count: 100_000)))
    }

    @Test("NULL is like nothing")
    func null() throws {
        #expect(try connection.one("SELECT k_like(NULL, '%')") == .null)
        #expect(try connection.one("SELECT k_value(NULL)") == .null)
        #expect(try connection.one("SELECT k_value('a')") == .text("a"))
    }
}
