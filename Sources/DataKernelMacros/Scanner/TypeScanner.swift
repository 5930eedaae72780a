/// What can be seen of a type without a type checker.
enum TypeShape {
    /// A name, an array, a dictionary: something that may be an attribute's type.
    case plain
    /// `T?` or `T!`, which begin as nil without an initial value.
    case optional
    case tuple
    case function
    /// `any P`, `Any`, `AnyObject`.
    case existential
    /// `some P`.
    case opaque
}

extension Lexer {
    /// Goes over a type; false, without going anywhere, when there is none. `shape` is what it looks like at its
    /// outermost, optionals and parentheses taken off.
    @inline(never)
    mutating func skipType(_ shape: inout TypeShape, depth: Int = 0) -> Bool {
        guard depth < 64 else { return false }
        var copy = self
        guard copy.skipTypeTerm(&shape, depth: depth) else { return false }
        var ignored = TypeShape.plain
        while copy.take("&"), copy.skipTypeTerm(&ignored, depth: depth) {}
        self = copy
        return true
    }

    private mutating func skipTypeTerm(_ shape: inout TypeShape, depth: Int) -> Bool {
        var forced: TypeShape?
        while true {
            let token = peek()
            if matches(token, "@") {
                skipAttribute()
            } else if token.kind == .word, let prefix = typePrefix(token) {
                next()
                forced = forced ?? prefix.shape
                if prefix.takesArgument, isAt("(") { skipGroup() }
            } else if token.kind == .symbol, byte(token.start) == UInt8(ascii: "~") {
                move(to: token.start + 1)
            } else {
                break
            }
        }
        guard skipTypePrimary(&shape, depth: depth) else { return false }
        if let forced, shape != .optional { shape = forced }
        if forced == .existential || forced == .opaque { shape = forced ?? shape }
        skipTypeSuffixes(&shape)
        skipFunctionResult(&shape, depth: depth)
        return true
    }

    private func typePrefix(_ token: Token) -> (shape: TypeShape?, takesArgument: Bool)? {
        if matches(token, "any") { return isPrefixWord(token) ? (.existential, false) : nil }
        if matches(token, "some") { return isPrefixWord(token) ? (.opaque, false) : nil }
        if matches(token, "nonisolated") { return (nil, true) }
        let isPrefix = matches(
            token, "inout borrowing consuming sending isolated __owned __shared each repeat _const")
        return isPrefix && isPrefixWord(token) ? (nil, false) : nil
    }

    /// Whether a word that may be a name is followed by the type it says something about.
    private func isPrefixWord(_ token: Token) -> Bool {
        var copy = self
        copy.move(to: token.end)
        let after = copy.next()
        if after.startsLine { return false }
        return after.kind == .word || after.kind == .quotedWord || matches(after, "( [ @")
            || (after.kind == .symbol && byte(after.start) == UInt8(ascii: "~"))
    }

    private mutating func skipTypePrimary(_ shape: inout TypeShape, depth: Int) -> Bool {
        let token = peek()
        switch token.kind {
        case .word, .quotedWord:
            next()
            shape = matches(token, "Any AnyObject") ? .existential : .plain
            skipGenericArguments(depth: depth)
            return true
        case .number:
            next()
            shape = .plain
            return true
        case .symbol where matches(token, "-"):
            next()
            return skipTypePrimary(&shape, depth: depth + 1)
        case .mark where matches(token, "["):
            skipGroup()
            shape = .plain
            return true
        case .mark where matches(token, "("):
            shape = parenthesisedShape(depth: depth)
            skipGroup()
            return true
        default: return false
        }
    }

    /// `(T)` is T; with a comma, a label or nothing inside it is a tuple.
    private func parenthesisedShape(depth: Int) -> TypeShape {
        var copy = self
        copy.next()
        var inner = TypeShape.plain
        guard copy.skipType(&inner, depth: depth + 1), copy.isAt(")") else { return .tuple }
        return inner
    }

    /// `<A, B>`. Nothing when what follows `<` is no list of types.
    @inline(never)
    mutating func skipGenericArguments(depth: Int = 0) {
        var copy = self
        let open = copy.peek()
        guard open.kind == .symbol, byte(open.start) == Byte.less, depth < 64 else { return }
        copy.move(to: open.start + 1)
        var ignored = TypeShape.plain
        while true {
            let token = copy.peek()
            if token.kind == .symbol, byte(token.start) == Byte.greater {
                copy.move(to: token.start + 1)
                self = copy
                return
            }
            guard copy.skipType(&ignored, depth: depth + 1) else { return }
            _ = copy.take("...")
            _ = copy.take(",")
        }
    }

    private mutating func skipTypeSuffixes(_ shape: inout TypeShape) {
        while true {
            let token = peek()
            if matches(token, ".") {
                var copy = self
                copy.next()
                let name = copy.next()
                guard name.kind == .word || name.kind == .quotedWord else { return }
                copy.skipGenericArguments()
                self = copy
                shape = .plain
            } else if token.kind == .symbol, !token.hasSpaceBefore, let first = byte(token.start),
                Byte.isOne(first, of: "?!")
            {
                move(to: token.start + 1)
                if shape == .plain { shape = .optional }
            } else {
                return
            }
        }
    }

    /// `async throws(E) -> R` after a parenthesis.
    private mutating func skipFunctionResult(_ shape: inout TypeShape, depth: Int) {
        var copy = self
        while copy.take("async throws rethrows") {
            if copy.isAt("(") { copy.skipGroup() }
        }
        guard copy.take("->") else { return }
        var result = TypeShape.plain
        guard copy.skipType(&result, depth: depth + 1) else { return }
        self = copy
        shape = .function
    }
}
