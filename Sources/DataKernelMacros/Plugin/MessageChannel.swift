#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Messages over two file descriptors: a length in eight bytes, least significant first, then that many bytes.
struct MessageChannel {
    let input: Int32
    let output: Int32
    /// More than the compiler ever sends. A longer one can only be garbage, and is not allocated for.
    static let longestMessage = 1 << 30

    /// The next message, or nil when the other side is gone or does not speak the protocol.
    func receive() -> [UInt8]? {
        guard let header = read(8) else { return nil }
        var length = 0
        for index in 0..<8 { length |= Int(header[index]) &<< (8 * index) }
        guard length >= 0, length <= MessageChannel.longestMessage else { return nil }
        return read(length)
    }

    /// False when the other side is gone.
    func send(_ message: [UInt8]) -> Bool {
        let length = message.count
        let header = (0..<8).map { UInt8(length &>> (8 * $0) & 0xFF) }
        return write(header + message)
    }

    /// Exactly `count` bytes. They come in pieces, so that a wrong length costs no memory.
    private func read(_ count: Int) -> [UInt8]? {
        var result: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(max(count, 1), 1 << 16))
        while result.count < count {
            let wanted = min(piece.count, count - result.count)
            let got = readBytes(input, &piece, wanted)
            if got < 0, errno == EINTR { continue }
            if got <= 0 { return nil }
            result += piece[..<got]
        }
        return result
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                writeBytes(output, $0.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }
}

// Outside the struct, whose own functions of the same names hide the system's.
private func readBytes(_ file: Int32, _ piece: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(file, piece, count)
}

private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
