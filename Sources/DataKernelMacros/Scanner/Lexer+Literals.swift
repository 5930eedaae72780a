// Strings and regular expressions: the literals inside which brackets and quotes mean something else.
extension Lexer {
    /// `#"…"#`, `#/…/#`, `#if`, `#selector`, or a lone `#`.
    func endOfPound(_ start: Int) -> (Token.Kind, Int) {
        let afterPounds = endOfRun(start) { $0 == Byte.pound }
        switch byte(afterPounds) {
        case Byte.quote: return (.string, endOfString(start))
        case Byte.slash:
            if let end = endOfRawRegex(afterPounds, pounds: afterPounds - start) { return (.regex, end) }
            return (.mark, start + 1)
        case .some(let first) where afterPounds == start + 1 && Byte.isWord(first):
            return (.pound, endOfWord(afterPounds))
        default: return (.mark, start + 1)
        }
    }

    /// The end of a string literal that begins at `start`, its `#`s included.
    func endOfString(_ start: Int) -> Int {
        let open = endOfRun(start) { $0 == Byte.pound }
        let pounds = open - start
        let isMultiline = hasQuotes(3, at: open) && !(pounds > 0 && closesOnItsLine(open + 1, pounds: pounds))
        let quotes = isMultiline ? 3 : 1
        var index = open + quotes
        while let current = byte(index) {
            if !isMultiline, current == Byte.newline || current == Byte.carriageReturn { return index }
            if current == Byte.backslash {
                index = endOfEscape(index, pounds: pounds)
            } else if current == Byte.quote, hasQuotes(quotes, at: index), hasPounds(pounds, at: index + quotes) {
                return endOfClosingQuotes(index, quotes: quotes, pounds: pounds)
            } else {
                index += 1
            }
        }
        return bytes.count
    }

    /// In `""""` the last three close a multi-line literal; the first is text.
    private func endOfClosingQuotes(_ index: Int, quotes: Int, pounds: Int) -> Int {
        var index = index
        if quotes == 3 {
            while byte(index + 3) == Byte.quote, hasPounds(pounds, at: index + 4) { index += 1 }
        }
        return index + quotes + pounds
    }

    private func hasQuotes(_ count: Int, at index: Int) -> Bool { hasRun(of: Byte.quote, count, at: index) }
    private func hasPounds(_ count: Int, at index: Int) -> Bool { hasRun(of: Byte.pound, count, at: index) }

    private func hasRun(of character: UInt8, _ count: Int, at index: Int) -> Bool {
        for place in index..<index + count where byte(place) != character { return false }
        return true
    }

    /// `#"""#` is the text `"`, not the beginning of a multi-line literal.
    private func closesOnItsLine(_ start: Int, pounds: Int) -> Bool {
        var index = start
        while let current = byte(index), current != Byte.newline, current != Byte.carriageReturn {
            if current == Byte.quote, hasPounds(pounds, at: index + 1) { return true }
            index += 1
        }
        return false
    }

    private func endOfEscape(_ start: Int, pounds: Int) -> Int {
        let after = start + 1
        guard hasPounds(pounds, at: after) else { return after }
        let kind = after + pounds
        guard byte(kind) == Byte.openParenthesis else { return pounds > 0 ? kind : kind + 1 }
        guard interpolationDepth < Lexer.deepestInterpolation else { return bytes.count }
        var inside = Lexer(bytes, at: kind)
        inside.interpolationDepth = interpolationDepth + 1
        inside.skipGroup()
        return max(inside.position, kind + 1)
    }

    /// A regular expression between single slashes, by the rules of Swift's own lexer: it begins where an operand
    /// may, not with a blank, and ends on its line. Nil when the slash is an operator.
    func endOfPlainRegex(_ start: Int) -> Int? {
        if let before = byte(start - 1), !Byte.isBlank(before), !Byte.isOne(before, of: "([{,;:"),
            !Byte.isSymbol(before)
        {
            return nil
        }
        guard let first = byte(start + 1), !Byte.isBlank(first), first != Byte.slash, first != Byte.star else {
            return nil
        }
        var depth = 0
        var index = start + 1
        while let current = byte(index), current != Byte.newline, current != Byte.carriageReturn {
            switch current {
            case Byte.backslash: index += 1
            case Byte.openParenthesis: depth += 1
            case Byte.closeParenthesis:
                depth -= 1
                if depth < 0 { return nil }
            case Byte.slash:
                if let before = byte(index - 1), before == Byte.space || before == Byte.tab { return nil }
                return index + 1
            default: break
            }
            index += 1
        }
        return nil
    }

    /// `#/…/#`, over several lines when a line ends right after its beginning.
    private func endOfRawRegex(_ slash: Int, pounds: Int) -> Int? {
        var index = slash + 1
        let firstText = endOfRun(index) { $0 == Byte.space || $0 == Byte.tab }
        let isMultiline = byte(firstText) == Byte.newline || byte(firstText) == Byte.carriageReturn
        while let current = byte(index) {
            if !isMultiline, current == Byte.newline || current == Byte.carriageReturn { return nil }
            if current == Byte.slash, hasPounds(pounds, at: index + 1) { return index + 1 + pounds }
            index += current == Byte.backslash ? 2 : 1
        }
        return isMultiline ? bytes.count : nil
    }

    /// Goes over one token, and when it opens a bracket, over everything up to the one that closes it.
    @inline(never)
    mutating func skipGroup() {
        var open: [UInt8] = []
        repeat {
            let token = next()
            if token.kind == .end { return }
            guard token.kind == .mark, let mark = byte(token.start) else { continue }
            switch mark {
            case Byte.openParenthesis: open.append(Byte.closeParenthesis)
            case Byte.openBracket: open.append(Byte.closeBracket)
            case Byte.openBrace: open.append(Byte.closeBrace)
            case Byte.closeParenthesis, Byte.closeBracket, Byte.closeBrace:
                // A bracket that closes none of the open ones is passed over; one that closes an outer group
                // closes the inner ones with it.
                if open.contains(mark) { while open.popLast() != mark {} }
            default: break
            }
        } while !open.isEmpty
    }
}
