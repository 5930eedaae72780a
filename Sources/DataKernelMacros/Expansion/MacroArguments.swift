/// One argument of an attribute, as written.
struct MacroArgument {
    var label: String?
    var labelRange: Range<Int>?
    var value: Range<Int>
}

extension Lexer {
    /// Cuts what is between parentheses or brackets at the commas.
    func arguments(in range: Range<Int>) -> [MacroArgument] {
        var lexer = self
        lexer.move(to: range.lowerBound)
        var result: [MacroArgument] = []
        while lexer.peek().start < range.upperBound {
            var argument = MacroArgument(value: lexer.peek().start..<lexer.peek().start)
            let first = lexer.peek()
            var ahead = lexer
            _ = ahead.next()
            if first.kind == .word || first.kind == .quotedWord, ahead.matches(ahead.next(), ":") {
                argument.label = lexer.text(first)
                argument.labelRange = first.range
                lexer.move(to: ahead.position)
                argument.value = ahead.peek().start..<ahead.peek().start
            }
            while lexer.peek().start < range.upperBound, !lexer.matches(lexer.peek(), ",") {
                lexer.skipGroup()
                argument.value = argument.value.lowerBound..<min(lexer.position, range.upperBound)
            }
            if lexer.matches(lexer.peek(), ",") { _ = lexer.next() }
            result.append(argument)
        }
        return result
    }

    /// The text of a plain string literal. Nil for anything that has to be evaluated.
    func literalText(_ range: Range<Int>) -> String? {
        var lexer = self
        lexer.move(to: range.lowerBound)
        let token = lexer.next()
        guard token.kind == .string, token.end == range.upperBound, byte(token.start) == Byte.quote,
            token.end - token.start >= 2, byte(token.end - 1) == Byte.quote
        else { return nil }
        let text = self.text(token.start + 1..<token.end - 1)
        return text.contains("\\") || text.contains("\"") ? nil : text
    }

    /// The parts of an array literal.
    func literalElements(_ range: Range<Int>) -> [Range<Int>]? {
        var lexer = self
        lexer.move(to: range.lowerBound)
        guard lexer.matches(lexer.peek(), "[") else { return nil }
        let open = lexer.peek()
        lexer.skipGroup()
        guard lexer.position == range.upperBound, byte(range.upperBound - 1) == Byte.closeBracket else { return nil }
        let elements = arguments(in: open.end..<range.upperBound - 1)
        return elements.allSatisfy { $0.label == nil } ? elements.map(\.value) : nil
    }
}
