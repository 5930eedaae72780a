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
        let length = header.withUnsafeBytes { $0.load(as: Int.self).littleEndian }
        return length >= 0 && length <= MessageChannel.longestMessage ? read(length) : nil
    }

    /// False when the other side is gone.
    func send(_ message: [UInt8]) -> Bool {
        withUnsafeBytes(of: message.count.littleEndian, write) && message.withUnsafeBytes(write)
    }

    /// Exactly `count` bytes. They come in pieces, so that a wrong length costs no memory.
    private func read(_ count: Int) -> [UInt8]? {
        var result: [UInt8] = []
        var filled = 0
        while filled < count {
            if filled == result.count { result += [UInt8](repeating: 0, count: min(count - filled, 1 << 16)) }
            let got = result.withUnsafeMutableBytes { readBytes(input, $0, from: filled) }
            if got < 0, errno == EINTR { continue }
            if got <= 0 { return nil }
            filled += got
        }
        return result
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = writeBytes(output, bytes, from: sent)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }
}

// Outside the struct, whose own functions of the same names hide the system's.

private func readBytes(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer, from place: Int) -> Int {
    read(file, bytes.baseAddress.map { $0 + place }, bytes.count - place)
}

private func writeBytes(_ file: Int32, _ bytes: UnsafeRawBufferPointer, from place: Int) -> Int {
    write(file, bytes.baseAddress.map { $0 + place }, bytes.count - place)
}
