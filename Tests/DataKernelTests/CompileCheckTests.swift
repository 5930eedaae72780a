import Foundation
import TestSupport
import Testing

@Suite("The compiler")
struct CompileCheckTests {
    @Test(
        "accepts what users may write, and refuses what would let an object leave its unit of work",
        arguments: ["FirstPage", "Fine", "Generic", "Leaks", "Misuse"])
    func check(_ name: String) async throws {
        let compiler = try UserCompiler()
        let text = try String(contentsOf: UserCompiler.snippets.appending(path: "\(name).swift.txt"), encoding: .utf8)
        let found = try await compiler.diagnostics(name)
        let expected = Diagnostic.expected(text)
        for diagnostic in expected where !found.contains(where: diagnostic.isMet) {
            Issue.record("\(name), line \(diagnostic.line) should be refused with: \(diagnostic.message)")
        }
        // A line that is refused may be refused for more than one reason.
        for diagnostic in found where !expected.contains(where: { $0.line == diagnostic.line }) {
            Issue.record("\(name), line \(diagnostic.line) should compile, but: \(diagnostic.message)")
        }
    }
}

/// An error or a warning on a line.
struct Diagnostic: Equatable, Sendable {
    let line: Int
    let message: String

    /// Whether this one, which is expected, is that one.
    func isMet(by other: Diagnostic) -> Bool { line == other.line && other.message.contains(message) }

    /// The errors that a snippet's comments announce.
    static func expected(_ text: String) -> [Diagnostic] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            line.range(of: "// error: ").map { Diagnostic(line: index + 1, message: String(line[$0.upperBound...])) }
        }
    }

    /// What the compiler said, as `file:line:column: error: message`. What it said of nothing in `file` has line 0.
    static func found(_ output: String, file: String) -> [Diagnostic] {
        output.split(separator: "\n").compactMap { line in
            guard let parts = line.wholeMatch(of: /(?:([^ ].*):(\d+):\d+: )?(?:error|warning): (.*)/)?.output
            else { return nil }
            guard let path = parts.1, path.hasSuffix("/\(file).swift"), let number = parts.2.flatMap({ Int($0) })
            else { return Diagnostic(line: 0, message: String(line)) }
            return Diagnostic(line: number, message: String(parts.3))
        }
    }
}

/// Compiles snippets as programs of a user, with the modules and the macros of the build that runs the tests.
struct UserCompiler {
    private static let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    static let snippets = package.appending(path: "Tests/CompileChecks")
    private let build: URL

    init() throws { build = try Program.folderOfBuild(containing: "Modules/DataKernel.swiftmodule") }

    /// What the compiler says of a snippet. It goes as far as SIL: what may be sent where is looked at only there.
    func diagnostics(_ name: String) async throws -> [Diagnostic] {
        let folder = try Folder()
        var files: [String] = []
        for file in ["Prelude", name] {
            let copy = folder.file("\(file).swift")
            try FileManager.default.copyItem(at: UserCompiler.snippets.appending(path: "\(file).swift.txt"), to: copy)
            files.append(copy.path())
        }
        let macros = build.appending(path: "DataKernelMacros-tool").path()
        let map = UserCompiler.package.appending(path: "Sources/CKernelSQLite/module.modulemap").path()
        let arguments =
            [
                "swiftc", "-emit-sil", "-wmo", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library",
                "-module-name", "Snippet", "-enable-upcoming-feature", "ExistentialAny", "-diagnostic-style", "llvm",
                "-I", build.appending(path: "Modules").path(), "-Xcc", "-fmodule-map-file=\(map)",
                "-load-plugin-executable", "\(macros)#DataKernelMacros",
            ] + files
        let errors = try await onThread { try Program(URL(filePath: "/usr/bin/env")).run(arguments).errors }
        withExtendedLifetime(folder) {}
        return Diagnostic.found(errors, file: name)
    }
}
