internal import Foundation

/// What the program must never do stops it, with a message that says what.
enum Misuse {
    /// Says why on standard error and stops: a `preconditionFailure` alone says nothing in release builds.
    @inline(never)
    static func stop(_ message: String) -> Never {
        let line = "DataKernel: \(message)\n"
        write(STDERR_FILENO, line, strlen(line))
        preconditionFailure(message)
    }
}
