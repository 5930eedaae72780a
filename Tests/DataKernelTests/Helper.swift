import Foundation
import Testing

/// The program `StoreHelper`, for what a test cannot do in its own process.
enum Helper {
    /// Runs it and returns the lines that it printed.
    static func run(_ arguments: String...) async throws -> [String] {
        let program = try program()
        return try await onThread {
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
            return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    /// It stands beside the test bundle, or beside the folder that the bundle is.
    private static func program() throws -> URL {
        let starts = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(filePath: $0) }].compactMap {
            $0
        }
        for start in starts {
            var folder = start.resolvingSymlinksInPath()
            while folder.path().count > 1 {
                folder.deleteLastPathComponent()
                let program = folder.appending(path: "StoreHelper")
                if FileManager.default.isExecutableFile(atPath: program.path) { return program }
            }
        }
        return URL(filePath: #filePath).appending(path: "../../../.build/debug/StoreHelper").standardizedFileURL
    }
}
