// What the macros need of texts, by their bytes. The generic algorithms of the standard library would each be compiled
// again for them, and inlined at each call: every user of the package would wait for that.

extension [UInt8] {
    /// The text in a range of UTF-8.
    @inline(never)
    func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }
    var text: String { text(0..<count) }
}

extension String {
    @inline(never)
    var bytes: [UInt8] { Array(utf8) }

    /// Whether it is one of these words, between which there are blanks.
    @inline(never)
    func isOne(of words: StaticString) -> Bool {
        let bytes = self.bytes
        return words.hasWord(bytes, 0..<bytes.count)
    }

    /// Whether its characters are a name's, and the first no digit.
    var isName: Bool {
        let bytes = self.bytes
        for byte in bytes where !Byte.isWord(byte) { return false }
        return bytes.first.map(Byte.isDigit) == false
    }

    /// What stands behind a prefix. Nil when it does not begin with it.
    @inline(never)
    func without(prefix: String) -> String? {
        guard hasPrefix(prefix) else { return nil }
        let bytes = self.bytes
        return bytes.text(prefix.utf8.count..<bytes.count)
    }

    /// What stands behind the last of the bytes that separate its parts.
    @inline(never)
    func lastPart(_ isSeparator: (UInt8) -> Bool) -> String {
        let bytes = self.bytes
        var start = bytes.count
        while start > 0, !isSeparator(bytes[start - 1]) { start -= 1 }
        return bytes.text(start..<bytes.count)
    }

    /// Without blanks at either end.
    var trimmed: String {
        let bytes = self.bytes
        var (start, end) = (0, bytes.count)
        while start < end, Byte.isBlank(bytes[start]) { start += 1 }
        while start < end, Byte.isBlank(bytes[end - 1]) { end -= 1 }
        return bytes.text(start..<end)
    }
}

extension StaticString {
    /// Whether one of its words, between which it has blanks, stands in the range.
    @inline(never)
    func hasWord(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var start = 0
        while start < utf8CodeUnitCount {
            var end = start
            var isSame = true
            while end < utf8CodeUnitCount, utf8Start[end] != Byte.space {
                let index = range.lowerBound + end - start
                if index >= range.upperBound || bytes[index] != utf8Start[end] { isSame = false }
                end += 1
            }
            if isSame, end - start == range.count { return true }
            start = end + 1
        }
        return false
    }
}
