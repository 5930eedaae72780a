import Foundation
import TestSupport
import Testing

@testable import PackageIndexCore

@Suite("The command line")
struct CommandTests {
    @Test(
        "what the usage does not offer is refused with the reason and the usage",
        arguments: [
            ([], "no command"), (["fly"], "unknown command fly"), (["why", "a"], "why takes other arguments"),
            (["import", "x"], "import takes other arguments"), (["top", "0"], "top takes a number above 0"),
            (["top", "ten"], "top takes a number above 0"), (["--fast", "import"], "unknown option --fast"),
            (["import", "--store"], "--store needs a path"),
            (["reverse", "a", "--recommends"], "--recommends belongs to why"),
        ] as [([String], String)])
    func wrong(arguments: [String], reason: String) {
        #expect(throws: Arguments.Wrong(reason: reason)) { _ = try Arguments(arguments) }
    }

    @Test("commands are read with their options, wherever these stand")
    func right() throws {
        #expect(try Arguments(["import"]) == Arguments(command: .import))
        let why = try Arguments(["why", "--recommends", "a", "--store", "s", "b"])
        #expect(why == Arguments(command: .why(from: "a", to: "b", recommended: true), store: "s"))
        #expect(try Arguments(["top"]).command == .top(10))
        #expect(try Arguments(["top", "3"]).command == .top(3))
        #expect(try Arguments(["--help", "whatever"]).command == .help)
    }

    @Test("wrong usage, an empty store, and a store that is none each have their status and their sentence")
    func outcomes() throws {
        let bench = try Bench()
        let wrong = bench.run("fly")
        #expect(wrong.outcome == .wrongUsage && wrong.output.isEmpty)
        #expect(wrong.errors.hasPrefix("PackageIndex: unknown command fly\n\nUsage: "))
        #expect(bench.run("help").output.hasPrefix("Usage: "))
        let early = bench.run("top")
        #expect(early.outcome == .nothingFound && early.errors.contains("Import an index first"))

        let other = try Bench()
        try Data("this is no database, but a text of some length".utf8).write(to: URL(filePath: other.path))
        let failed = other.run("top")
        #expect(failed.outcome == .failure && failed.output.isEmpty)
        #expect(failed.errors.hasPrefix("PackageIndex: ") && failed.errors.contains("packages.db"))
    }

    @Test("in a pipe it is quiet, keeps its store among the user's data, and ends with the status")
    func process() throws {
        let bench = try Bench()
        let imported = try CommandTests.run(["import"], input: Cut.file, data: bench.folder)
        #expect(imported.status == 0 && imported.errors.isEmpty)
        #expect(imported.output == "202 packages read: 202 added, 0 changed, 0 unchanged, 0 removed.\n")
        #expect(FileManager.default.fileExists(atPath: bench.folder.appending(path: "packages.sqlite").path))
        let answer = try CommandTests.run(["why", "libapt-pkg6.0", "libgcc-s1"], input: nil, data: bench.folder)
        #expect(answer.status == 0 && answer.output == "libapt-pkg6.0 depends on libgcc-s1 (>= 3.0)\n")
        let unknown = try CommandTests.run(["reverse", "zzzzzzzzzz"], input: nil, data: bench.folder)
        #expect(unknown.status == 1 && unknown.errors == "PackageIndex: no package zzzzzzzzzz.\n")
        let folder = try CommandTests.run(["import"], input: bench.folder, data: bench.folder)
        #expect(folder.status == 3 && folder.errors == "PackageIndex: standard input cannot be read: Is a directory\n")
        #expect(try CommandTests.run(["fly"], input: nil, data: bench.folder).status == 2)
    }

    /// Runs the program with its store in a folder.
    private static func run(_ arguments: [String], input: URL?, data: URL) throws -> Program.Result {
        try Program(built: "PackageIndex").run(
            arguments, input: input ?? URL(filePath: "/dev/null"), environment: ["XDG_DATA_HOME": data.path])
    }
}
