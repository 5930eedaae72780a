/// The attributes and modifiers before a declaration's keyword.
struct DeclarationHead {
    var attributes: [Attribute] = []
    var modifiers: [Modifier] = []
    var start: Int
}

extension Lexer {
    static let modifierWords: Set<String> = [
        "public", "private", "fileprivate", "internal", "package", "open", "static", "class", "final", "lazy", "weak",
        "unowned", "override", "required", "convenience", "mutating", "nonmutating", "nonisolated", "isolated",
        "dynamic", "optional", "indirect", "prefix", "postfix", "infix", "distributed", "async", "borrowing",
        "consuming", "__consuming", "_const", "_local", "reasync", "sending", "__setter_access",
    ]

    private static let keywords: Set<String> = [
        "var", "let", "func", "init", "deinit", "subscript", "class", "struct", "enum", "extension", "protocol",
        "typealias", "associatedtype", "import", "operator", "precedencegroup", "case",
    ]

    /// Words that are keywords only before a name.
    private static let softKeywords: Set<String> = ["actor", "macro"]

    /// Whether the word can only begin a declaration: it is reserved, or a modifier before something that is.
    func isDeclarationWord(_ token: Token, depth: Int = 0) -> Bool {
        guard token.kind == .word, depth < 32 else { return false }
        let word = text(token)
        if Lexer.keywords.contains(word) { return true }
        if ["public", "private", "fileprivate", "internal", "static"].contains(word) { return true }
        guard Lexer.modifierWords.contains(word) || Lexer.softKeywords.contains(word) else { return false }
        var copy = self
        copy.move(to: token.end)
        if copy.matches(copy.peek(), "(") { copy.skipGroup() }
        let after = copy.peek()
        if Lexer.softKeywords.contains(word) { return after.kind == .word && !after.startsLine }
        return copy.matches(after, "@") || (after.kind == .word && copy.isDeclarationWord(after, depth: depth + 1))
    }

    /// Whether a line that begins with this token begins a declaration.
    func beginsDeclaration(_ token: Token) -> Bool {
        matches(token, "@") || token.kind == .pound || isDeclarationWord(token)
    }

    mutating func readHead() -> DeclarationHead {
        var head = DeclarationHead(start: peek().start)
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
        guard token.kind == .word, Lexer.modifierWords.contains(text(token)) else { return false }
        guard matches(token, "class") else { return true }
        var copy = self
        copy.move(to: token.end)
        let after = copy.peek()
        return copy.matches(after, "@") || (after.kind == .word && copy.isDeclarationWord(after))
    }

    mutating func readAttribute() -> Attribute {
        let start = peek().start
        var copy = self
        copy.skipAttribute()
        let end = copy.position
        _ = next()
        var name = ""
        while position < end {
            let token = next()
            if matches(token, "("), bytes[end - 1] == Byte.closeParenthesis {
                move(to: end)
                return Attribute(name: name, range: start..<end, arguments: token.end..<(end - 1))
            }
            name += text(token)
        }
        return Attribute(name: name, range: start..<end, arguments: nil)
    }

    private mutating func readModifier() -> Modifier {
        let word = next()
        var modifier = Modifier(name: text(word), argument: nil, range: word.range)
        if matches(peek(), "(") {
            let open = next()
            let argument = peek()
            move(to: open.start)
            skipGroup()
            modifier.argument = text(argument)
            modifier.range = word.start..<position
        }
        return modifier
    }

    /// Reads the first type declaration: head and, when there is a brace, members.
    mutating func readType() -> TypeDeclaration {
        var type = TypeDeclaration()
        let head = readHead()
        type.attributes = head.attributes
        type.modifiers = head.modifiers
        let keyword = next()
        type.keyword = text(keyword)
        type.keywordRange = keyword.range
        let name = next()
        type.name = text(name)
        type.nameRange = name.range
        readGenericsAndInheritance(into: &type)
        guard matches(peek(), "{") else { return type }
        _ = next()
        type.members = readMembers()
        return type
    }

    private mutating func readGenericsAndInheritance(into type: inout TypeDeclaration) {
        var ends: [Int] = []
        while true {
            let token = peek()
            if token.kind == .end || matches(token, "{") { break }
            if matches(token, "<"), type.generics == nil, type.inheritance == nil {
                let start = token.start
                skipAngles()
                type.generics = start..<position
            } else if matches(token, ":"), type.inheritance == nil {
                _ = next()
                type.inheritance = position..<position
            } else {
                if matches(token, "where") { ends.append(token.start) }
                skipGroup()
            }
        }
        if let start = type.inheritance?.lowerBound { type.inheritance = start..<max(start, ends.first ?? position) }
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
