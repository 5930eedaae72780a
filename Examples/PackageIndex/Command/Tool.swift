package import DataKernel
import Foundation

/// The program without its process: what `main` runs, and tests.
package struct Tool {
    static var model: [any Entity.Type] {
        [Package.self, Maintainer.self, Section.self, Tag.self, Dependency.self, Alternative.self, Provision.self]
    }

    private let console: Console
    private let options: StorageOptions

    private let unitSize: Int

    /// - Parameters:
    ///   - options: How the store works.
    ///   - unitSize: How many packages an import saves at a time.
    package init(_ console: Console, options: StorageOptions = StorageOptions(), unitSize: Int = 1000) {
        self.console = console
        self.options = options
        self.unitSize = unitSize
    }

    /// Does what the arguments say. What goes wrong is said on standard error.
    package func run(_ written: [String]) -> Outcome {
        do {
            return try run(try Arguments(written))
        } catch let wrong as Arguments.Wrong {
            console.writeError("PackageIndex: \(wrong.reason)\n\n\(Arguments.usage)")
            return .wrongUsage
        } catch let unknown as Answers.Unknown {
            let names = unknown.suggestions.joined(separator: ", ")
            let hint = names.isEmpty ? "." : ". Did you mean: \(names)?"
            console.writeError("PackageIndex: no \(unknown.what) \(unknown.name)\(hint)\n")
            return .nothingFound
        } catch is Importer.NothingRead {
            console.writeError("PackageIndex: no package in the input, so nothing was changed.\n")
            return .nothingFound
        } catch is Answers.NothingImported {
            console.writeError("PackageIndex: the store has no packages yet. Import an index first.\n")
            return .nothingFound
        } catch {
            console.writeError("PackageIndex: \(error.localizedDescription)\n")
            return .failure
        }
    }

    private func run(_ arguments: Arguments) throws -> Outcome {
        if arguments.command == .help {
            try console.write(Arguments.usage)
            return .done
        }
        let place = arguments.store.map { StoreRef.url(URL(filePath: $0)) } ?? .named("packages")
        let storage = try SQLiteStorage(
            store: place,
            model: Tool.model, options: options)
        if arguments.command == .import {
            var importer = Importer(storage, console, unitSize: unitSize)
            let report = try importer.run()
            try console.write(report.text + "\n")
            return report.broken == 0 ? .done : .nothingFound
        }
        let command = arguments.command
        let lines = try storage.read { context in try Answers(context: context).lines(for: command) }
        guard let lines else {
            console.writeError("PackageIndex: \(command.no)\n")
            return .nothingFound
        }
        try console.write(lines.joined(separator: "\n") + "\n")
        return .done
    }
}

extension Answers {
    /// The answer to a question; nil when it is no.
    fileprivate func lines(for command: Arguments.Command) throws -> [String]? {
        guard try context.exists(Request<Package>()) else { throw NothingImported() }
        return switch command {
        case .help, .import: nil
        case .why(let from, let to, let recommended): try why(from, to, recommended: recommended)
        case .reverse(let name): try reverse(name)
        case .maintainer(let name): try maintainer(name)
        case .top(let count): try top(count)
        }
    }
}

extension Arguments.Command {
    /// What is said when the answer is no.
    fileprivate var no: String {
        if case .why(let from, let to, _) = self { "\(from) does not depend on \(to)." } else { "nothing found." }
    }
}
