extension Lexer {
    /// Reads members up to the brace that closes the type, or the end of the source.
    mutating func readMembers() -> [Member] {
        var members: [Member] = []
        var conditions = 0
        while true {
            let token = peek()
            if token.kind == .end { return members }
            if matches(token, "}") {
                _ = next()
                return members
            }
            if matches(token, ";") {
                _ = next()
            } else if token.kind == .pound {
                if matches(token, "#if") { conditions += 1 }
                if matches(token, "#endif") { conditions = max(0, conditions - 1) }
                skipPound(token)
            } else {
                let before = position
                members.append(readMember(isConditional: conditions > 0))
                // Whatever it was, go on behind it.
                if position == before { _ = next() }
            }
        }
    }

    /// A compiler directive with its line, or a macro that makes declarations.
    private mutating func skipPound(_ token: Token) {
        _ = next()
        if isDirective(token) {
            if matches(token, "#else") || matches(token, "#endif") { return }
            skipLine()
        } else {
            skipRest(expectsMore: true)
        }
    }

    /// Reads one declaration with everything before and behind its keyword.
    mutating func readMember(isConditional: Bool) -> Member {
        let head = readHead()
        let keyword = peek()
        if matches(keyword, "var") || matches(keyword, "let") {
            _ = next()
            return .property(
                Property(
                    attributes: head.attributes, modifiers: head.modifiers, keyword: keyword.range,
                    isLet: matches(keyword, "let"), bindings: readBindings(), isConditional: isConditional,
                    start: head.start))
        }
        return .other(readOther(head))
    }

    private mutating func readOther(_ head: DeclarationHead) -> OtherMember {
        let keyword = next()
        var other = OtherMember(
            attributes: head.attributes, modifiers: head.modifiers, keyword: text(keyword),
            range: head.start..<keyword.end, isPlainInit: false, name: nil)
        if matches(keyword, "init") {
            other.isPlainInit = isPlainInit()
        } else if matches(keyword, "func") {
            other.name = readFunctionName()
        } else if peek().kind == .word || peek().kind == .quotedWord {
            other.name = text(peek())
        }
        // A deinit has no name, and in an interface no body either.
        skipRest(expectsMore: !matches(keyword, "deinit"))
        other.range = head.start..<position
        return other
    }

    private func isPlainInit() -> Bool {
        var copy = self
        guard copy.matches(copy.next(), "(") else { return false }
        return copy.matches(copy.next(), ")")
    }

    /// An operator's name is read as it stands: in `func / (` no regular expression begins.
    private mutating func readFunctionName() -> String {
        let first = endOfRun(position, while: Byte.isBlank)
        if let byte = byte(first), Byte.isSymbol(byte) || byte == Byte.dot {
            let end = endOfRun(first) { Byte.isSymbol($0) || $0 == Byte.dot }
            move(to: end)
            return text(first..<end)
        }
        return text(next())
    }

    /// Goes to the end of a declaration that begins here, behind its keyword: its body, or the line before the
    /// next declaration. `expectsMore` says that the next token belongs to it on whatever line it is.
    private mutating func skipRest(expectsMore: Bool) {
        var expectsMore = expectsMore
        while true {
            let token = peek()
            if token.kind == .end || matches(token, "}") || matches(token, ";") { return }
            if token.startsLine, !expectsMore, beginsDeclaration(token) { return }
            let opensBody = matches(token, "{")
            skipGroup()
            if opensBody { return }
            expectsMore =
                matches(token, "=") || matches(token, "->") || matches(token, ",") || matches(token, ":")
                || matches(token, "&")
        }
    }

    private mutating func readBindings() -> [Binding] {
        var bindings: [Binding] = []
        while true {
            let first = peek()
            if first.kind == .end || matches(first, "}") { return bindings }
            bindings.append(readBinding())
            guard matches(peek(), ",") else { return bindings }
            _ = next()
        }
    }

    private mutating func readBinding() -> Binding {
        let name = peek()
        skipGroup()
        let isName = (name.kind == .word && !matches(name, "_")) || name.kind == .quotedWord
        var binding = Binding(
            name: text(name.start..<position), nameRange: name.start..<position, isPattern: !isName,
            range: name.start..<position)
        if matches(peek(), ":") {
            _ = next()
            let start = peek().start
            if skipType(&binding.typeShape) { binding.type = start..<position }
        }
        if matches(peek(), "=") {
            _ = next()
            let start = peek().start
            let end = skipInitialValue()
            binding.value = start..<max(start, end)
        }
        let end = binding.value?.upperBound ?? binding.type?.upperBound ?? binding.nameRange.upperBound
        binding.range = name.start..<max(end, name.start)
        if matches(peek(), "{") {
            let first = firstAccessor()
            let observes = first.map { matches($0, "willSet") || matches($0, "didSet") } ?? false
            binding.accessors = observes ? .observers : .computed
            binding.accessorRange = first?.range
            skipGroup()
        }
        return binding
    }
}
