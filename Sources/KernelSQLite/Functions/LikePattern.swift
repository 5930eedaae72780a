/// SQL's LIKE over all bytes of a text: SQLite's own ends at the first NUL, and takes patterns of up to 50,000 bytes only.
///
/// `%` is any text, `_` any character, `\` takes the next character for itself. a–z and A–Z are the same.
enum LikePattern {
    /// Takes no more than the product of both lengths, and no stack.
    static func matches(_ pattern: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        var position = 0
        // Where the last % is, and how far its text goes so far: what does not fit behind it is tried one character on.
        var wildcard: (place: Int, position: Int)?
        while true {
            if place == pattern.count {
                // A % at the end takes all that is left.
                if position == text.count || wildcard?.place == place { return true }
            } else {
                switch pattern[place] {
                case UInt8(ascii: "%"):
                    place += 1
                    wildcard = (place, position)
                    continue
                case UInt8(ascii: "_") where position < text.count:
                    place += 1
                    position = text.character(after: position)
                    continue
                case UInt8(ascii: "_"): break
                case let byte:
                    let isEscape = byte == UInt8(ascii: "\\")
                    // Nothing follows that it could take for itself.
                    if isEscape, place + 1 == pattern.count { return false }
                    let wanted = isEscape ? pattern[place + 1] : byte
                    if position < text.count, folded(wanted) == folded(text[position]) {
                        place += isEscape ? 2 : 1
                        position += 1
                        continue
                    }
                }
            }
            guard let last = wildcard, last.position < text.count else { return false }
            position = text.character(after: last.position)
            place = last.place
            wildcard = (place, position)
        }
    }

    private static func folded(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}

extension UnsafeRawBufferPointer {
    /// Where the next UTF-8 character begins. Bytes that are none count one by one.
    fileprivate func character(after position: Int) -> Int {
        var next = position + 1
        guard self[position] >= 0xC0 else { return next }
        while next < count, self[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
