import DataKernel
import DataKernelTesting
import Foundation
import Testing

@testable import PackageIndexCore

/// The answers are compared with ones that are worked out from the cut's text by simple loops.
@Suite("Asking the store")
struct AnswerTests {
    /// A store with the cut in it, made once and copied for each test.
    private static let imported = Result {
        let bench = try Bench()
        #expect(bench.run("import", input: try Cut().text).outcome == .done)
        return try Data(contentsOf: URL(filePath: bench.path))
    }

    private let bench: Bench
    private let cut: Cut

    init() throws {
        bench = try Bench(copying: AnswerTests.imported.get())
        cut = try Cut()
    }

    @Test("why finds a way that holds, and none is shorter", arguments: [false, true])
    func why(recommended: Bool) throws {
        let steps = cut.steps(["Pre-Depends", "Depends"] + (recommended ? ["Recommends"] : []))
        let starts = ["mutt", "0ad", "bsd-mailx", "aptitude", "fortune-mod"]
        let ends = cut.names.sorted().enumerated().filter { $0.offset % 9 == 0 }.map(\.element)
        let kinds: [DependencyKind] = [.preDepends, .depends] + (recommended ? [.recommends] : [])
        let paths = try bench.read { context in
            let finder = PathFinder(context: context, kinds: kinds)
            return try starts.map { start in try ends.map { try finder.path(from: start, to: $0) } }
        }
        for (start, paths) in zip(starts, paths) {
            let distances = AnswerTests.distances(from: start, steps)
            for (end, path) in zip(ends, paths) {
                #expect(path?.count == distances[end], "\(start) to \(end)")
                guard let path, !path.isEmpty else { continue }
                #expect(path.first?.package == start && path.last?.target == end)
                #expect(zip(path, path.dropFirst()).allSatisfy { $0.target == $1.package })
                #expect(path.allSatisfy { steps[$0.package]?.contains($0.target) == true })
            }
        }
    }

    @Test("why says each step as the index writes it")
    func wording() {
        #expect(
            bench.run("why", "libapt-pkg6.0", "libgcc-s1").lines == ["libapt-pkg6.0 depends on libgcc-s1 (>= 3.0)"])
        #expect(
            bench.run("why", "bsd-mailx", "nullmailer").lines
                == ["bsd-mailx depends on mail-transport-agent, which nullmailer provides"])
        #expect(bench.run("why", "mutt", "mutt").lines == ["mutt is mutt."])
        let no = bench.run("why", "libc6", "mutt")
        #expect(no.outcome == .nothingFound)
        #expect(no.errors == "PackageIndex: libc6 does not depend on mutt.\n")
    }

    @Test(
        "reverse finds all that name a package, virtual ones too",
        arguments: ["zlib1g", "awk", "mail-transport-agent", "mutt"])
    func reverse(name: String) {
        var expected: [String] = []
        for fields in cut.packages {
            guard let package = fields["Package"] else { continue }
            if Cut.clauses(fields["Provides"]).flatMap({ $0 }).contains(where: { $0.name == name }) {
                expected.append("\(package) provides it")
            }
            for kind in DependencyKind.allCases {
                for alternative in Cut.clauses(fields[kind.fieldName]).flatMap({ $0 }) where alternative.name == name {
                    expected.append(
                        "\(package) \(kind.rawValue) \(name)" + (alternative.version.map { " (\($0))" } ?? ""))
                }
            }
        }
        let run = bench.run("reverse", name)
        #expect(run.outcome == .done)
        #expect(run.lines.sorted() == (expected.isEmpty ? ["Nothing names \(name)."] : expected.sorted()))
    }

    @Test("reverse goes kind by kind, each in the order of the names")
    func reverseOrder() {
        let lines = bench.run("reverse", "zlib1g").lines.map { $0.components(separatedBy: " ") }
        let ranks = lines.map { line in DependencyKind.allCases.firstIndex { $0.rawValue == line[1] } ?? -1 }
        #expect(ranks == ranks.sorted() && ranks.count > 10)
        for group in Dictionary(grouping: lines, by: { $0[1] }).values {
            #expect(group.map { $0[0] } == group.map { $0[0] }.sorted())
        }
    }

    @Test(
        "maintainer finds by a part of the name or mail, in any case",
        arguments: ["GnuPG maint", "DOKO@debian", "Hartmans"])
    func maintainer(text: String) {
        let mails = Set(
            cut.packages.filter { ($0["Maintainer"] ?? "").lowercased().contains(text.lowercased()) }.map {
                Cut.mail(of: $0)
            })
        let expected = cut.packages.filter { mails.contains(Cut.mail(of: $0)) }.compactMap { $0["Package"] }.sorted()
        let lines = bench.run("maintainer", text).lines
        #expect(!expected.isEmpty)
        #expect(lines.first?.hasSuffix(">: \(expected.count)") == true)
        #expect(lines.dropFirst().map { $0.components(separatedBy: ":")[0] } == expected.map { "  \($0)" })
    }

    @Test("top counts what the text counts", arguments: [1, 5, 10, 500])
    func top(count: Int) {
        var wanted: [String: Int] = [:]
        var maintained: [String: Int] = [:]
        for fields in cut.packages {
            for kind in ["Pre-Depends", "Depends"] {
                for alternative in Cut.clauses(fields[kind]).flatMap({ $0 }) {
                    wanted[alternative.name, default: 0] += 1
                }
            }
            maintained[Cut.mail(of: fields), default: 0] += 1
        }
        let names = cut.names
        let packages = wanted.filter { names.contains($0.key) }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let lines = bench.run("top", "\(count)").lines
        let parts = lines.split(separator: "Most maintained:")
        #expect(parts[0].dropFirst().map { $0 } == packages.prefix(count).map { "  \($0.value) \($0.key)" })
        let counts = parts[1].compactMap { Int($0.split(separator: " ")[0]) }
        #expect(counts == maintained.values.sorted(by: >).prefix(count).map { $0 })
    }

    @Test("an unknown name is said to be so, with those that may have been meant")
    func unknown() {
        let missing = bench.run("why", "mut", "libc6")
        #expect(missing.outcome == .nothingFound && missing.output.isEmpty)
        #expect(missing.errors == "PackageIndex: no package mut. Did you mean: mutt?\n")
        #expect(bench.run("reverse", "pytohn3").errors.contains("Did you mean: python3?"))
        #expect(bench.run("reverse", "zzzzzzzzzz").errors == "PackageIndex: no package zzzzzzzzzz.\n")
        #expect(bench.run("why", "mutt", "apache3").errors.contains("apache2"))
        #expect(bench.run("maintainer", "Sam Hartmann").errors.contains("Sam Hartman"))
    }

    @Test("each frontier of a search is loaded by a few statements, however many packages it has")
    func statements() {
        let recorder = SQLRecorder()
        let short = bench.run("why", "libapt-pkg6.0", "libgcc-s1", options: recorder.options())
        let first = recorder.take().count
        let long = bench.run("why", "mutt", "perl-base", options: recorder.options())
        let all = recorder.take().count
        #expect(short.lines.count == 1 && long.lines.count == 7)
        // Dependencies, their packages, alternatives and targets; provisions and, if need be, their packages.
        #expect(all - first <= 6 * 6)
    }

    /// How many steps each package is away, breadth first.
    private static func distances(from start: String, _ steps: [String: Set<String>]) -> [String: Int] {
        var distances = [start: 0]
        var queue = [start]
        var next = 0
        while next < queue.count {
            for target in steps[queue[next]] ?? [] where distances[target] == nil {
                distances[target] = (distances[queue[next]] ?? 0) + 1
                queue.append(target)
            }
            next += 1
        }
        return distances
    }
}
