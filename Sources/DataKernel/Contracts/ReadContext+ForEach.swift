extension ReadContext {
    /// Calls `body` with each object that the request finds, in its order, without having all of them at once.
    ///
    /// ```swift
    /// try context.forEach(Request<Car>().filter(\.year < 1970).sort(\.model)) { car in
    ///     report.add(car.model, car.owner?.name)
    /// }
    /// ```
    /// ```sql
    /// SELECT "_id" FROM "Car" WHERE "year" < ? ORDER BY "model", "_id"
    /// SELECT "_id", "model", "year" FROM "Car" WHERE "_id" IN (…)        -- for each batch
    /// ```
    ///
    /// Which objects, and in which order, is settled before the first: the ids of the rows are read at once, one to four
    /// bytes each, the objects batch by batch. So `body` may do what it likes with the context: change objects, also what
    /// the request filters and sorts by, remove some, save. Objects that it creates are not met; those that are gone
    /// when their turn comes are left out.
    ///
    /// The objects of a batch load their relationships together, and are let go before the next batch unless somebody
    /// else has them. Unsaved changes count as somebody: a body that changes many objects calls `save()` now and then.
    ///
    /// Throws what ``fetch(_:)`` throws, ``KernelError/invalidRequest(entity:reason:)`` for a batch below 1, and what
    /// `body` throws, which ends it.
    ///
    /// - Parameters:
    ///   - batch: How many objects are loaded together.
    public func forEach<E: Entity>(
        _ request: Request<E>, batch: Int = 1000, _ body: (E) throws -> Void
    ) throws {
        guard batch > 0 else {
            throw KernelError.invalidRequest(entity: E.entity.name, reason: "its batch is not above 0")
        }
        try stream(request, batch: batch, body)
    }

    public func stream<E: Entity>(_ request: Request<E>, batch: Int, _ body: (E) throws -> Void) throws {
        for object in try fetch(request) where !object.isDeleted { try body(object) }
    }
}
