public import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program that a test runs in a process of its own.
///
/// Not by Foundation's `Process`: on Linux that one lists the open files of the process that asks, and crashes at times
/// when these are more than a thousand, as they are while all tests have their stores open.
public struct Program: Sendable {
    let file: URL

    public init(_ file: URL) { self.file = file }

    /// A program that this package builds. It stands beside the test bundle, or beside the folder that the bundle is.
    public init(built name: String) throws {
        let file = try Program.folderOfBuild(containing: name).appending(path: name)
        self.init(file)
    }

    /// What is left of a process that has ended.
    public struct Result: Sendable {
        /// What it returned from `main`, or 128 and the number of the signal that ended it, as shells count.
        public let status: Int32
        public let output: String
        public let errors: String

        /// What it printed, without empty lines.
        public var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// Runs it to its end, and blocks the calling thread meanwhile.
    ///
    /// - Parameters:
    ///   - input: what it reads; nothing by default.
    ///   - environment: what it finds in its environment beside what is in this one.
    public func run(
        _ arguments: [String] = [], input: URL = URL(filePath: "/dev/null"), environment: [String: String] = [:]
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "TestSupport-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let status = try spawn(
            arguments: [file.path] + arguments, environment: variables.map { "\($0)=\($1)" },
            files: [input.path, output.path, errors.path])
        return Result(
            status: status, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }

    /// The first folder, from the test bundle upwards, in which there is a file of this name.
    public static func folderOfBuild(containing name: String) throws -> URL {
        let starts =
            [Bundle.main.executableURL, Bundle(for: BundleMark.self).bundleURL] + [
                CommandLine.arguments.first.map { URL(filePath: $0) }
            ]
        for start in starts.compactMap({ $0 }) {
            var folder = start.resolvingSymlinksInPath()
            while folder.path().count > 1 {
                folder.deleteLastPathComponent()
                if FileManager.default.fileExists(atPath: folder.appending(path: name).path) { return folder }
            }
        }
        throw NotBuilt(name: name)
    }
}

extension Program {
    /// Nothing of this name stands above the test bundle.
    public struct NotBuilt: Error {
        public let name: String
    }

    /// The system did not start the program, or lost it.
    public struct NotRun: Error {
        public let file: URL
        public let code: Int32
    }

    /// The process has its input, output and errors in `files`, no other open file, and no signal blocked.
    private func spawn(arguments: [String], environment: [String], files: [String]) throws -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, path) in files.enumerated() {
            let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
            posix_spawn_file_actions_addopen(&actions, Int32(number), path, flags, 0o600)
        }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, numericCast(POSIX_SPAWN_SETSIGMASK))

        let (words, variables) = (Program.cStrings(arguments), Program.cStrings(environment))
        defer { for string in words + variables { free(string) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, file.path, &actions, &attributes, words, variables)
        guard code == 0 else { throw NotRun(file: file, code: code) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1 {
            guard errno == EINTR else { throw NotRun(file: file, code: errno) }
        }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// The strings as C has them, with the nil that ends the list.
    private static func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
        strings.map { strdup($0) } + [nil]
    }
}

/// What `Bundle` finds the test bundle by.
private final class BundleMark {}
