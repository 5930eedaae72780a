extension Lexer {
    /// Reads members up to the brace that closes the type, or the end of the source.
    mutating func readMembers() -> [Declaration] {
        var members: [Declaration] = []
        var conditions = 0
        while true {
            let token = peek()
            if token.kind == .end || take("}") { return members }
            if take(";") { continue }
            if token.kind == .pound {
                if matches(token, "#if") { conditions += 1 }
                if matches(token, "#endif") { conditions = max(0, conditions - 1) }
                skipPound(token)
            } else {
                let before = position
                let member = readMember()
                member.isConditional = conditions > 0
                members.append(member)
                // Whatever it was, go on behind it.
                if position == before { next() }
            }
        }
    }

    /// A compiler directive with its line, or a macro that makes declarations.
    private mutating func skipPound(_ token: Token) {
        _ = next()
        if isDirective(token) {
            if matches(token, "#else #endif") { return }
            skipLine()
        } else {
            skipRest(expectsMore: true)
        }
    }

    /// Reads one declaration with everything before and behind its keyword.
    @inline(never)
    mutating func readMember() -> Declaration {
        let member = readHead()
        let keyword = next()
        member.keyword = text(keyword)
        member.keywordRange = keyword.range
        if member.isProperty {
            member.bindings = readBindings()
            return member
        }
        if matches(keyword, "init") {
            member.isPlainInit = isPlainInit()
        } else if matches(keyword, "func") {
            skipFunctionName()
        }
        // A deinit has no name, and in an interface no body either.
        skipRest(expectsMore: !matches(keyword, "deinit"))
        return member
    }

    private func isPlainInit() -> Bool {
        var copy = self
        return copy.take("(") && copy.take(")")
    }

    /// An operator's name is read as it stands: in `func / (` no regular expression begins.
    private mutating func skipFunctionName() {
        let first = endOfRun(position, while: Byte.isBlank)
        let end = endOfRun(first) { Byte.isSymbol($0) || $0 == Byte.dot }
        if end > first { move(to: end) } else { next() }
    }

    /// Goes to the end of a declaration that begins here, behind its keyword: its body, or the line before the
    /// next declaration. `expectsMore` says that the next token belongs to it on whatever line it is.
    private mutating func skipRest(expectsMore: Bool) {
        var expectsMore = expectsMore
        while true {
            let token = peek()
            if token.kind == .end || matches(token, "} ;") { return }
            if token.startsLine, !expectsMore, beginsDeclaration(token) { return }
            let opensBody = matches(token, "{")
            skipGroup()
            if opensBody { return }
            expectsMore = matches(token, "= -> , : &")
        }
    }

    private mutating func readBindings() -> [Binding] {
        var bindings: [Binding] = []
        while true {
            let first = peek()
            if first.kind == .end || matches(first, "}") { return bindings }
            bindings.append(readBinding())
            guard take(",") else { return bindings }
        }
    }

    private mutating func readBinding() -> Binding {
        let name = peek()
        skipGroup()
        let isName = (name.kind == .word && !matches(name, "_")) || name.kind == .quotedWord
        let binding = Binding(text(name.start..<position), name.start..<position)
        binding.isPattern = !isName
        var end = position
        if take(":") {
            let start = peek().start
            if skipType(&binding.typeShape) {
                end = position
                binding.type = start..<end
            }
        }
        if take("=") {
            let start = peek().start
            end = max(start, skipInitialValue())
            binding.value = start..<end
        }
        binding.range = name.start..<end
        if isAt("{") {
            let first = firstAccessor()
            let observes = first.map { matches($0, "willSet didSet") } ?? false
            binding.accessors = observes ? .observers : .computed
            binding.accessorRange = first?.range
            skipGroup()
        }
        return binding
    }
}
