internal import Dispatch
internal import KernelSQL
internal import KernelSQLite
internal import Synchronization

/// A storage on a SQLite file.
///
/// ```swift
/// let storage = try SQLiteStorage(store: .named("garage"), model: [Car.self, Person.self])
/// ```
///
/// The file can be read with the `sqlite3` shell: tables and columns carry the names of entities and attributes.
/// Several processes may use one file.
public final class SQLiteStorage: Storage {
    private let types: [any Entity.Type]
    private let ref: StoreRef
    private let options: StorageOptions
    /// One unit of work at a time, in the order of arrival.
    let gate = UnitGate()
    private let unitQueue: UnitQueue
    private let readQueue = DispatchQueue(label: "DataKernel.reads", attributes: .concurrent)
    private let store: Mutex<OpenStore?>
    private let mainIsScheduled = Atomic(false)
    /// Asked first of all: after `fork` every lock in here may be held by a thread that the child does not have.
    private let process = ProcessGuard()
    /// How far row ids were given out in stores that were wiped.
    private let retiredRows = Mutex(RowLimits())

    /// Opens the store, or makes it. An existing one is brought to the model if that takes additions only: new
    /// entities, attributes, indexes. Anything else is refused and the file stays as it was.
    ///
    /// Throws ``KernelError/invalidModel(_:)``, ``KernelError/modelMismatch(differences:)``,
    /// ``KernelError/notADatabase(path:)``, ``KernelError/foreignStore(path:applicationID:)``,
    /// ``KernelError/storeNewer(found:supported:)``, ``KernelError/storeDamaged(path:_:)``,
    /// ``KernelError/foreignLog(path:)``, ``KernelError/storeReadOnly(_:)``, ``KernelError/cannotOpen(path:reason:)`` and
    /// others.
    ///
    /// - Parameters:
    ///   - store: Where the store is.
    ///   - model: The entities that it holds.
    ///   - options: Durability, time-outs, tracing.
    public init(store: StoreRef, model: [any Entity.Type], options: StorageOptions = StorageOptions()) throws {
        self.ref = store
        self.types = model
        self.options = options
        unitQueue = UnitQueue(gate: gate, timeout: options.unitTimeout)
        self.store = Mutex(try SQLiteStorage.open(store, model, options, gate))
    }

    private static func open(
        _ ref: StoreRef, _ types: [any Entity.Type], _ options: StorageOptions, _ gate: UnitGate
    ) throws -> OpenStore {
        let open = try OpenStore(ref, types, options)
        open.main.allCommitsAreOwn = { [writer = open.writer] in
            guard gate.tryEnter() else { return false }
            defer { gate.leave() }
            return writer.hasNoForeignCommit
        }
        return open
    }

    deinit {
        if process.isForked { return }
        // A unit that runs holds the storage, so none does now.
        guard let open = current else { return }
        open.close()
        guard !MainThread.isCurrent, open.main.wasUsed else { return }
        // Proof: the main actor's context is let go where it is used, whoever drops the storage.
        nonisolated(unsafe) let main = open.main
        Task { @MainActor in withExtendedLifetime(main) {} }
    }

    private var current: OpenStore? { store.withLock { $0 } }

    @inline(never)
    private func open() throws -> OpenStore {
        guard let open = current else { throw KernelError.storeClosed }
        return open
    }

    /// The path of the store's file. A `.memory` store has none that could be opened.
    /// Nor has a child process after `fork`.
    public var path: String? { process.isForked || current?.isMemory == true ? nil : current?.path }

    @MainActor
    public var uiContext: any ReadContext {
        if process.isForked { return ClosedContext(error: .usedAfterFork) }
        return current?.main ?? ClosedContext()
    }
}

// MARK: Units of work

extension SQLiteStorage {
    @discardableResult
    public func perform<R>(
        ephemeral: Bool, _ unit: sending (any Context, Save) throws -> sending R
    ) throws -> sending R {
        try process.check()
        if gate.isHeldByCurrentThread { return try performNested(unit) }
        defer { announce() }
        return try runGated(ephemeral, unit)
    }

    private func runGated<R>(_ ephemeral: Bool, _ unit: (any Context, Save) throws -> sending R) throws -> sending R {
        try gate.enter(timeout: options.unitTimeout)
        defer { gate.leave() }
        return try run(ephemeral, unit)
    }

    /// A unit inside a unit of the same storage, on the same thread: waiting for the outer one would never end.
    private func performNested<R>(_ unit: (any Context, Save) throws -> sending R) throws -> sending R {
        let writer = try open().writer
        try writer.channel.requireNoHook("storage.perform")
        guard let context = writer.chain.last else { throw KernelError.storeClosed }
        return try context.perform(unit)
    }

    private func run<R>(_ ephemeral: Bool, _ unit: (any Context, Save) throws -> sending R) throws -> sending R {
        let open = try open()
        try requireNoHook(open, "storage.perform")
        let writer = open.writer
        if let failure = writer.channel.connection.retirement { throw KernelError.storageRetired(failure) }
        let context = ephemeral ? UnitContext(model: open.model, writer: writer, level: 0) : open.saveContext
        writer.chain = [context]
        defer {
            writer.undo(0)
            writer.leave(0)
            if ephemeral { context.close() } else { context.letGo() }
        }
        do {
            let result = try unit(context) { try writer.save(context) }
            // What could not be read was taken for nothing: the result may be wrong.
            try context.throwFailure()
            return result
        } catch {
            writer.undo(0)
            context.discard()
            throw error
        }
    }

}

// MARK: Away from the caller's thread

extension SQLiteStorage {
    @discardableResult
    public func perform<R>(
        isolation: isolated (any Actor)?, ephemeral: Bool,
        _ unit: sending (any Context, Save) throws -> sending R
    ) async throws -> sending R {
        try process.check()
        defer { announce() }
        return try await withoutActuallyEscaping(unit) { unit in
            // On the caller's actor until the job is in the queue: units run in the order in which they were asked for.
            _ = isolation
            // Proof: the caller waits until the job is done and has let go of the block, which nobody else has.
            nonisolated(unsafe) let unit = unit
            return try await Job<R> { [self] in try run(ephemeral, unit) }.run(in: unitQueue)
        }
    }

    @discardableResult
    public func read<R>(
        isolation: isolated (any Actor)?, _ unit: sending (any ReadContext) throws -> sending R
    ) async throws -> sending R {
        try process.check()
        return try await withoutActuallyEscaping(unit) { unit in
            _ = isolation
            // Proof: as above.
            nonisolated(unsafe) let unit = unit
            return try await Job<R> { [self] in try read(unit) }.run(on: readQueue)
        }
    }
}

// MARK: Reading

extension SQLiteStorage {
    @discardableResult
    public func read<R>(_ unit: sending (any ReadContext) throws -> sending R) throws -> sending R {
        try process.check()
        return try readSnapshot(unit)
    }

    private func readSnapshot<R>(_ unit: (any ReadContext) throws -> sending R) throws -> sending R {
        let open = try open()
        let hook = hook(of: open)
        if !hook.allowsReading { throw hook.refusal("storage.read") }
        let outcome: Outcome<R> = try open.readers.lend { channel in
            defer { trimLog(open, channel.connection) }
            let context = ContextCore(model: open.model, channel: channel)
            defer { context.close() }
            return try ReadUnit.run(channel, open) {
                try context.translating(nil) { try channel.connection.execute("BEGIN") }
                defer { try? channel.connection.rollback() }
                let result = try unit(context)
                try context.throwFailure()
                return Outcome(.success(result))
            }
        }
        return try outcome.get()
    }

    /// Takes the log back that grew while the read unit needed its front. The copying keeps no writer waiting.
    private func trimLog(_ open: OpenStore, _ reader: Connection) {
        guard reader.logLength > Connection.logLimit else { return }
        reader.copyLog()
        guard gate.tryEnter() else { return }
        defer { gate.leave() }
        open.writer.trimLog()
    }
}

// MARK: The main actor's context

extension SQLiteStorage {
    /// Tells the main actor's context what was saved: at once when called on the main actor, soon from elsewhere.
    private func announce() {
        if process.isForked { return }
        if MainThread.isCurrent {
            MainActor.assumeIsolated { refreshMain() }
        } else if !mainIsScheduled.exchange(true, ordering: .acquiringAndReleasing) {
            Task { @MainActor [weak self] in
                self?.mainIsScheduled.store(false, ordering: .releasing)
                self?.refreshMain()
            }
        }
    }

    @MainActor
    private func refreshMain() {
        // A read that fails now leaves the objects as they are; the next fetch meets the same error and throws it.
        try? current?.main.drain()
    }
}

// MARK: Calls from the program's own code inside calls

extension SQLiteStorage {
    /// The strictest hook of the store that is being called on this thread.
    private func hook(of open: OpenStore) -> Hook {
        var strictest = ReadUnit.hook(of: open)
        // Other threads' hooks show, too; whose they are is asked only then.
        let (writer, main) = (open.writer.channel.hook, open.main.channel.hook)
        if writer.rawValue > strictest.rawValue, gate.isHeldByCurrentThread { strictest = writer }
        if main.rawValue > strictest.rawValue, MainThread.isCurrent { strictest = main }
        return strictest
    }

    private func requireNoHook(_ open: OpenStore, _ call: StaticString) throws {
        let hook = hook(of: open)
        if hook != .none { throw hook.refusal("\(call)") }
    }
}

// MARK: Removing the store

extension SQLiteStorage {
    public func wipeStore() throws {
        try process.check()
        if let open = current { try requireNoHook(open, "wipeStore()") }
        guard !gate.isHeldByCurrentThread else {
            throw KernelError.insideUnit("wipeStore")
        }
        try gate.enter(timeout: options.unitTimeout)
        defer { gate.leave() }
        let open = try open()
        let ids = try open.givenOutRows()
        open.closeForRemoval()
        store.withLock { $0 = nil }
        retiredRows.withLock { $0.raise(ids) }
        if MainThread.isCurrent {
            MainActor.assumeIsolated { open.closeMain() }
        } else {
            Task { @MainActor in open.closeMain() }
        }
        if !open.isMemory { try StoreFile.remove(path: open.path) }
    }

    public func restoreStore() throws {
        try process.check()
        if let open = current { try requireNoHook(open, "restoreStore()") }
        guard !gate.isHeldByCurrentThread else {
            throw KernelError.insideUnit("restoreStore")
        }
        try gate.enter(timeout: options.unitTimeout)
        defer { gate.leave() }
        guard current == nil else { return }
        let open = try SQLiteStorage.open(ref, types, options, gate)
        // An ObjectID of the old store must not name an object of the new one.
        try open.skipRows(retiredRows.withLock { $0 })
        store.withLock { $0 = open }
    }
}
