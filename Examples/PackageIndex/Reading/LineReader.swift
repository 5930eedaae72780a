/// Cuts a stream of bytes into lines. Memory is bounded: of a line that is longer than the limit only the first
/// bytes are kept, and the line says so.
struct LineReader {
    /// The next bytes of the stream; none at its end.
    private let read: () throws -> [UInt8]
    private let limit: Int
    private var chunk: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// The line, without its end (LF or CRLF).
    private(set) var line: [UInt8] = []
    /// The line's number, from 1.
    private(set) var number = 0
    /// Whether the line is longer than what was kept of it.
    private(set) var isCut = false

    init(limit: Int, read: @escaping () throws -> [UInt8]) {
        self.limit = limit
        self.read = read
    }

    /// Goes to the next line. False at the end of the stream. A last line needs no end.
    mutating func advance() throws -> Bool {
        line.removeAll(keepingCapacity: true)
        isCut = false
        var foundSomething = false
        while true {
            if position == chunk.count, !(try fill()) {
                if foundSomething { finish() }
                return foundSomething
            }
            foundSomething = true
            let newline = chunk[position...].firstIndex(of: UInt8(ascii: "\n"))
            keep(chunk[position..<(newline ?? chunk.count)])
            position = newline.map { $0 + 1 } ?? chunk.count
            if newline != nil {
                finish()
                return true
            }
        }
    }

    private mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        chunk = try read()
        position = 0
        isAtEnd = chunk.isEmpty
        return !isAtEnd
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let room = limit - line.count
        if bytes.count > room { isCut = true }
        line.append(contentsOf: bytes.prefix(room))
    }

    private mutating func finish() {
        number += 1
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
    }
}
