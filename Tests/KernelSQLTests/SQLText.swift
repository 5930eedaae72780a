import Foundation
import KernelSQL

/// An entity for tests of the query tree, without a class that behaves.
final class Part {
    var name = ""
    var maker: String?
    var count = 0
    var weight = 0.0
    var price: Decimal = 0
    var tags: [String] = []
}

let part = EntityDescription(Part.self, name: "Part") { entity in
    entity.attribute("name", \Part.name, .primaryKey)
    entity.attribute("maker", \Part.maker)
    entity.attribute("count", \Part.count)
    entity.attribute("weight", \Part.weight)
    entity.attribute("price", \Part.price)
    entity.attribute("tags", \Part.tags)
}

/// The attributes of `part`, by position.
enum At {
    static let name = AttributePath(0)
    static let maker = AttributePath(1)
    static let count = AttributePath(2)
    static let price = AttributePath(4)
}

/// The condition as `count` renders it, without what stands before it.
func condition(_ predicate: QueryPredicate) -> String {
    let sql = QueryCompiler.sql(Query(entity: part, predicate: predicate), .count)
    return String(sql.dropFirst("SELECT count(*) FROM \"Part\" WHERE ".count))
}

func arguments(_ predicate: QueryPredicate) -> [QueryArgument] { Query(entity: part, predicate: predicate).arguments }

extension Query {
    /// What is bound, in order.
    var arguments: [QueryArgument] {
        var found: [QueryArgument] = []
        eachArgument { found.append($0) }
        return found
    }
}

func countEquals(_ number: Int) -> QueryPredicate { .compare(At.count, .equal, .integer(Int64(number)), .exact) }
