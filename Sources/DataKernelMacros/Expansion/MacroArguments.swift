/// One argument of an attribute, as written.
struct MacroArgument {
    var label: String?
    var labelRange: Range<Int>?
    var value: Range<Int>
}

extension Lexer {
    /// Cuts what is between parentheses or brackets at the commas.
    @inline(never)
    func arguments(in range: Range<Int>) -> [MacroArgument] {
        var lexer = self
        lexer.move(to: range.lowerBound)
        var result: [MacroArgument] = []
        while lexer.peek().start < range.upperBound {
            var argument = MacroArgument(value: range)
            var ahead = lexer
            let first = ahead.next()
            if first.kind == .word || first.kind == .quotedWord, ahead.take(":") {
                argument.label = text(first)
                argument.labelRange = first.range
                lexer = ahead
            }
            let start = lexer.peek().start
            var end = start
            while lexer.peek().start < range.upperBound, !lexer.isAt(",") {
                lexer.skipGroup()
                end = min(lexer.position, range.upperBound)
            }
            argument.value = start..<end
            _ = lexer.take(",")
            result.append(argument)
        }
        return result
    }

    /// The text of a plain string literal. Nil for anything that has to be evaluated.
    @inline(never)
    func literalText(_ range: Range<Int>) -> String? {
        var lexer = self
        lexer.move(to: range.lowerBound)
        let token = lexer.next()
        guard token.kind == .string, token.end == range.upperBound, byte(token.start) == Byte.quote,
            token.end - token.start >= 2, byte(token.end - 1) == Byte.quote
        else { return nil }
        let inside = token.start + 1..<token.end - 1
        for index in inside where bytes[index] == Byte.backslash || bytes[index] == Byte.quote { return nil }
        return text(inside)
    }

    /// The parts of an array literal.
    @inline(never)
    func literalElements(_ range: Range<Int>) -> [MacroArgument]? {
        var lexer = self
        lexer.move(to: range.lowerBound)
        let open = lexer.peek()
        guard matches(open, "[") else { return nil }
        lexer.skipGroup()
        guard lexer.position == range.upperBound, byte(range.upperBound - 1) == Byte.closeBracket else { return nil }
        let elements = arguments(in: open.end..<range.upperBound - 1)
        for element in elements where element.label != nil { return nil }
        return elements
    }
}
