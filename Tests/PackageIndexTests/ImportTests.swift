import DataKernel
import DataKernelTesting
import Foundation
import Testing

@testable import PackageIndexCore

@Suite("Importing an index")
struct ImportTests {
    private let bench: Bench
    private let cut: Cut

    init() throws {
        bench = try Bench()
        cut = try Cut()
    }

    @Test("all of the cut is stored, and found again as the text has it")
    func stored() throws {
        let run = bench.run("import", input: cut.text)
        #expect(run.outcome == .done)
        #expect(run.output == "202 packages read: 202 added, 0 changed, 0 unchanged, 0 removed.\n")
        #expect(run.errors.isEmpty)

        let sorted = cut.packages.sorted { ($0["Package"] ?? "") < ($1["Package"] ?? "") }
        let expected = sorted.map { cut.line(of: $0) }
        let found = try bench.read { context in
            try context.fetch(Request<Package>().sort(\.name)).map { ImportTests.line(of: $0) }
        }
        #expect(found == expected)
    }

    /// A package as `Cut.line(of:)` has it.
    private static func line(of package: Package) -> String {
        var parts = [package.name, package.version, package.section?.name ?? ""]
        parts += package.tags.map(\.name).sorted()
        for dependency in package.dependencies.sorted(by: { $0.position < $1.position }) {
            let names = dependency.alternatives.map { "\($0.name) -> \($0.target?.name ?? "-")" }
            parts.append(dependency.kind.rawValue + ": " + names.joined(separator: " | "))
        }
        return parts.joined(separator: "; ")
    }

    @Test("a second import of the same index changes nothing, says so, and writes nothing", arguments: [1000, 50])
    func second(unitSize: Int) throws {
        _ = bench.run("import", input: cut.text, unitSize: unitSize)
        let before = try bench.contents()
        let file = URL(filePath: bench.path)
        let bytes = try Data(contentsOf: file)
        let recorder = SQLRecorder()
        let run = bench.run("import", input: cut.text, options: recorder.options(), unitSize: unitSize)
        #expect(
            run.output == """
                202 packages read: 0 added, 0 changed, 202 unchanged, 0 removed.
                The store had all of this already: nothing was saved.

                """)
        let statements = recorder.take()
        let writes = statements.filter { sql in ["INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) } }
        #expect(writes.allSatisfy { $0.hasPrefix("UPDATE kernel_log") }, "what a unit notes for itself is rolled back")
        #expect(try Data(contentsOf: file) == bytes)
        // As many for a unit of 200 packages as for one of 50, and never one for each package.
        let units = (202 + unitSize - 1) / unitSize
        #expect(statements.count <= 18 + units * 13)
        #expect(try bench.contents() == before)
    }

    @Test(
        "how many packages are saved at a time makes no difference, forward references included",
        arguments: [3, 60])
    func unitSizes(size: Int) throws {
        let other = try Bench()
        _ = bench.run("import", input: cut.text)
        _ = other.run("import", input: cut.text, unitSize: size)
        #expect(try bench.contents() == other.contents())
        let reversed = cut.text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.reversed()
        let third = try Bench()
        _ = third.run("import", input: reversed.joined(separator: "\n\n"), unitSize: size)
        #expect(try bench.contents() == third.contents())
    }

    @Test(
        "what differs is changed, what is gone is removed with all that belongs to it, and what names it keeps the name"
    )
    func changes() throws {
        let first = """
            Package: a
            Version: 1
            Maintainer: Ann <ann@example.org>
            Section: games
            Tag: x::y, x::z
            Depends: b (>= 1) | c, d

            Package: b
            Version: 1
            Maintainer: Bob <bob@example.org>
            Section: libs
            Tag: x::w
            Provides: c (= 1)

            Package: d
            Version: 1

            """
        let second = """
            Package: a
            Version: 2
            Maintainer: Ann <ann@example.org>
            Section: games
            Tag: x::y
            Depends: b (>= 1) | c, d

            Package: d
            Version: 1
            Recommends: a

            Package: e
            Version: 1

            """
        _ = bench.run("import", input: first)
        let run = bench.run("import", input: second)
        #expect(run.output == "3 packages read: 1 added, 2 changed, 0 unchanged, 1 removed.\n")
        let other = try Bench()
        _ = other.run("import", input: second)
        #expect(try bench.contents() == other.contents())
        #expect(try bench.contents()[0].contains("b (>= 1) -> - | c -> -; depends d -> d"))

        // And back again: the package that returns is found by what named it all along.
        let back = bench.run("import", input: first)
        #expect(back.output == "3 packages read: 1 added, 2 changed, 0 unchanged, 1 removed.\n")
        let third = try Bench()
        _ = third.run("import", input: first)
        #expect(try bench.contents() == third.contents())
    }

    @Test("a broken stanza is reported with its line, loses no other, and leaves its package as it was")
    func broken() throws {
        _ = bench.run("import", input: "Package: a\nVersion: 1\n\nPackage: b\nVersion: 1\n\nPackage: c\nVersion: 1\n")
        let run = bench.run(
            "import", input: "Package: a\nVersion: 2\n\nPackage: b\nVersion: 2\nDepends: (\n\nPackage: c\nVersion: 2\n")
        #expect(run.outcome == .nothingFound)
        #expect(run.errors == "line 6: Depends: expected a package's name (package b)\n")
        #expect(run.output.hasPrefix("2 packages read: 0 added, 2 changed, 0 unchanged, 0 removed.\n1 broken stanza"))
        let versions = try bench.read { try $0.fetch(Request<Package>().sort(\.name)).map { $0.name + $0.version } }
        #expect(versions == ["a2", "b1", "c2"])
    }

    @Test("nothing is removed when a broken stanza does not say its name, nor when the input has no package")
    func nothingRemoved() throws {
        _ = bench.run("import", input: "Package: a\nVersion: 1\n\nPackage: b\nVersion: 1\n")
        let nameless = bench.run("import", input: "Package: a\nVersion: 1\n\nVersion: 1\n")
        #expect(nameless.outcome == .nothingFound)
        #expect(nameless.errors == "line 4: no Package\n")
        #expect(nameless.output.contains("1 unchanged, 0 removed"))
        #expect(nameless.output.contains("Nothing was removed"))
        let empty = bench.run("import", input: "\n\n")
        #expect(empty.outcome == .nothingFound)
        #expect(empty.output.isEmpty && empty.errors.contains("no package in the input"))
        #expect(try bench.read { try $0.count(Request<Package>()) } == 2)
    }

    @Test("an import that is cut off leaves whole units, and the next one goes on from there")
    func cutOff() throws {
        let torn = bench.run("import", input: cut.text, unitSize: 20, tornAfter: 1 << 16)
        #expect(torn.outcome == .failure)
        #expect(torn.errors == "PackageIndex: the input is torn\n")
        let count = try bench.read { try $0.count(Request<Package>()) }
        #expect(count > 0 && count < 202 && count % 20 == 0)
        let next = bench.run("import", input: cut.text, unitSize: 20)
        #expect(next.output == "202 packages read: \(202 - count) added, 0 changed, \(count) unchanged, 0 removed.\n")
        let whole = try Bench()
        _ = whole.run("import", input: cut.text)
        #expect(try bench.contents() == whole.contents())
    }

    @Test("of several stanzas of one name the first counts")
    func repeated() throws {
        let text = "Package: a\nVersion: 2\nArchitecture: amd64\n\nPackage: a\nVersion: 1\nArchitecture: i386\n"
        for _ in 0..<2 {
            let run = bench.run("import", input: text, unitSize: 1)
            #expect(run.outcome == .done)
            #expect(run.output.contains("1 stanza of another version or architecture left out."))
        }
        #expect(try bench.read { try $0.fetch(Request<Package>()).map(\.version) } == ["2"])
    }

    @Test("of several spellings of a maintainer the first counts, in every import")
    func spellings() throws {
        let text = """
            Package: a
            Version: 1
            Maintainer: Ann <ann@example.org>

            Package: b
            Version: 1
            Maintainer: Ann Lee <Ann@example.org>,

            """
        _ = bench.run("import", input: text, unitSize: 1)
        #expect(try bench.read { try $0.fetch(Request<Maintainer>()).map(\.text) } == ["Ann <ann@example.org>"])
        #expect(bench.run("import", input: text, unitSize: 1).output.contains("nothing was saved"))
    }

    @Test("progress is drawn for a person, and ends with a clear line")
    func progress() {
        let quiet = bench.run("import", input: cut.text, unitSize: 10)
        #expect(quiet.errors.isEmpty)
        let shown = bench.run("import", input: cut.text, unitSize: 10, showsProgress: true)
        #expect(shown.errors.hasPrefix("\r\u{1B}[K10 packages, "))
        #expect(shown.errors.hasSuffix("\r\u{1B}[K"))
        #expect(!shown.errors.contains("\n"))
    }
}
