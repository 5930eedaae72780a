package import KernelSQL

/// What to fetch, count or remove: objects of one entity, filtered, sorted, and limited.
///
/// A request is a value. Each call gives a new one, so a common part can be kept and refined:
///
/// ```swift
/// static let old = Request<Car>().filter(\.year < 1980)
/// let page = try context.fetch(old.filter("mark", equalTo: "Honda").sort(\.model).limit(30).offset(60))
/// ```
/// ```sql
/// SELECT "_id", "model", "mark", "year" FROM "Car" WHERE "year" < ? AND "mark" = ?
/// ORDER BY "model", "_id" LIMIT ? OFFSET ?
/// ```
///
/// Building one never throws and costs well under a microsecond. What is wrong with it (a misspelt attribute, a
/// value of the wrong kind) is thrown by the call that uses it.
public struct Request<E: Entity>: Sendable {
    /// What is asked, not checked yet. Not generic, so that a request is copied without looking its type up.
    package var query: Query
    /// Relationships to load with the objects, each as the indexes of the steps from the entity on. No list is the
    /// beginning of another.
    package var prefetches: [[Int]] = []
    /// The first thing that is wrong with a sort or a limit. A filter's failure is its predicate.
    var failure: QueryFailure?

    /// All objects of the entity.
    public init() { query = Query(entity: E.entity) }

    /// At most `count` objects. The last call counts. A negative number is an error when the request is used.
    public consuming func limit(_ count: Int) -> Request {
        query.limit = count
        return self
    }

    /// Without the first `count` objects. The last call counts. A negative number is an error when the request is
    /// used.
    public consuming func offset(_ count: Int) -> Request {
        query.offset = count
        return self
    }

    /// The same with at most `count` objects, or fewer if its own limit is lower.
    package func narrowed(to count: Int) -> Request {
        var request = self
        request.query.limit = query.limit.map { $0 < 0 ? $0 : min($0, count) } ?? count
        return request
    }
}

extension Request {
    /// Checks the request against the model. Throws ``KernelError/unknownAttribute(entity:name:suggestion:)`` or
    /// ``KernelError/invalidRequest(entity:reason:)``.
    package func check() throws { try query.check(failure) }

    /// The request, checked.
    package func checked() throws -> Query {
        try check()
        return query
    }
}

extension Query {
    /// Not generic, so that it costs nothing when there is nothing wrong.
    func check(_ failure: QueryFailure?) throws {
        if let failure = predicate?.failure ?? failure { throw failure.error(in: entity) }
        if let limit, limit < 0 { throw QueryFailure.invalid("its limit is negative").error(in: entity) }
        if let offset, offset < 0 { throw QueryFailure.invalid("its offset is negative").error(in: entity) }
    }
}
