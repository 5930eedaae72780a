public import KernelSQL

/// Reads objects. In one context a row is one object: fetching it twice gives the same instance.
///
/// A context belongs to the unit of work (or the main actor) that it was given to, and is not Sendable.
public protocol ReadContext {
    /// The objects that the request finds, in its order.
    ///
    /// ```swift
    /// let recent = try context.fetch(Request<Car>().filter(\.year > 2010).sort(\.year, .descending).limit(30))
    /// ```
    /// ```sql
    /// SELECT "_id", "model", "year" FROM "Car" WHERE "year" > ? ORDER BY "year" DESC, "_id" DESC LIMIT ?
    /// ```
    ///
    /// Throws ``KernelError/unknownAttribute(entity:name:suggestion:)``, ``KernelError/invalidRequest(entity:reason:)``
    /// or what the store says.
    func fetch<E: Entity>(_ request: Request<E>) throws -> [E]

    /// The first object that the request finds, or nil.
    func first<E: Entity>(_ request: Request<E>) throws -> E?

    /// How many objects the request finds, its limit and offset included. Loads none of them.
    func count<E: Entity>(_ request: Request<E>) throws -> Int

    /// Whether the request finds anything. Loads nothing.
    func exists<E: Entity>(_ request: Request<E>) throws -> Bool

    /// The object of that id, or nil when the store has no such row. How objects cross from one context to another.
    ///
    /// Runs a statement if the context does not hold the object. For many ids call ``objects(with:as:)``.
    func object<E: Entity>(with id: ObjectID, as type: E.Type) throws -> E?

    /// The objects of these ids, in their order. Ids of rows that are gone are left out; an id that is there twice gives
    /// its object twice. One statement for all that the context does not hold yet, however many there are.
    ///
    /// ```swift
    /// let cars = try context.objects(with: ids, as: Car.self)
    /// ```
    /// ```sql
    /// SELECT "_id", "model", "year" FROM "Car" WHERE "_id" IN (SELECT value FROM kernel_values(?))
    /// ```
    ///
    /// Throws ``KernelError/invalidRequest(entity:reason:)`` for an id of another entity. A context that does not say
    /// how asks for one after another.
    func objects<E: Entity>(with ids: some Sequence<ObjectID>, as type: E.Type) throws -> [E]

    /// Reads the object's row again. Attributes with unsaved edits keep them. An object whose row is gone is marked
    /// deleted.
    func refresh(_ object: some Entity) throws

    /// What ``forEach(_:batch:_:)`` calls. A context that does not say how fetches all objects at once.
    func stream<E: Entity>(_ request: Request<E>, batch: Int, _ body: (E) throws -> Void) throws

    /// What ``values(_:_:distinct:)-(_,KeyPath<E,V>,_)`` and its kin call: `body` is given each row that the request
    /// finds, with the attributes' values at 0, 1 and so on. The row is good until `body` returns. A context that does
    /// not say how throws ``KernelError/invalidRequest(entity:reason:)``.
    func select<E: Entity>(
        _ request: Request<E>, _ attributes: [PartialKeyPath<E>], distinct: Bool, _ body: (Row) throws -> Void
    ) throws
}

extension ReadContext {
    /// The object of that id, its type known from where it goes.
    public func object<E: Entity>(with id: ObjectID) throws -> E? { try object(with: id, as: E.self) }

    /// The objects of these ids, their type known from where they go.
    public func objects<E: Entity>(with ids: some Sequence<ObjectID>) throws -> [E] {
        try objects(with: ids, as: E.self)
    }

    public func objects<E: Entity>(with ids: some Sequence<ObjectID>, as type: E.Type) throws -> [E] {
        var objects: [E] = []
        for id in ids { if let object = try object(with: id, as: type) { objects.append(object) } }
        return objects
    }
}
