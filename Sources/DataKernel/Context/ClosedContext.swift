/// What `uiContext` is while there is no store.
struct ClosedContext: ReadContext {
    func fetch<E: Entity>(_ request: Request<E>) throws -> [E] { throw KernelError.storeClosed }
    func first<E: Entity>(_ request: Request<E>) throws -> E? { throw KernelError.storeClosed }
    func count<E: Entity>(_ request: Request<E>) throws -> Int { throw KernelError.storeClosed }
    func exists<E: Entity>(_ request: Request<E>) throws -> Bool { throw KernelError.storeClosed }
    func object<E: Entity>(with id: ObjectID, as type: E.Type) throws -> E? { throw KernelError.storeClosed }
    func refresh(_ object: some Entity) throws { throw KernelError.storeClosed }
}
