import KernelSQL
import Testing

@Suite("Conditions of many terms")
struct ManyTermsTests {
    /// How many parentheses are open at once at most. SQLite 3.40 parses about 30.
    private func depth(_ sql: String) -> Int {
        var open = 0
        var most = 0
        for byte in sql.utf8 {
            if byte == UInt8(ascii: "(") { open += 1 }
            if byte == UInt8(ascii: ")") { open -= 1 }
            most = max(most, open)
        }
        return most
    }

    @Test("1,000 terms are written flat by 32, in order")
    func thousand() {
        let terms = (0..<1_000).map(countEquals)
        let joined = terms.dropFirst().reduce(terms[0]) { $0.or($1) }
        let sql = condition(joined)
        #expect(depth(sql) == 1)
        #expect(sql.filter { $0 == "?" }.count == 1_000)
        #expect(arguments(joined) == (0..<1_000).map { .value(.integer($0)) })
        let longestRun = sql.split(whereSeparator: { "()".contains($0) }).map { $0.filter { $0 == "?" }.count }.max()
        #expect(longestRun == 32)
    }

    @Test("the text does not depend on how the terms were put together")
    func association() {
        let terms = (0..<100).map(countEquals)
        func split(_ range: Range<Int>) -> QueryPredicate {
            if range.count == 1 { return terms[range.lowerBound] }
            let middle = range.lowerBound + range.count / 3
            return split(range.lowerBound..<max(middle, range.lowerBound + 1))
                .and(split(max(middle, range.lowerBound + 1)..<range.upperBound))
        }
        let fromLeft = terms.dropFirst().reduce(terms[0]) { $0.and($1) }
        let fromRight = terms.dropLast().reversed().reduce(terms[99]) { $1.and($0) }
        for other in [fromRight, split(0..<100)] {
            #expect(condition(other) == condition(fromLeft))
            #expect(arguments(other) == arguments(fromLeft))
        }
    }

    @Test("100,000 terms built one by one, from either end", .timeLimit(.minutes(1)))
    func hundredThousand() {
        let terms = (0..<100_000).map(countEquals)
        for joined in [
            terms.dropFirst().reduce(terms[0]) { $0.or($1) },
            terms.dropLast().reversed().reduce(terms[99_999]) { $1.or($0) },
        ] {
            #expect(arguments(joined).count == 100_000)
            #expect(arguments(joined).last == .value(.integer(99_999)))
            // Three of groups, one around what the planner need not look at, one for what makes a value no constant.
            #expect(depth(condition(joined)) == 5)
        }
    }

    @Test("terms of alternating kinds nest as far as SQLite can parse, and then fail with words")
    func nesting() {
        var nested = countEquals(0)
        for level in 1...16 {
            nested = level.isMultiple(of: 2) ? nested.and(countEquals(level)) : nested.or(countEquals(level))
        }
        #expect(nested.failure == nil)
        #expect(depth(condition(nested)) <= QueryPredicate.deepest)
        for level in 17...100_000 {
            nested = level.isMultiple(of: 2) ? nested.and(countEquals(level)) : nested.or(countEquals(level))
        }
        guard case .invalid(let reason) = nested.failure else {
            Issue.record("nested without end")
            return
        }
        #expect(reason.contains("nested"))
    }

    @Test("negations count as levels, too")
    func negations() {
        var nested = countEquals(0)
        for level in 1...40 { nested = nested.or(countEquals(level)).negated }
        #expect(nested.failure != nil)
    }

    @Test("a failure rises to the root of whatever holds it")
    func failure() {
        let failure = QueryPredicate.failure(.unknownAttribute("x"))
        let other = countEquals(1)
        for predicate in [
            failure.and(other), other.and(failure), failure.negated, other.or(other.and(failure)).negated,
        ] {
            #expect(predicate.failure == .unknownAttribute("x"))
        }
    }
}
