/// One FROM of a statement: a table, what is joined to it, and how their columns are called.
///
/// Tables are joined as their columns are asked for, each way through relationships once. A join never adds rows: it
/// is on the id of the other row, or on a key that is unique. Nor does it take any away: it is a LEFT JOIN unless the
/// condition holds for no row without the other one.
final class TableScope {
    let entity: EntityDescription
    /// The quoted name of the table, as columns use it.
    let alias: String
    /// Whether columns need the table's name in front of them.
    private let isQualified: Bool
    /// What the aliases of joined tables begin with.
    private let prefix: String
    let names: AliasNames
    /// What leads somewhere for all rows that are found.
    private let required: [[Int]]
    /// The ways that are joined, and the quoted alias of the table that each leads to.
    private var ways: [[Int]] = []
    private var aliases: [String] = []
    private var innerJoins = ""
    private var leftJoins = ""

    /// The table that the statement is about, of which rows are found that satisfy the condition.
    init(_ entity: EntityDescription, isQualified: Bool, where condition: QueryPredicate?) {
        self.entity = entity
        required = condition?.requiredWays(in: entity) ?? []
        self.isQualified = isQualified
        names = AliasNames(weight: condition?.weight ?? 0)
        alias = names.take(entity.name)
        prefix = ""
    }

    /// The table of a sub-query.
    init(_ entity: EntityDescription, inside outer: TableScope, where condition: QueryPredicate?) {
        self.entity = entity
        required = condition?.requiredWays(in: entity) ?? []
        isQualified = true
        names = outer.names
        let name = names.next()
        alias = names.take(name)
        prefix = name + "."
    }

    var hasJoins: Bool { !ways.isEmpty }

    /// SQLite joins 64 tables; the request's own, and one of pairs, are among them.
    static let mostJoins = 60

    /// The joins, as they follow the table's name. SQLite keeps the order of LEFT JOINs, so they come last.
    var joinClause: String { innerJoins + leftJoins }

    /// The column of an attribute. The key of a to-one relationship is the id of the object at its other end, also
    /// where the key itself stands in the other table.
    func column(_ hops: [Int], _ position: Int) -> String {
        let owner = entity.entity(through: hops)
        if let relationship = owner.attributes[position].relationship { return id(hops + [relationship]) }
        return table(hops) + owner.attributes[position].name.sqlIdentifier
    }

    /// The id of the row that hops lead to. `forOthers` is for use in a sub-query, where a bare name would be taken for
    /// a column of its own.
    func id(_ hops: [Int], forOthers: Bool = false) -> String {
        guard let last = hops.last else { return table([], forOthers) + QueryCompiler.idColumn }
        let way = Array(hops.dropLast())
        let owner = entity.entity(through: way)
        // The key tells the id without the row that it names.
        if case .key(let attribute) = owner.links.relationships[last].storage {
            return table(way, forOthers) + owner.attributes[attribute].name.sqlIdentifier
        }
        return table(hops) + QueryCompiler.idColumn
    }

    /// What stands before a column of the table that hops lead to.
    private func table(_ hops: [Int], _ forOthers: Bool = false) -> String {
        if hops.isEmpty { return isQualified || forOthers ? alias + "." : "" }
        return join(hops) + "."
    }

    /// The alias of the table that hops lead to, which is joined if it is not yet.
    private func join(_ hops: [Int]) -> String {
        if let known = ways.firstIndex(of: hops) { return aliases[known] }
        let way = Array(hops.dropLast())
        let link = entity.entity(through: way).links.relationships[hops[hops.count - 1]]
        // The other table's joins come first, so that ON names only what stands before it.
        let from = way.isEmpty ? alias : join(way)
        if ways.count == TableScope.mostJoins {
            names.hasTooManyJoins = true
            return alias
        }
        let joined = names.take(prefix + entity.relationshipNames(hops).joined(separator: "."))
        let condition =
            switch link.storage {
            case .key(let attribute):
                "\(joined).\(QueryCompiler.idColumn) = "
                    + "\(from).\(entity.entity(through: way).attributes[attribute].name.sqlIdentifier)"
            case .inverseKey(let attribute, _):
                "\(joined).\(link.target.attributes[attribute].name.sqlIdentifier) = \(from).\(QueryCompiler.idColumn)"
            case .join:
                // A to-one relationship has a key at one of its ends; were it not so, nothing must be found.
                "0"
            }
        let text = "JOIN \(link.target.name.sqlIdentifier) AS \(joined) ON \(condition)"
        if required.contains(hops) { innerJoins += " " + text } else { leftJoins += " LEFT " + text }
        ways.append(hops)
        aliases.append(joined)
        return joined
    }
}

/// What the tables of one statement share: it hands out their names. No two are alike in all of the statement, so that a
/// sub-query hides no table of the statement around it, whatever entities and relationships are called.
final class AliasNames {
    private var taken: Set<String> = []
    private var subqueries = 0
    /// How the statement writes a value.
    let parameter: String
    /// Whether a condition, or a sort, leads through more relationships than SQLite can join.
    var hasTooManyJoins = false

    /// `weight` is the number of the statement's conditions.
    init(weight: Int) {
        // SQLite looks for each constant among all that it has met before, which takes the square of their number. What
        // `k_value` gives is none.
        parameter = weight > AliasNames.many ? "k_value(?)" : "?"
    }

    /// From how many conditions on the search for constants costs more than a call for each row.
    private static let many = 2_000

    /// The quoted name, with underscores behind it if it is taken.
    func take(_ wish: String) -> String {
        var name = wish
        // SQLite makes no difference between a–z and A–Z here.
        while !taken.insert(name.lowercased()).inserted { name += "_" }
        return name.sqlIdentifier
    }

    /// The name of the next sub-query's table.
    func next() -> String {
        subqueries += 1
        return "t\(subqueries)"
    }
}
