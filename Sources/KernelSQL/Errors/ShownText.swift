extension String {
    /// The text as a message shows it: on one line, without characters that act on a terminal or turn the direction of
    /// what follows, and no longer than a message may be. Names come from programs, files and their users.
    package var shown: String { shown(limit: 120) }

    /// The same with at most `limit` characters of the text. Costs no more for longer texts.
    package func shown(limit: Int) -> String {
        var result = ""
        var count = 0
        var position = unicodeScalars.startIndex
        while position < unicodeScalars.endIndex {
            if count == limit { return result + "… (\(utf8.count) bytes)" }
            let scalar = unicodeScalars[position]
            if scalar.isHidden {
                result += scalar.escapedForMessages
            } else {
                result.unicodeScalars.append(scalar)
            }
            unicodeScalars.formIndex(after: &position)
            count += 1
        }
        return result
    }

    /// A name as a message shows it: an empty one would leave a gap in the sentence.
    package var shownName: String { isEmpty ? "\"\"" : shown }
}

extension Unicode.Scalar {
    /// Whether a message must not hold the character as it is: controls, line ends, marks of direction.
    fileprivate var isHidden: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    fileprivate var escapedForMessages: String {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\0": "\\0"
        default: "\\u{" + String(value, radix: 16, uppercase: true) + "}"
        }
    }
}
