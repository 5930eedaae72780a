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
    static let longestMessage: UInt64 = 1 << 30

    /// The next message, or nil when the other side is gone or does not speak the protocol.
    func receive() -> [UInt8]? {
        guard let header = read(8) else { return nil }
        var length: UInt64 = 0
        for (index, byte) in header.enumerated() { length |= UInt64(byte) << UInt64(8 * index) }
        guard length <= MessageChannel.longestMessage else { return nil }
        return read(Int(length))
    }

    /// False when the other side is gone.
    func send(_ message: [UInt8]) -> Bool {
        let length = UInt64(message.count)
        let header = (0..<8).map { UInt8(truncatingIfNeeded: length >> UInt64(8 * $0)) }
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
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let count = writeBytes(output, UnsafeRawBufferPointer(rebasing: buffer[sent...]))
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return false }
                sent += count
            }
            return true
        }
    }
}

private func readBytes(_ file: Int32, _ piece: inout [UInt8], _ count: Int) -> Int {
    piece.withUnsafeMutableBytes { read(file, $0.baseAddress, count) }
}

private func writeBytes(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(file, bytes.baseAddress, bytes.count)
}
