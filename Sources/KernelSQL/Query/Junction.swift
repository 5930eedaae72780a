/// Conditions joined by AND, or by OR. The terms of one junction form a height-balanced binary tree: joining two
/// costs the difference of their heights, whichever side grows, and 100,000 terms are some 20 levels deep. An
/// array would be copied at each step of a `reduce`; a chain of pairs would overflow the stack when it is freed.
package final class Junction: Sendable {
    package enum Kind: Sendable { case and, or }

    let kind: Kind
    let left: QueryPredicate
    let right: QueryPredicate
    /// Levels of this junction's own tree.
    private let height: Int
    /// The depth of the deepest term.
    private let termDepth: Int
    /// The number of terms.
    let count: Int
    /// The number of conditions, those inside terms included.
    let weight: Int

    private init(_ kind: Kind, _ left: QueryPredicate, _ right: QueryPredicate) {
        self.kind = kind
        self.left = left
        self.right = right
        let (inLeft, inRight) = (Junction.same(kind, left), Junction.same(kind, right))
        height = max(inLeft?.height ?? 0, inRight?.height ?? 0) + 1
        termDepth = max(inLeft?.termDepth ?? left.depth, inRight?.termDepth ?? right.depth)
        count = (inLeft?.count ?? 1) + (inRight?.count ?? 1)
        weight = left.weight + right.weight
    }

    /// How many parentheses are open at once when this is rendered: see ``fanOut``.
    var depth: Int {
        var levels = 1
        var reach = Junction.fanOut
        while reach < count {
            levels += 1
            reach *= Junction.fanOut
        }
        // What is beyond the planner stands in parentheses of its own: see ``PredicateRenderer``.
        return termDepth + levels + (count > Junction.plannedAnds ? 1 : 0)
    }

    /// How many terms are written beside each other before they are put into groups. SQLite parses at most 100
    /// tokens deep (each open parenthesis takes up to three) and computes at most 1,000 operators deep (each
    /// term beside another is one): with 32, junctions of a million terms keep far from both.
    static let fanOut = 32

    /// How many terms SQLite may look through for an index: it takes the square of their number, and has a limit.
    static let plannedAnds = 1_024
    static let plannedOrs = 4_096

    /// All terms of `left`, then all of `right`. A failure in either is the result.
    static func join(_ kind: Kind, _ left: QueryPredicate, _ right: QueryPredicate) -> QueryPredicate {
        if case .failure = left { return left }
        if case .failure = right { return right }
        if left.weight + right.weight > QueryPredicate.most { return .failure(.tooMany) }
        let joined = balanced(kind, left, right)
        return joined.depth <= QueryPredicate.deepest ? .junction(joined) : .failure(.tooDeep)
    }

    /// Calls `body` with each term, from left to right.
    func forEachTerm(_ body: (QueryPredicate) -> Void) {
        if let inner = Junction.same(kind, left) { inner.forEachTerm(body) } else { body(left) }
        if let inner = Junction.same(kind, right) { inner.forEachTerm(body) } else { body(right) }
    }
}

// The balance is that of an AVL tree whose terms are its leaves.
extension Junction {
    private static func same(_ kind: Kind, _ predicate: QueryPredicate) -> Junction? {
        if case .junction(let junction) = predicate, junction.kind == kind { junction } else { nil }
    }

    private static func height(_ kind: Kind, _ predicate: QueryPredicate) -> Int { same(kind, predicate)?.height ?? 0 }

    private static func balanced(_ kind: Kind, _ left: QueryPredicate, _ right: QueryPredicate) -> Junction {
        let (inLeft, inRight) = (same(kind, left), same(kind, right))
        let difference = (inLeft?.height ?? 0) - (inRight?.height ?? 0)
        if difference > 1, let tall = inLeft {
            return rightHeavy(kind, tall.left, balanced(kind, tall.right, right))
        }
        if difference < -1, let tall = inRight {
            return leftHeavy(kind, balanced(kind, left, tall.left), tall.right)
        }
        return Junction(kind, left, right)
    }

    /// A pair whose right side may be two levels taller than its left.
    private static func rightHeavy(_ kind: Kind, _ left: QueryPredicate, _ right: Junction) -> Junction {
        if right.height <= height(kind, left) + 1 { return Junction(kind, left, .junction(right)) }
        if let inner = same(kind, right.left), inner.height > height(kind, right.right) {
            return Junction(
                kind, .junction(Junction(kind, left, inner.left)),
                .junction(Junction(kind, inner.right, right.right)))
        }
        return Junction(kind, .junction(Junction(kind, left, right.left)), right.right)
    }

    /// A pair whose left side may be two levels taller than its right.
    private static func leftHeavy(_ kind: Kind, _ left: Junction, _ right: QueryPredicate) -> Junction {
        if left.height <= height(kind, right) + 1 { return Junction(kind, .junction(left), right) }
        if let inner = same(kind, left.right), inner.height > height(kind, left.left) {
            return Junction(
                kind, .junction(Junction(kind, left.left, inner.left)),
                .junction(Junction(kind, inner.right, right)))
        }
        return Junction(kind, left.left, .junction(Junction(kind, left.right, right)))
    }
}
