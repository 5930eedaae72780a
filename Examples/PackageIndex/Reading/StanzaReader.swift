/// Reads the stanzas of a Debian index (deb822) from a stream of bytes, one at a time.
///
/// Blank lines part stanzas; a line that begins with a blank continues the one before; lines that begin with `#` are
/// comments. What is broken is reported with its line, and reading goes on behind the next blank line.
struct StanzaReader {
    enum Item {
        case stanza(Stanza)
        case broken(BrokenStanza)
    }

    private var lines: LineReader
    private let limit: Int

    /// - Parameters:
    ///   - limit: How many bytes a stanza may have. One that is longer is broken, and is not kept in memory.
    ///   - read: The next bytes of the stream; none at its end.
    init(limit: Int = 1 << 20, read: @escaping () throws -> [UInt8]) {
        lines = LineReader(limit: limit + 1, read: read)
        self.limit = limit
    }

    /// The next stanza, or nil at the end of the stream. Throws only what the stream throws.
    mutating func next() throws -> Item? {
        var builder: StanzaBuilder?
        var size = 0
        while try lines.advance() {
            let isBlank = lines.line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if isBlank && !lines.isCut {
                if builder != nil { return builder?.finish() }
                continue
            }
            if lines.line.first == UInt8(ascii: "#") { continue }
            size += lines.line.count + 1
            if builder == nil { builder = StanzaBuilder(line: lines.number) }
            if size > limit {
                builder?.fail(.tooLong(limit: limit), at: lines.number)
            } else {
                builder?.add(lines.line, number: lines.number)
            }
        }
        return builder?.finish()
    }
}

extension StanzaReader {
    /// Reads from bytes that are there already, so many at a time.
    init(bytes: [UInt8], chunk: Int = 1 << 16, limit: Int = 1 << 20) {
        var position = 0
        self.init(limit: limit) {
            let end = min(position + max(chunk, 1), bytes.count)
            defer { position = end }
            return Array(bytes[position..<end])
        }
    }
}
