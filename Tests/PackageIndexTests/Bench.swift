import DataKernel
import Foundation
import Testing

@testable import PackageIndexCore

/// A store of its own in a folder of its own, and the program run on it without a process.
final class Bench {
    let folder: URL
    var path: String { folder.appending(path: "packages.db").path }

    /// What reading throws when the input is torn.
    struct Torn: LocalizedError {
        var errorDescription: String? { "the input is torn" }
    }

    struct Run {
        var outcome: Outcome
        var output: String
        var errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "PackageIndexTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Begins with a copy of a store.
    convenience init(copying store: Data) throws {
        try self.init()
        try store.write(to: URL(filePath: path))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func run(
        _ arguments: String..., input: String = "", options: StorageOptions = StorageOptions(), unitSize: Int = 1000,
        showsProgress: Bool = false, tornAfter: Int = .max
    ) -> Run {
        var rest = ArraySlice(Array(input.utf8))
        var run = Run(outcome: .done, output: "", errors: "")
        let console = Console(
            read: {
                guard input.utf8.count - rest.count < tornAfter else { throw Torn() }
                defer { rest = rest.dropFirst(1 << 16) }
                return Array(rest.prefix(1 << 16))
            },
            write: { run.output += $0 }, writeError: { run.errors += $0 }, showsProgress: showsProgress)
        run.outcome = Tool(console, options: options, unitSize: unitSize).run(["--store", path] + arguments)
        return run
    }

    /// Asks the store something.
    func read<R>(_ body: sending (any ReadContext) throws -> sending R) throws -> sending R {
        let storage = try SQLiteStorage(store: .url(URL(filePath: path)), model: Tool.model)
        return try storage.read(body)
    }

    /// Everything that the store has, as text without row ids.
    func contents() throws -> [String] {
        try read { context in
            let packages = try context.fetch(Request<Package>().sort(\.name))
            let lines = packages.map { Bench.line(of: $0) }
            let counts = [
                try context.count(Request<Maintainer>()), try context.count(Request<PackageIndexCore.Section>()),
                try context.count(Request<PackageIndexCore.Tag>()), try context.count(Request<Dependency>()),
                try context.count(Request<Alternative>()), try context.count(Request<Provision>()),
            ]
            return lines + ["\(counts)"]
        }
    }

    private static func line(of package: Package) -> String {
        var parts: [String] = [package.name, package.version, package.architecture, package.priority, package.summary]
        parts.append(package.installedSize.map { "\($0)" } ?? "-")
        parts.append(package.homepage ?? "-")
        parts.append(package.maintainer?.key ?? "-")
        parts.append(package.section?.name ?? "-")
        parts += package.tags.map(\.name).sorted()
        for provision in package.provisions.sorted(by: { $0.position < $1.position }) {
            parts.append("provides \(provision.name) \(provision.version ?? "-")")
        }
        for dependency in package.dependencies.sorted(by: { $0.position < $1.position }) {
            let texts: [String] = dependency.alternatives.map { "\($0.text) -> \($0.target?.name ?? "-")" }
            parts.append(dependency.kind.rawValue + " " + texts.joined(separator: " | "))
        }
        return parts.joined(separator: "; ")
    }
}
