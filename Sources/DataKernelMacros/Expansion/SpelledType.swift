/// A type as its spelling shows it, as far as a relationship has to know: comments, blanks and parentheses are gone,
/// `Optional<T>` is `T?` and `Array<T>` is `[T]`.
struct SpelledType: Equatable {
    indirect enum Kind: Equatable {
        /// `Person`, `Garage.Person`.
        case name(String)
        case optional(SpelledType)
        case array(SpelledType)
        case set(SpelledType)
        case dictionary, tuple, function, existential
        /// Anything else: `Box<Person>`, `Person.Type`, `A & B`.
        case other
    }

    var kind: Kind
    var range: Range<Int>

    /// The name under optionals, arrays and sets.
    var innermostName: String? {
        switch kind {
        case .name(let name): name
        case .optional(let inner), .array(let inner), .set(let inner): inner.innermostName
        default: nil
        }
    }
}

extension Lexer {
    /// Reads the type that is written in a range.
    func spelledType(_ range: Range<Int>, depth: Int = 0) -> SpelledType {
        var lexer = self
        lexer.move(to: range.lowerBound)
        let trimmed = lexer.peek().start..<max(lexer.peek().start, range.upperBound)
        guard depth < 16 else { return SpelledType(kind: .other, range: trimmed) }
        return SpelledType(kind: lexer.readSpelledKind(before: range.upperBound, depth: depth), range: trimmed)
    }

    private mutating func readSpelledKind(before end: Int, depth: Int) -> SpelledType.Kind {
        var shape = TypeShape.plain
        var whole = self
        guard whole.skipType(&shape), whole.peek().start >= end else { return .other }
        switch shape {
        case .tuple: return .tuple
        case .function: return .function
        case .existential, .opaque: return .existential
        case .plain, .optional: break
        }
        let start = peek().start
        var kind = readSpelledPrimary(depth: depth)
        while let mark = optionalMark {
            kind = .optional(SpelledType(kind: kind, range: start..<position))
            move(to: mark + 1)
        }
        if peek().start >= end { return kind }
        return byte(peek().start) == UInt8(ascii: "&") ? .existential : .other
    }

    /// Where a `?` or `!` stands that belongs to the type before it.
    private var optionalMark: Int? {
        let token = peek()
        guard token.kind == .symbol, !token.hasSpaceBefore, let mark = byte(token.start),
            mark == UInt8(ascii: "?") || mark == UInt8(ascii: "!")
        else { return nil }
        return token.start
    }

    private mutating func readSpelledPrimary(depth: Int) -> SpelledType.Kind {
        let first = peek()
        guard matches(first, "[") || matches(first, "(") else { return readSpelledName(depth: depth) }
        skipGroup()
        let inner = first.end..<max(first.end, position - 1)
        if matches(first, "(") { return spelledType(inner, depth: depth + 1).kind }
        return hasColon(inner) ? .dictionary : .array(spelledType(inner, depth: depth + 1))
    }

    private func hasColon(_ range: Range<Int>) -> Bool {
        var lexer = self
        lexer.move(to: range.lowerBound)
        while lexer.peek().start < range.upperBound {
            if lexer.matches(lexer.peek(), ":") { return true }
            lexer.skipGroup()
        }
        return false
    }

    /// `Garage.Person`, `Swift.Array<Person>`.
    private mutating func readSpelledName(depth: Int) -> SpelledType.Kind {
        var name = ""
        while true {
            let word = peek()
            guard word.kind == .word || word.kind == .quotedWord else { return .other }
            name += text(next())
            guard matches(peek(), ".") else { break }
            name += text(next())
        }
        let open = peek().start
        skipGenericArguments()
        if position <= open { return name.hasSuffix(".Type") || name.hasSuffix(".Protocol") ? .other : .name(name) }
        guard !matches(peek(), ".") else { return .other }
        let inner = open + 1..<max(open + 1, position - 1)
        switch name.hasPrefix("Swift.") ? String(name.dropFirst("Swift.".count)) : name {
        case "Optional": return .optional(spelledType(inner, depth: depth + 1))
        case "Array": return .array(spelledType(inner, depth: depth + 1))
        case "Set": return .set(spelledType(inner, depth: depth + 1))
        case "Dictionary": return .dictionary
        default: return .other
        }
    }
}
