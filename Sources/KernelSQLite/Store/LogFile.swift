internal import Foundation

/// A `-wal` as it lies there. See https://sqlite.org/fileformat.html, section 4.
///
/// Read through a descriptor: SQLite holds no locks on a log, so there are none to lose.
final class LogFile {
    /// What is another one when the log was begun anew.
    let header: [UInt8]
    let pageSize: Int
    private let descriptor: Int32
    private let isBigEndian: Bool
    private var sums: (UInt32, UInt32) = (0, 0)
    private var offset = headerSize

    private static var headerSize: Int { 32 }
    private static var frameHeaderSize: Int { 24 }

    /// nil: there is no log, or SQLite would not read a page from it.
    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        header = LogFile.read(descriptor, LogFile.headerSize, at: 0)
        let magic = header.count == LogFile.headerSize ? LogFile.integer(header, 0) : 0
        isBigEndian = magic & 1 == 1
        // The whole value is a page's size, no power of two is refused here: the checksum follows.
        pageSize = header.count == LogFile.headerSize ? LogFile.integer(header, 8) : 0
        guard magic & ~1 == 0x377F_0682, (512...65_536).contains(pageSize) else { return nil }
        add(header[..<24])
        guard sums == (LogFile.sum(header, 24), LogFile.sum(header, 28)) else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next frame that SQLite would take for valid: its page's number and content. nil: no more.
    func next() -> (number: Int, page: ArraySlice<UInt8>)? {
        let size = LogFile.frameHeaderSize + pageSize
        let frame = LogFile.read(descriptor, size, at: offset)
        // What is left of an earlier log in the same file has other salts.
        guard frame.count == size, frame[8..<16] == header[16..<24] else { return nil }
        add(frame[..<8])
        add(frame[LogFile.frameHeaderSize...])
        guard sums == (LogFile.sum(frame, 16), LogFile.sum(frame, 20)) else { return nil }
        offset += size
        return (LogFile.integer(frame, 0), frame[LogFile.frameHeaderSize...])
    }

    /// The checksum of all that was read so far, which each frame carries on.
    private func add(_ bytes: ArraySlice<UInt8>) {
        var (first, second) = sums
        bytes.withUnsafeBytes { bytes in
            var position = 0
            while position + 8 <= bytes.count {
                let left = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
                let right = bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
                first &+= (isBigEndian ? left.bigEndian : left.littleEndian) &+ second
                second &+= (isBigEndian ? right.bigEndian : right.littleEndian) &+ first
                position += 8
            }
        }
        sums = (first, second)
    }

    private static func integer(_ bytes: [UInt8], _ offset: Int) -> Int {
        var value = 0
        for position in offset..<offset + 4 { value = value &<< 8 | Int(bytes[position]) }
        return value
    }

    private static func sum(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }

    /// `count` bytes, or fewer at the file's end.
    private static func read(_ descriptor: Int32, _ count: Int, at offset: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
    }
}
