internal import KernelSQL

/// What `uiContext` is while there is no store, or none for this process.
struct ClosedContext: ReadContext {
    var error: KernelError = .storeClosed

    func fetch<E: Entity>(_ request: Request<E>) throws -> [E] { throw error }
    func first<E: Entity>(_ request: Request<E>) throws -> E? { throw error }
    func count<E: Entity>(_ request: Request<E>) throws -> Int { throw error }
    func exists<E: Entity>(_ request: Request<E>) throws -> Bool { throw error }
    func object<E: Entity>(with id: ObjectID, as type: E.Type) throws -> E? { throw error }
    func objects<E: Entity>(with ids: some Sequence<ObjectID>, as type: E.Type) throws -> [E] { throw error }
    func refresh(_ object: some Entity) throws { throw error }
    func select<E: Entity>(
        _ request: Request<E>, _ attributes: [PartialKeyPath<E>], distinct: Bool, _ body: (Row) throws -> Void
    ) throws { throw error }
}
