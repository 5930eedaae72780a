import Foundation
import Testing

@testable import PackageIndexCore

/// The cut of Debian's index that lies beside the example, read by other means than the example's: whole, by splitting.
struct Cut {
    /// Field by field, continuation lines joined by a blank.
    typealias Fields = [String: String]

    let text: String
    let packages: [Fields]

    static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Examples/PackageIndex/packages.txt").standardizedFileURL

    init() throws {
        text = try String(contentsOf: Cut.file, encoding: .utf8)
        packages = text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { stanza in
            let lines = stanza.replacingOccurrences(of: "\n ", with: " ").components(separatedBy: "\n")
            return Dictionary(
                lines.filter { !$0.isEmpty }.map { line in
                    let parts = line.components(separatedBy: ": ")
                    return (parts[0], parts.dropFirst().joined(separator: ": "))
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    var names: Set<String> { Set(packages.compactMap { $0["Package"] }) }

    /// What a dependency field says: clauses of alternatives, each cut into its name and the rest.
    static func clauses(_ text: String?) -> [[(name: String, version: String?)]] {
        (text ?? "").components(separatedBy: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .map { clause in
                clause.components(separatedBy: "|").map { alternative in
                    let parts = alternative.components(separatedBy: "(")
                    let name = parts[0].components(separatedBy: ":")[0].trimmingCharacters(in: .whitespaces)
                    return (name, parts.count > 1 ? parts[1].components(separatedBy: ")")[0] : nil)
                }
            }
    }

    static func list(_ text: String?) -> [String] {
        (text ?? "").components(separatedBy: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// What tells maintainers apart: teams spell their names in several ways.
    static func mail(of fields: Fields) -> String {
        (fields["Maintainer"] ?? "").components(separatedBy: "<").last?.lowercased() ?? ""
    }

    /// A package in one line: what an import of the cut has to make of it.
    func line(of fields: Fields) -> String {
        let names = self.names
        var parts: [String] = [fields["Package"] ?? "", fields["Version"] ?? "", fields["Section"] ?? ""]
        parts += Cut.list(fields["Tag"]).sorted()
        for kind in DependencyKind.allCases {
            for clause in Cut.clauses(fields[kind.fieldName]) {
                let texts: [String] = clause.map { "\($0.name) -> \(names.contains($0.name) ? $0.name : "-")" }
                parts.append(kind.rawValue + ": " + texts.joined(separator: " | "))
            }
        }
        return parts.joined(separator: "; ")
    }

    /// Where each package leads by one step through the fields of these names, to packages and to what provides a name.
    func steps(_ fieldNames: [String]) -> [String: Set<String>] {
        var answering: [String: Set<String>] = [:]
        for fields in packages {
            guard let package = fields["Package"] else { continue }
            answering[package, default: []].insert(package)
            for provided in Cut.clauses(fields["Provides"]).flatMap({ $0 }) {
                answering[provided.name, default: []].insert(package)
            }
        }
        var steps: [String: Set<String>] = [:]
        for fields in packages {
            guard let package = fields["Package"] else { continue }
            for alternative in fieldNames.flatMap({ Cut.clauses(fields[$0]).flatMap { $0 } }) {
                steps[package, default: []].formUnion(answering[alternative.name] ?? [])
            }
        }
        return steps
    }
}
