import Foundation
import Testing

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
}
