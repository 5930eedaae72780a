public import KernelSQL

// Values without objects. What is done for each row is compiled for the types of the values, in the caller's module.
extension ReadContext {
    /// The values of an attribute of each object that the request finds, in its order. Makes no objects.
    ///
    /// ```swift
    /// let models = try context.values(Request<Car>().filter(\.year > 2010).limit(30), \.model)
    /// let marks = try context.values(Request<Car>(), \.mark, distinct: true)
    /// ```
    /// ```sql
    /// SELECT "model" FROM "Car" WHERE "year" > ? ORDER BY "_id" LIMIT ?
    /// SELECT DISTINCT "mark" FROM "Car" ORDER BY "mark"
    /// ```
    ///
    /// Sees what the unit of work has done, saved or not, like a fetch; takes no notice of `prefetch`. Throws what
    /// ``fetch(_:)`` throws.
    ///
    /// - Parameters:
    ///   - distinct: Each value once. Limit and offset count these. The request can then be sorted by nothing but the
    ///     attributes that are asked for: ``KernelError/invalidRequest(entity:reason:)``.
    @inlinable
    @inline(__always)
    public func values<E: Entity, V: AttributeValue>(
        _ request: Request<E>, _ attribute: KeyPath<E, V>, distinct: Bool = false
    ) throws -> [V] {
        try ValueRows.one { try select(request, [attribute], distinct: distinct, $0) }
    }

    /// The values of several attributes: see ``values(_:_:distinct:)-(_,KeyPath<E,V>,_)``. With `distinct`, each
    /// combination once.
    ///
    /// ```swift
    /// for (model, year, price) in try context.values(Request<Car>().sort(\.price), \.model, \.year, \.price) { … }
    /// ```
    /// ```sql
    /// SELECT "model", "year", "price" FROM "Car" ORDER BY "price", "_id"
    /// ```
    @inlinable
    @inline(__always)
    public func values<E: Entity, A: AttributeValue, B: AttributeValue>(
        _ request: Request<E>, _ first: KeyPath<E, A>, _ second: KeyPath<E, B>, distinct: Bool = false
    ) throws -> [(A, B)] {
        try ValueRows.two { try select(request, [first, second], distinct: distinct, $0) }
    }

    /// The values of three attributes.
    @inlinable
    @inline(__always)
    public func values<E: Entity, A: AttributeValue, B: AttributeValue, C: AttributeValue>(
        _ request: Request<E>, _ first: KeyPath<E, A>, _ second: KeyPath<E, B>, _ third: KeyPath<E, C>,
        distinct: Bool = false
    ) throws -> [(A, B, C)] {
        try ValueRows.three { try select(request, [first, second, third], distinct: distinct, $0) }
    }

    /// The values of four attributes.
    @inlinable
    @inline(__always)
    public func values<
        E: Entity, A: AttributeValue, B: AttributeValue, C: AttributeValue, D: AttributeValue
    >(
        _ request: Request<E>, _ first: KeyPath<E, A>, _ second: KeyPath<E, B>, _ third: KeyPath<E, C>,
        _ fourth: KeyPath<E, D>, distinct: Bool = false
    ) throws -> [(A, B, C, D)] {
        try ValueRows.four { try select(request, [first, second, third, fourth], distinct: distinct, $0) }
    }

    /// The values of five attributes and more. About half as fast as those of fewer.
    // Not a pack from two on: the compiler (6.3) makes no code of its own for the types of a pack, which doubles the
    // time of a row. And not to be inlined: what its optimizer makes of a pack in a closure then crashes.
    @inline(never)
    public func values<
        E: Entity, A: AttributeValue, B: AttributeValue, C: AttributeValue, D: AttributeValue, F: AttributeValue,
        each Other: AttributeValue
    >(
        _ request: Request<E>, _ first: KeyPath<E, A>, _ second: KeyPath<E, B>, _ third: KeyPath<E, C>,
        _ fourth: KeyPath<E, D>, _ fifth: KeyPath<E, F>, _ others: repeat KeyPath<E, each Other>,
        distinct: Bool = false
    ) throws -> [(A, B, C, D, F, repeat each Other)] {
        var attributes: [PartialKeyPath<E>] = [first, second, third, fourth, fifth]
        for other in repeat each others { attributes.append(other) }
        var result: [(A, B, C, D, F, repeat each Other)] = []
        try select(request, attributes, distinct: distinct) { row in
            var place = 4
            func next<V: AttributeValue>(_ type: V.Type) throws -> V {
                place += 1
                return try row.value(place)
            }
            result.append(
                (
                    try row.value(0), try row.value(1), try row.value(2), try row.value(3), try row.value(4),
                    repeat try next((each Other).self)
                ))
        }
        return result
    }

    /// The ids of the objects that a to-one relationship leads to, nil where it leads nowhere. Loads none of them.
    ///
    /// ```swift
    /// let owners = try context.values(Request<Car>(), \.owner, distinct: true)
    /// ```
    /// ```sql
    /// SELECT DISTINCT "owner" FROM "Car" ORDER BY "owner"
    /// ```
    public func values<E: Entity, T: Entity>(
        _ request: Request<E>, _ relationship: KeyPath<E, T?>, distinct: Bool = false
    ) throws -> [ObjectID?] {
        let name = T.entity.name
        var result: [ObjectID?] = []
        try select(request, [relationship], distinct: distinct) { row in
            result.append(row.isNull(0) ? nil : ObjectID(entityName: name, row: try row.integer(0)))
        }
        return result
    }

    /// The same for a relationship that is never nil.
    public func values<E: Entity, T: Entity>(
        _ request: Request<E>, _ relationship: KeyPath<E, T>, distinct: Bool = false
    ) throws -> [ObjectID] {
        let name = T.entity.name
        var result: [ObjectID] = []
        try select(request, [relationship], distinct: distinct) { row in
            result.append(ObjectID(entityName: name, row: try row.integer(0)))
        }
        return result
    }

    public func select<E: Entity>(
        _ request: Request<E>, _ attributes: [PartialKeyPath<E>], distinct: Bool, _ body: (Row) throws -> Void
    ) throws {
        throw KernelError.invalidRequest(
            entity: E.entity.name, reason: "\(type(of: self)) makes objects only and reads no values of them")
    }
}

/// What `values` does for each row. Apart from the contexts, because code that may see an `any ReadContext`'s own type
/// is not compiled for the types of the values: a row then costs twice as much.
@usableFromInline
enum ValueRows {
    @usableFromInline typealias Run = ((Row) throws -> Void) throws -> Void

    @inlinable
    static func one<A: AttributeValue>(_ run: Run) throws -> [A] {
        var result: [A] = []
        try run { row in result.append(try row.value(0)) }
        return result
    }

    @inlinable
    static func two<A: AttributeValue, B: AttributeValue>(_ run: Run) throws -> [(A, B)] {
        var result: [(A, B)] = []
        try run { row in result.append((try row.value(0), try row.value(1))) }
        return result
    }

    @inlinable
    static func three<A: AttributeValue, B: AttributeValue, C: AttributeValue>(_ run: Run) throws -> [(A, B, C)] {
        var result: [(A, B, C)] = []
        try run { row in result.append((try row.value(0), try row.value(1), try row.value(2))) }
        return result
    }

    @inlinable
    static func four<A: AttributeValue, B: AttributeValue, C: AttributeValue, D: AttributeValue>(_ run: Run) throws
        -> [(A, B, C, D)]
    {
        var result: [(A, B, C, D)] = []
        try run { row in result.append((try row.value(0), try row.value(1), try row.value(2), try row.value(3))) }
        return result
    }
}
