extension Lexer {
    /// Whether the word is a modifier, if what follows it lets it be one.
    private func isModifierWord(_ token: Token) -> Bool {
        matches(
            token,
            """
            public private fileprivate internal package open static class final lazy weak unowned override required \
            convenience mutating nonmutating nonisolated isolated dynamic optional indirect prefix postfix infix \
            distributed async borrowing consuming __consuming _const _local reasync sending __setter_access
            """)
    }

    /// Whether the word can only begin a declaration: it is reserved, or a modifier before something that is.
    @inline(never)
    func isDeclarationWord(_ token: Token, depth: Int = 0) -> Bool {
        guard token.kind == .word, depth < 32 else { return false }
        if matches(
            token,
            """
            var let func init deinit subscript class struct enum extension protocol typealias associatedtype import \
            operator precedencegroup case public private fileprivate internal static
            """)
        {
            return true
        }
        // These are keywords only before a name.
        let isSoft = matches(token, "actor macro")
        guard isSoft || isModifierWord(token) else { return false }
        var copy = self
        copy.move(to: token.end)
        if copy.isAt("(") { copy.skipGroup() }
        let after = copy.peek()
        if isSoft { return after.kind == .word && !after.startsLine }
        return copy.matches(after, "@") || copy.isDeclarationWord(after, depth: depth + 1)
    }

    /// Whether a line that begins with this token begins a declaration.
    func beginsDeclaration(_ token: Token) -> Bool {
        matches(token, "@") || token.kind == .pound || isDeclarationWord(token)
    }

    /// Reads the attributes and modifiers before a declaration's keyword.
    mutating func readHead() -> Declaration {
        let head = Declaration()
        while true {
            let token = peek()
            if matches(token, "@") {
                head.attributes.append(readAttribute())
            } else if isModifier(token) {
                head.modifiers.append(readModifier())
            } else {
                return head
            }
        }
    }

    /// `class` is a modifier before `var` and `func`, a keyword before a name.
    private func isModifier(_ token: Token) -> Bool {
        guard token.kind == .word, isModifierWord(token) else { return false }
        guard matches(token, "class") else { return true }
        var copy = self
        copy.move(to: token.end)
        let after = copy.peek()
        return copy.matches(after, "@") || copy.isDeclarationWord(after)
    }

    @inline(never)
    mutating func readAttribute() -> Attribute {
        let start = peek().start
        var copy = self
        copy.skipAttribute()
        let end = copy.position
        next()
        var name = ""
        while position < end {
            let token = next()
            if matches(token, "("), bytes[end - 1] == Byte.closeParenthesis {
                move(to: end)
                return Attribute(name: name, range: start..<end, arguments: token.end..<(end - 1))
            }
            name += text(token)
        }
        return Attribute(name: name, range: start..<end)
    }

    private mutating func readModifier() -> Attribute {
        let word = next()
        if isAt("(") { skipGroup() }
        return Attribute(name: text(word), range: word.start..<position)
    }

    /// Reads the first type declaration: head and, when there is a brace, members.
    @inline(never)
    mutating func readType() -> Declaration {
        let type = readHead()
        let keyword = next()
        type.keyword = text(keyword)
        type.keywordRange = keyword.range
        let name = next()
        type.name = text(name)
        type.nameRange = name.range
        readGenericsAndInheritance(of: type)
        if take("{") { type.members = readMembers() }
        return type
    }

    private mutating func readGenericsAndInheritance(of type: Declaration) {
        var end: Int?
        while true {
            let token = peek()
            if token.kind == .end || matches(token, "{") { break }
            if matches(token, "<"), type.generics == nil, type.inheritance == nil {
                let start = token.start
                skipAngles()
                type.generics = start..<position
            } else if matches(token, ":"), type.inheritance == nil {
                next()
                type.inheritance = position..<position
            } else {
                if matches(token, "where") { end = end ?? token.start }
                skipGroup()
            }
        }
        if let start = type.inheritance?.lowerBound { type.inheritance = start..<max(start, end ?? position) }
    }

    /// `<T: P, each U>`, brackets inside it included.
    private mutating func skipAngles() {
        var depth = 0
        repeat {
            let token = peek()
            if token.kind == .end || matches(token, "{") { return }
            if token.kind == .symbol, byte(token.start) == Byte.less {
                depth += 1
                move(to: token.start + 1)
            } else if token.kind == .symbol, byte(token.start) == Byte.greater {
                depth -= 1
                move(to: token.start + 1)
            } else {
                skipGroup()
            }
        } while depth > 0
    }
}
