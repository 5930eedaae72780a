/// Makes durable what a unit of work has done so far. May be called several times in one unit.
public typealias Save = () throws -> Void

/// A place where objects are kept.
///
/// ```swift
/// try storage.perform(ephemeral: true) { context, save in
///     let car: Car = try context.acquire("CRZ")
///     car.mark = "Honda"
///     try save()
/// }
/// ```
public protocol Storage: Sendable {
    /// The main actor's context: for reading, and kept fresh after every save.
    @MainActor var uiContext: any ReadContext { get }

    /// Runs a unit of work on the calling thread and returns what it returns.
    ///
    /// Units of one storage run one after another, in the order in which they were asked for. Nothing reaches the
    /// store without `save()`. When the block throws, what it did not save is undone and its error comes out.
    /// Called inside a unit of the same storage, the block runs as a nested unit of that one
    /// (see ``Context/perform(_:)``).
    ///
    /// - Parameters:
    ///   - ephemeral: `true`: a context of its own, gone afterwards. `false`: the storage's long-lived save context,
    ///     with its objects and with what an earlier block left unsaved.
    ///   - unit: The work. It gets a context and its `save`.
    @discardableResult
    func perform<R>(
        ephemeral: Bool, _ unit: sending (any Context, Save) throws -> sending R
    ) throws -> sending R

    /// The async form of a unit of work; what ``perform(ephemeral:_:isolation:)`` calls.
    @discardableResult
    func perform<R>(
        isolation: isolated (any Actor)?, ephemeral: Bool,
        _ unit: sending (any Context, Save) throws -> sending R
    ) async throws -> sending R

    /// Reads on one snapshot of the store: what others save meanwhile is not seen. Never waits for a writer.
    @discardableResult
    func read<R>(_ unit: sending (any ReadContext) throws -> sending R) throws -> sending R

    /// The async form of a read unit; what ``read(_:isolation:)`` calls.
    @discardableResult
    func read<R>(
        isolation: isolated (any Actor)?, _ unit: sending (any ReadContext) throws -> sending R
    ) async throws -> sending R

    /// Closes the store and removes its files. Objects of its contexts are marked deleted, and everything but
    /// ``restoreStore()`` throws ``KernelError/storeClosed`` from here on.
    ///
    /// Waits for the units that were asked for before, not for readers: a `read` block that runs finishes on the old store,
    /// also when ``restoreStore()`` has made a new one meanwhile.
    func wipeStore() throws

    /// Opens the store again after ``wipeStore()``, empty.
    func restoreStore() throws
}

extension Storage {
    /// The same unit of work, away from the caller's thread and without blocking it. A task that is cancelled before
    /// its unit began throws `CancellationError`; a unit that has begun runs to its end.
    ///
    /// ```swift
    /// let total = try await storage.perform(ephemeral: true) { context, save in
    ///     try context.remove(Request<Car>().filter("year", lessThan: 1970))
    ///     try save()
    ///     return try context.count(Request<Car>())
    /// }
    /// ```
    ///
    /// Awaited on the main actor, it returns when ``uiContext`` shows what was saved.
    @discardableResult
    public func perform<R>(
        ephemeral: Bool, _ unit: sending (any Context, Save) throws -> sending R,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> sending R {
        try await perform(isolation: isolation, ephemeral: ephemeral, unit)
    }

    /// The same read unit, away from the caller's thread and without blocking it.
    @discardableResult
    public func read<R>(
        _ unit: sending (any ReadContext) throws -> sending R, isolation: isolated (any Actor)? = #isolation
    ) async throws -> sending R {
        try await read(isolation: isolation, unit)
    }
}
