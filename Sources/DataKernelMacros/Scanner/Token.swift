/// One token of Swift source, by its place in the bytes.
struct Token {
    enum Kind {
        /// A name or a keyword; which of the two is the reader's business.
        case word
        /// A name in backticks.
        case quotedWord
        case number
        case string
        case regex
        /// A run of operator characters. `?` and `!` count among them.
        case symbol
        /// One of `( ) [ ] { } , ; : @ . \`
        case mark
        /// `#` and the word after it, as in `#if` and `#selector`.
        case pound
        /// The end of the source.
        case end
    }

    var kind: Kind
    var start: Int
    var end: Int
    /// Whether a line ends between the token before and this one.
    var startsLine: Bool
    /// Whether there is a blank or a comment before it.
    var hasSpaceBefore: Bool

    var range: Range<Int> { start..<end }
}

/// The characters that the scanner tells apart, as bytes.
enum Byte {
    static let tab = UInt8(ascii: "\t")
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let slash = UInt8(ascii: "/")
    static let star = UInt8(ascii: "*")
    static let pound = UInt8(ascii: "#")
    static let backtick = UInt8(ascii: "`")
    static let dot = UInt8(ascii: ".")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let at = UInt8(ascii: "@")
    static let equals = UInt8(ascii: "=")
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")
    static let openParenthesis = UInt8(ascii: "(")
    static let closeParenthesis = UInt8(ascii: ")")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == space || (byte >= 9 && byte <= 13) || byte == 0
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Letters, digits, `_`, `$`, and every byte of a character beyond ASCII.
    static func isWord(_ byte: UInt8) -> Bool {
        (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x41 && byte <= 0x5A) || isDigit(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
    }

    static func isSymbol(_ byte: UInt8) -> Bool { isOne(byte, of: "/=-+!*%<>&|^~?") }

    static func isMark(_ byte: UInt8) -> Bool { isOne(byte, of: "()[]{},;:@\\.") }

    /// Whether the byte is one of these characters, all of them ASCII.
    static func isOne(_ byte: UInt8, of characters: StaticString) -> Bool { place(byte, in: characters) != nil }

    /// Where the byte stands among these characters, all of them ASCII.
    @inline(never)
    static func place(_ byte: UInt8, in characters: StaticString) -> Int? {
        for place in 0..<characters.utf8CodeUnitCount where characters.utf8Start[place] == byte { return place }
        return nil
    }
}
