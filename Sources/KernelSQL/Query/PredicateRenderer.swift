/// Writes conditions as SQL. Values are `?` throughout; ``Query/eachArgument(_:)`` gives them in the same order.
struct PredicateRenderer {
    let scope: TableScope

    init(_ scope: TableScope) { self.scope = scope }

    /// A value.
    private var parameter: String { scope.names.parameter }

    /// The condition as it stands alone, without parentheses around the whole.
    func condition(_ predicate: QueryPredicate) -> String {
        switch predicate {
        case .compare(let path, let comparison, let value, let comparing):
            compare(path, comparison, value, comparing)
        case .between(let path, _, _, let comparing):
            "\(ordered(path, comparing)) BETWEEN \(orderedValue(path, comparing)) AND \(orderedValue(path, comparing))"
        case .oneOf(let path, let values, let comparing):
            oneOf(path, OneOf(values), comparing)
        case .match(let path, let match, _, let comparing):
            text(path, match, comparing)
        case .sameValue(let left, let right):
            "\(column(left)) IS \(column(right))"
        case .any(let path, let inner):
            exists(path, inner)
        case .not(.any(let path, let inner)):
            "NOT " + exists(path, inner)
        case .not(let inner):
            // NOT would give NULL for NULL and lose the rows whose attribute is nil.
            "(\(condition(inner))) IS NOT TRUE"
        case .junction(let junction):
            terms(junction)
        case .failure:
            // A query is made from requests without failures only; were one to come here, it must find nothing.
            "0"
        }
    }

    /// An attribute as sorts and `<` see it.
    func ordered(_ path: AttributePath, _ comparing: TextComparison) -> String {
        if comparing == .insensitive { return "k_fold(\(column(path)))" }
        return isDecimal(path) ? "k_decimal(\(column(path)))" : column(path)
    }

    private func orderedValue(_ path: AttributePath, _ comparing: TextComparison) -> String {
        if comparing == .insensitive { return "k_fold(\(parameter))" }
        return isDecimal(path) ? "k_decimal(\(parameter))" : parameter
    }

    /// The value as it stands in the store.
    func column(_ path: AttributePath) -> String {
        switch path.leaf {
        case .attribute: scope.column(path.hops, path.position)
        case .id: scope.id(path.hops)
        case .count: count(path)
        }
    }

    private func isDecimal(_ path: AttributePath) -> Bool {
        path.leaf == .attribute
            && scope.entity.entity(through: path.hops).attributes[path.position].storageClass == .decimal
    }
}

extension PredicateRenderer {
    private func compare(
        _ path: AttributePath, _ comparison: Comparison, _ value: StoredValue, _ comparing: TextComparison
    ) -> String {
        if value.isNull { return column(path) + (comparison == .notEqual ? " IS NOT NULL" : " IS NULL") }
        let left = comparison.isOrdering || comparing == .insensitive ? ordered(path, comparing) : column(path)
        let right = comparison.isOrdering || comparing == .insensitive ? orderedValue(path, comparing) : parameter
        return "\(left) \(comparison.sqlOperator) \(right)"
    }

    private func oneOf(_ path: AttributePath, _ form: OneOf, _ comparing: TextComparison) -> String {
        let folded = comparing == .insensitive
        let left = folded ? "k_fold(\(column(path)))" : column(path)
        let parameter = folded ? "k_fold(\(parameter))" : parameter
        let found: String? =
            switch form.places {
            case .none: nil
            case .some(let count): "\(left) IN (\(Array(repeating: parameter, count: count).joined(separator: ", ")))"
            case .list: "\(left) IN (SELECT \(folded ? "k_fold(value)" : "value") FROM kernel_values(?))"
            }
        guard form.hasNull else { return found ?? "0" }
        return found.map { "(\(column(path)) IS NULL OR \($0))" } ?? "\(column(path)) IS NULL"
    }

    /// `instr` and the k_ functions take `%` and `_` in the value for letters; SQLite's LIKE would also end at a NUL. The
    /// lower bound of `beginsWith` lets an index find where to begin.
    private func text(_ path: AttributePath, _ match: TextMatch, _ comparing: TextComparison) -> String {
        let folded = comparing == .insensitive
        let left = folded ? "k_fold(\(column(path)))" : column(path)
        let value = folded ? "k_fold(\(parameter))" : parameter
        return switch match {
        case .contains: "instr(\(left), \(value)) > 0"
        case .beginsWith:
            folded ? "k_begins(\(left), \(value))" : "(\(left) >= \(value) AND k_begins(\(left), \(value)))"
        case .endsWith: "k_ends(\(left), \(value))"
        case .like: "k_like(\(left), \(value))"
        }
    }

    private func terms(_ junction: Junction) -> String {
        var parts: [String] = []
        parts.reserveCapacity(junction.count)
        junction.forEachTerm { parts.append(term($0)) }
        let separator = junction.kind == .and ? " AND " : " OR "
        let planned = junction.kind == .and ? Junction.plannedAnds : Junction.plannedOrs
        if parts.count <= planned { return grouped(parts, separator) }
        // In parentheses SQLite's planner does not look at them.
        if junction.kind == .or { return "(\(grouped(parts, separator))) IS TRUE" }
        let rest = grouped(Array(parts[planned...]), separator)
        return "\(grouped(Array(parts[..<planned]), separator)) AND (\(rest)) IS TRUE"
    }

    /// The terms by ``Junction/fanOut`` beside one another, and these groups again.
    private func grouped(_ terms: [String], _ separator: String) -> String {
        var parts = terms
        while parts.count > Junction.fanOut {
            var groups: [String] = []
            var rest = parts[...]
            while let first = rest.first {
                let group = rest.prefix(Junction.fanOut)
                groups.append(group.count == 1 ? first : "(" + group.joined(separator: separator) + ")")
                rest = rest.dropFirst(Junction.fanOut)
            }
            parts = groups
        }
        return parts.joined(separator: separator)
    }

    /// The condition as it stands beside others.
    func term(_ predicate: QueryPredicate) -> String {
        if case .junction = predicate { return "(\(condition(predicate)))" }
        return condition(predicate)
    }
}

extension Comparison {
    fileprivate var sqlOperator: String {
        switch self {
        case .equal: "="
        // Unlike <>, keeps the rows whose attribute is nil.
        case .notEqual: "IS NOT"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}

/// How a `oneOf` is spelt: up to three values one by one, so that an index is used as for `=`; more as one list,
/// so that their number is no part of the SQL. nil needs a test of its own, since IN never finds it.
struct OneOf {
    enum Places: Equatable {
        case none
        case some(Int)
        case list
    }

    let places: Places
    let hasNull: Bool

    init(_ values: [StoredValue]) {
        var nulls = 0
        for value in values where value.isNull { nulls += 1 }
        hasNull = nulls > 0
        switch values.count - nulls {
        case 0: places = .none
        case 1...3: places = .some(values.count - nulls)
        default: places = .list
        }
    }
}
