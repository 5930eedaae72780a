extension Lexer {
    /// Goes over the initial value of a property and stops at what ends it: a comma, a semicolon, the next
    /// declaration, the brace of its observers, or the end. Answers where its last token ended.
    mutating func skipInitialValue() -> Int {
        var end = position
        var needsOperand = true
        var afterLiteral = false
        while true {
            let token = peek()
            if endsValue(token, needsOperand: needsOperand, afterLiteral: afterLiteral) { return end }
            let isLiteral = token.kind == .number || token.kind == .string || token.kind == .regex
            switch token.kind {
            case .word where isControlFlow(token) && needsOperand: skipControlFlow()
            case .word where matches(token, "as is"): skipCast()
            case .word where matches(token, "try await unsafe consume copy"):
                next()
                // `try` may be followed by its operand on the next line; the same word may also be a name.
                needsOperand = startsOperand(peek())
                end = position
                afterLiteral = false
                continue
            case .word, .quotedWord:
                next()
                skipGenericArgumentsOfExpression()
            case .symbol,
                .mark where matches(token, ":"):
                needsOperand = skipOperator()
                afterLiteral = false
                end = position
                continue
            case .mark where matches(token, ". \\"):
                next()
                needsOperand = true
                end = position
                afterLiteral = false
                continue
            case .pound where matches(token, "#if"): skipConditional()
            case .mark: skipGroup()
            default: next()
            }
            needsOperand = false
            afterLiteral = isLiteral
            end = position
        }
    }

    private func startsOperand(_ token: Token) -> Bool {
        switch token.kind {
        case .word: !isDeclarationWord(token)
        case .quotedWord, .number, .string, .regex, .pound: true
        case .symbol: matches(token, "? !")
        case .mark: !token.startsLine && matches(token, "( [ .")
        case .end: false
        }
    }

    private func endsValue(_ token: Token, needsOperand: Bool, afterLiteral: Bool) -> Bool {
        switch token.kind {
        case .end: return true
        case .mark:
            if matches(token, ", ; } ) ]") { return true }
            if matches(token, "{") { return !needsOperand && (afterLiteral || startsAccessors()) }
            if matches(token, "@") { return !needsOperand || token.startsLine }
            if matches(token, ". :") { return false }
            return token.startsLine && !needsOperand
        case .pound:
            guard token.startsLine else { return false }
            if matches(token, "#if") { return !continuesAfterConditional() }
            return isDirective(token) || !needsOperand
        case .word:
            if needsOperand { return token.startsLine && isDeclarationWord(token) }
            return token.startsLine && !matches(token, "as is")
        case .symbol: return false
        default: return token.startsLine && !needsOperand
        }
    }

    func isDirective(_ token: Token) -> Bool {
        matches(token, "#if #elseif #else #endif #warning #error #sourceLocation")
    }

    /// After an operator between or before operands another operand must follow; after `x!` none.
    private mutating func skipOperator() -> Bool {
        let token = next()
        let after = byte(token.end)
        let isFollowedByBlank = after.map(Byte.isBlank) ?? true
        if token.hasSpaceBefore { return true }
        if matches(token, ":") { return true }
        guard !isFollowedByBlank, let after else { return false }
        if matches(token, "? !") { return false }
        return !Byte.isOne(after, of: ")]},;:.")
    }

    private mutating func skipCast() {
        next()
        let mark = peek()
        if !mark.hasSpaceBefore, matches(mark, "? !") { next() }
        var shape = TypeShape.plain
        _ = skipType(&shape)
    }

    /// `Array<Int>()`: angle brackets after a name, when what follows them cannot follow a comparison.
    private mutating func skipGenericArgumentsOfExpression() {
        let open = peek()
        guard !open.hasSpaceBefore, open.kind == .symbol, byte(open.start) == Byte.less else { return }
        var copy = self
        copy.skipGenericArguments()
        guard copy.position > position else { return }
        let after = copy.peek()
        let fits =
            switch after.kind {
            case .end: true
            case .mark: after.startsLine || !matches(after, "\\ @")
            case .symbol: !after.hasSpaceBefore || matches(after, "=")
            default: after.startsLine
            }
        if fits { self = copy }
    }

    private func isControlFlow(_ token: Token) -> Bool {
        matches(token, "if switch do")
    }

    /// `if … {…} else {…}`, `switch … {…}`, `do {…} catch {…}` as a value.
    private mutating func skipControlFlow() {
        next()
        skipToBlock()
        while take("else catch") { skipToBlock() }
    }

    private mutating func skipToBlock() {
        while true {
            let token = peek()
            if token.kind == .end || matches(token, "} ;") { return }
            skipGroup()
            if matches(token, "{") { return }
        }
    }

    /// `#if … .modifier() … #endif` in the middle of a chain of calls.
    private func continuesAfterConditional() -> Bool {
        var copy = self
        copy.next()
        copy.skipLine()
        return copy.isAt(".")
    }

    /// Goes to the first token of the next line, over brackets and literals.
    mutating func skipLine() {
        while true {
            let token = peek()
            if token.kind == .end || token.startsLine { return }
            skipGroup()
        }
    }

    /// Goes over `#if … #endif` with the nested ones.
    private mutating func skipConditional() {
        var depth = 0
        repeat {
            let token = next()
            if token.kind == .end { return }
            if matches(token, "#if") { depth += 1 }
            if matches(token, "#endif") { depth -= 1 }
        } while depth > 0
    }

    /// Whether the brace at the current place opens observers or accessors rather than a closure. By Swift's own
    /// rule only these words tell; a getter beside an initial value is an error anyway.
    func startsAccessors() -> Bool {
        guard let word = firstAccessor() else { return false }
        return matches(word, "willSet didSet init")
    }

    /// The first word of an accessor block, attributes and `mutating` and such passed over.
    func firstAccessor() -> Token? {
        var copy = self
        guard copy.take("{") else { return nil }
        while true {
            if copy.isAt("@") {
                copy.skipAttribute()
            } else if !copy.take("mutating nonmutating __consuming consuming borrowing nonisolated") {
                let token = copy.peek()
                return token.kind == .word ? token : nil
            }
        }
    }

    /// Goes over `@Name.Of<It>(arguments)`.
    @inline(never)
    mutating func skipAttribute() {
        next()
        while true {
            let name = peek()
            guard name.kind == .word || name.kind == .quotedWord else { break }
            next()
            skipGenericArguments()
            let dot = peek()
            guard matches(dot, "."), !dot.hasSpaceBefore else { break }
            next()
        }
        let arguments = peek()
        // `@Name (x)` has no arguments: the parenthesis is a type's or a pattern's.
        if matches(arguments, "("), !arguments.hasSpaceBefore { skipGroup() }
    }
}
