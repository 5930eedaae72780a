import Foundation

/// Standard input, a chunk at a time.
package enum StandardInput {
    /// The next bytes; none at the end. Throws what the system says, such as that it is a directory.
    package static func next(_ count: Int = 1 << 16) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var length: Int
            repeat {
                length = read(STDIN_FILENO, buffer.baseAddress, count)
            } while length < 0 && errno == EINTR
            guard length >= 0 else { throw Failure(code: errno) }
            filled = length
        }
    }

    struct Failure: LocalizedError {
        var code: Int32
        var errorDescription: String? { "standard input cannot be read: \(String(cString: strerror(code)))" }
    }
}
