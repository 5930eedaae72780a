/// A type as its spelling shows it, as far as a relationship has to know: comments, blanks and parentheses are gone,
/// `Optional<T>` is `T?` and `Array<T>` is `[T]`.
final class SpelledType {
    enum Kind {
        /// `Person`, `Garage.Person`.
        case name
        case optional, array, set, dictionary, tuple, function, existential
        /// Anything else: `Box<Person>`, `Person.Type`, `A & B`.
        case other
    }

    let kind: Kind
    var range: Range<Int>
    /// What is optional, or an array's or a set's element.
    let inner: SpelledType?
    /// The name, or the one under optionals, arrays and sets.
    let name: String?

    init(_ kind: Kind, _ range: Range<Int>, of inner: SpelledType? = nil, name: String? = nil) {
        self.kind = kind
        self.range = range
        self.inner = inner
        self.name = name ?? inner?.name
    }
}

extension Lexer {
    /// Reads the type that is written in a range.
    func spelledType(_ range: Range<Int>, depth: Int = 0) -> SpelledType {
        var lexer = self
        lexer.move(to: range.lowerBound)
        let start = lexer.peek().start
        return lexer.readSpelledType(start..<max(start, range.upperBound), depth: depth)
    }

    private mutating func readSpelledType(_ range: Range<Int>, depth: Int) -> SpelledType {
        var shape = TypeShape.plain
        var whole = self
        guard depth < 16, whole.skipType(&shape), whole.peek().start >= range.upperBound else {
            return SpelledType(.other, range)
        }
        switch shape {
        case .tuple: return SpelledType(.tuple, range)
        case .function: return SpelledType(.function, range)
        case .existential, .opaque: return SpelledType(.existential, range)
        case .plain, .optional: break
        }
        var type = readSpelledPrimary(range, depth: depth)
        while let mark = optionalMark {
            type = SpelledType(.optional, range, of: type)
            move(to: mark + 1)
        }
        if peek().start >= range.upperBound { return type }
        return SpelledType(isAt("&") ? .existential : .other, range)
    }

    /// Where a `?` or `!` stands that belongs to the type before it.
    private var optionalMark: Int? {
        let token = peek()
        guard token.kind == .symbol, !token.hasSpaceBefore, let mark = byte(token.start), Byte.isOne(mark, of: "?!")
        else { return nil }
        return token.start
    }

    private mutating func readSpelledPrimary(_ range: Range<Int>, depth: Int) -> SpelledType {
        let first = peek()
        guard matches(first, "[ (") else { return readSpelledName(range, depth: depth) }
        skipGroup()
        let inside = first.end..<max(first.end, position - 1)
        if matches(first, "["), hasColon(inside) { return SpelledType(.dictionary, range) }
        let inner = spelledType(inside, depth: depth + 1)
        if matches(first, "[") { return SpelledType(.array, range, of: inner) }
        inner.range = range
        return inner
    }

    private func hasColon(_ range: Range<Int>) -> Bool {
        var lexer = self
        lexer.move(to: range.lowerBound)
        while lexer.peek().start < range.upperBound {
            if lexer.isAt(":") { return true }
            lexer.skipGroup()
        }
        return false
    }

    /// `Garage.Person`, `Swift.Array<Person>`.
    private mutating func readSpelledName(_ range: Range<Int>, depth: Int) -> SpelledType {
        var name = ""
        repeat {
            let word = next()
            guard word.kind == .word || word.kind == .quotedWord else { return SpelledType(.other, range) }
            name += name.isEmpty ? text(word) : "." + text(word)
        } while take(".")
        let open = peek().start
        skipGenericArguments()
        if position <= open {
            let isMetatype = name.hasSuffix(".Type") || name.hasSuffix(".Protocol")
            return isMetatype ? SpelledType(.other, range) : SpelledType(.name, range, name: name)
        }
        if isAt(".") { return SpelledType(.other, range) }
        let inside = open + 1..<max(open + 1, position - 1)
        switch name.without(prefix: "Swift.") ?? name {
        case "Optional": return SpelledType(.optional, range, of: spelledType(inside, depth: depth + 1))
        case "Array": return SpelledType(.array, range, of: spelledType(inside, depth: depth + 1))
        case "Set": return SpelledType(.set, range, of: spelledType(inside, depth: depth + 1))
        case "Dictionary": return SpelledType(.dictionary, range)
        default: return SpelledType(.other, range)
        }
    }
}
