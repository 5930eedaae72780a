import Foundation
import SwiftParser
import SwiftSyntax
import Testing

@testable import DataKernelMacros

/// The scanner against Swift's own parser, over all the Swift source that is at hand.
@Suite("The scanner agrees with Swift's parser")
struct ScannerOracleTests {
    @Test("about the toolchain's interfaces", .timeLimit(.minutes(10)))
    func interfaces() throws {
        let swift = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: "\($0)/swift") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        let usr = try #require(swift).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
        let checked = try check(filesUnder: usr.appendingPathComponent("lib"), suffix: ".swiftinterface")
        #expect(checked.types > 2_000 && checked.properties > 1_000, "\(checked)")
    }

    @Test("about this package's sources")
    func ownSources() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var checked = (types: 0, properties: 0)
        for folder in ["Sources", "Tests"] {
            let part = try check(filesUnder: root.appendingPathComponent(folder), suffix: ".swift")
            checked = (checked.types + part.types, checked.properties + part.properties)
        }
        #expect(checked.types > 60 && checked.properties > 200, "\(checked)")
    }

    @Test("about the texts of the scanner's own tests")
    func hardCases() {
        for text in OracleTexts.all {
            _ = compare(text, in: "a text")
        }
    }

    private func check(filesUnder folder: URL, suffix: String) throws -> (types: Int, properties: Int) {
        var checked = (types: 0, properties: 0)
        var seen: Set<Int> = []
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.path.hasSuffix(suffix) {
            let text = try String(contentsOf: file, encoding: .utf8)
            // The toolchain has most interfaces twice.
            guard seen.insert(text.hashValue).inserted else { continue }
            let part = compare(text, in: file.lastPathComponent)
            checked = (checked.types + part.types, checked.properties + part.properties)
        }
        return checked
    }

    private func compare(_ text: String, in file: String) -> (types: Int, properties: Int) {
        let finder = TypeFinder(viewMode: .sourceAccurate)
        finder.walk(Parser.parse(source: text))
        var properties = 0
        for found in finder.types {
            var lexer = Lexer(found.source)
            let type = lexer.readType()
            let ours = ScannedType(type, lexer)
            properties += ours.properties.count
            #expect(ours == found.type, "\(file): \(found.source.prefix(200))")
        }
        return (finder.types.count, properties)
    }
}
