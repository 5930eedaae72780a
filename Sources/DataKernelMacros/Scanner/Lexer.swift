/// Cuts Swift source into tokens, one at a time. A value: a copy looks ahead.
///
/// There is no parser under the macros (a plugin that used one would make every user of the package build it), so
/// this knows just enough of the language to find where declarations begin and end. It never fails: what it does
/// not understand is a token of one byte, and an unclosed literal ends with the source.
struct Lexer {
    let bytes: [UInt8]
    private(set) var position: Int
    /// How many string interpolations deep this is. Bounded, since each is a recursion.
    var interpolationDepth = 0
    static let deepestInterpolation = 64

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    init(_ text: String) { self.init(text.bytes) }

    // What is called at many places is not inlined, here and in the rest of the module: the copies would be most of the
    // code, and the users of the package wait for the compiler, not for the macros.

    @inline(never)
    func byte(_ index: Int) -> UInt8? { index >= 0 && index < bytes.count ? bytes[index] : nil }

    @inline(never)
    func text(_ range: Range<Int>) -> String { bytes.text(range.clamped(to: 0..<bytes.count)) }

    func text(_ token: Token) -> String { text(token.range) }

    /// Whether the token is this name, keyword, symbol or mark, or one of several with blanks between them.
    @inline(never)
    func matches(_ token: Token, _ spellings: StaticString) -> Bool {
        token.kind != .string && token.kind != .quotedWord && spellings.hasWord(bytes, token.range)
    }

    /// Whether the next token is this one, or one of several with blanks between them.
    @inline(never)
    func isAt(_ spellings: StaticString) -> Bool { matches(peek(), spellings) }

    /// Goes over the next token if it is this one, or one of several with blanks between them; whether it was.
    @inline(never)
    mutating func take(_ spellings: StaticString) -> Bool {
        guard isAt(spellings) else { return false }
        next()
        return true
    }

    /// The token after the current place, without going there.
    @inline(never)
    func peek() -> Token {
        var copy = self
        return copy.next()
    }

    @inline(never)
    mutating func move(to place: Int) { position = min(max(place, 0), bytes.count) }

    @inline(never)
    @discardableResult
    mutating func next() -> Token {
        let before = position
        let startsLine = skipBlanks()
        let start = position
        var token = Token(
            kind: .end, start: start, end: start, startsLine: startsLine, hasSpaceBefore: start > before || start == 0)
        guard let first = byte(start) else { return token }
        (token.kind, token.end) = literal(at: start, first)
        token.end = min(token.end, bytes.count)
        position = token.end
        return token
    }

    /// Goes over blanks and comments; true when a line ended among them.
    private mutating func skipBlanks() -> Bool {
        var endedLine = position == 0
        while let current = byte(position) {
            if Byte.isBlank(current) {
                if current == Byte.newline || current == Byte.carriageReturn { endedLine = true }
                position += 1
            } else if current == Byte.slash, byte(position + 1) == Byte.slash {
                while let inside = byte(position), inside != Byte.newline, inside != Byte.carriageReturn {
                    position += 1
                }
            } else if current == Byte.slash, byte(position + 1) == Byte.star {
                if skipBlockComment() { endedLine = true }
            } else {
                break
            }
        }
        return endedLine
    }

    /// Goes over a block comment, nested ones included; true when a line ended in it.
    private mutating func skipBlockComment() -> Bool {
        var depth = 0
        var endedLine = false
        while let current = byte(position) {
            if current == Byte.slash, byte(position + 1) == Byte.star {
                depth += 1
                position += 2
            } else if current == Byte.star, byte(position + 1) == Byte.slash {
                depth -= 1
                position += 2
                if depth == 0 { break }
            } else {
                if current == Byte.newline || current == Byte.carriageReturn { endedLine = true }
                position += 1
            }
        }
        return endedLine
    }

    private func literal(at start: Int, _ first: UInt8) -> (Token.Kind, Int) {
        if Byte.isDigit(first) { return (.number, endOfNumber(start)) }
        if Byte.isWord(first) { return (.word, endOfWord(start)) }
        if first == Byte.quote { return (.string, endOfString(start)) }
        if first == Byte.backtick { return endOfQuotedWord(start) }
        if first == Byte.pound { return endOfPound(start) }
        if first == Byte.dot, byte(start + 1) == Byte.dot {
            return (.symbol, endOfRun(start) { Byte.isSymbol($0) || $0 == Byte.dot })
        }
        if Byte.isMark(first) { return (.mark, start + 1) }
        if first == Byte.slash, let end = endOfPlainRegex(start) { return (.regex, end) }
        if Byte.isSymbol(first) { return (.symbol, endOfSymbol(start)) }
        return (.mark, start + 1)
    }

    @inline(never)
    func endOfRun(_ start: Int, while isPart: (UInt8) -> Bool) -> Int {
        var index = start
        while let current = byte(index), isPart(current) { index += 1 }
        return index
    }

    func endOfWord(_ start: Int) -> Int { endOfRun(start, while: Byte.isWord) }

    /// `?` and `!` after an operand stand alone: `a?.b`, `x!-1`. A comment ends an operator.
    private func endOfSymbol(_ start: Int) -> Int {
        var index = start
        let first = byte(start)
        if first == UInt8(ascii: "?") || first == UInt8(ascii: "!") {
            if let before = byte(start - 1), Byte.isWord(before) || Byte.isOne(before, of: ")]}\">`") || before == first
            {
                // `x!=y` is read by Swift as an operator.
                if first == UInt8(ascii: "?") || byte(start + 1) != Byte.equals { return start + 1 }
            }
        }
        while let current = byte(index), Byte.isSymbol(current) {
            let isComment = current == Byte.slash && (byte(index + 1) == Byte.slash || byte(index + 1) == Byte.star)
            if isComment, index > start { break }
            index += 1
        }
        return max(index, start + 1)
    }

    private func endOfNumber(_ start: Int) -> Int {
        var index = start
        let isHexadecimal = byte(start) == UInt8(ascii: "0") && byte(start + 1) == UInt8(ascii: "x")
        while let current = byte(index) {
            if Byte.isWord(current) {
                index += 1
                let isExponent =
                    isHexadecimal ? current | 0x20 == UInt8(ascii: "p") : current | 0x20 == UInt8(ascii: "e")
                if isExponent, let sign = byte(index), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                    index += 1
                }
            } else if current == Byte.dot, let after = byte(index + 1), Byte.isDigit(after) {
                index += 1
            } else {
                break
            }
        }
        return index
    }

    private func endOfQuotedWord(_ start: Int) -> (Token.Kind, Int) {
        var index = start + 1
        while let current = byte(index), current != Byte.newline, current != Byte.backtick { index += 1 }
        guard byte(index) == Byte.backtick, index > start + 1 else { return (.mark, start + 1) }
        return (.quotedWord, index + 1)
    }
}
