internal import Foundation
internal import KernelSQL
internal import KernelSQLite
internal import Synchronization

/// An open store: its connections, and the contexts that live as long as it does.
///
/// Proof of `@unchecked Sendable`: `writer` and `saveContext` are used only by the thread that holds the storage's
/// ``UnitGate``; `main` only on the main actor; `readers` is itself Sendable. The gate's lock orders what one unit
/// wrote before what the next one reads.
final class OpenStore: @unchecked Sendable {
    let model: StoreModel
    let path: String
    let isMemory: Bool
    let writer: Writer
    let saveContext: UnitContext
    let main: MainContext
    let mainInbox: Inbox
    let readers: ReaderPool<Channel>
    private let opener: StoreOpener

    init(_ ref: StoreRef, _ types: [any Entity.Type], _ options: StorageOptions) throws {
        let issues = ModelCheck.issues(model: types.map { $0.entity })
        guard issues.isEmpty else { throw KernelError.invalidModel(issues) }
        let file = try ref.path()
        isMemory = file == nil
        path = try file ?? MemoryStore.makePath()
        let model = StoreModel(path: path, types: types)
        self.model = model
        let opener = StoreOpener(path: path, isMemory: isMemory, options: options)
        self.opener = opener
        let channel = try opener.openWriter(model)
        do {
            let count = types.count
            let file = channel.connection.file
            readers = ReaderPool {
                Channel(try opener.openReader(of: file), entities: count)
            } close: {
                opener.close($0.connection)
            }
            let reader = Channel(try opener.openReader(of: file), entities: count)
            if isMemory {
                try readers.openAll()
                try MemoryStore.unlink(path: path)
            }
            writer = Writer(channel: channel, model: model, checksFile: !isMemory)
            saveContext = UnitContext(model: model, writer: writer, level: 0, isLongLived: true)
            main = MainContext(model: model, channel: reader)
            mainInbox = main.inbox
        } catch {
            channel.connection.close()
            if isMemory { try? MemoryStore.unlink(path: path) }
            throw opener.explained(error)
        }
        writer.post = { [mainInbox, saveInbox = saveContext.inbox, weak saveContext] changes, source in
            mainInbox.post(changes)
            // A save context that nobody uses must not collect mail for ever: it holds nothing then.
            if source !== saveContext { saveInbox.post(changes) }
        }
    }

    /// How far row ids were given out.
    func givenOutRows() throws -> RowLimits {
        var limits = RowLimits()
        try StoreFile.mapping(path) {
            try writer.channel.connection.rows(SQLText("SELECT entity, next FROM kernel_id")) { row in
                row.base = 0
                // A damaged one says nothing, and is no reason to keep the store.
                guard let entity = try? row.text(0), let next = try? row.integer(1) else { return }
                limits.raise(entity, next)
            }
        }
        return limits
    }

    /// Leaves out row ids that were given out before.
    func skipRows(_ limits: RowLimits) throws {
        try StoreFile.mapping(path) { try writer.ids.raise(limits) }
    }

    /// Closes all connections but the main actor's and those of readers that run. Called by the holder of the gate.
    func close() {
        saveContext.close()
        readers.closeAll()
        writer.channel.connection.close()
    }

    /// The same for a store whose files are about to be removed. Readers that run, and the main actor until it hears of
    /// it, go on with the files, which have no name by then.
    func closeForRemoval() {
        opener.willRemoveStore()
        saveContext.closeWiped()
        readers.closeAll()
        opener.close(writer.channel.connection)
    }

    /// Closes what ``closeForRemoval()`` left to the main actor. To be called there.
    func closeMain() {
        main.closeWiped()
        opener.close(main.connection)
    }
}

/// The main actor's context: each statement reads what is in the store at that moment.
final class MainContext: ContextCore {
    private let process = ProcessGuard()
    private var knownVersion: Int64?
    /// Whether a trim is on its way.
    private var trims = false
    private let isUsed = Atomic(false)
    /// Whether all commits until now are this storage's own. False when that cannot be told without waiting.
    var allCommitsAreOwn: (() -> Bool)?

    /// Whether the main actor has, or may have, objects of this context. Asked from any thread.
    var wasUsed: Bool { isUsed.load(ordering: .acquiring) }

    override var title: String { "uiContext" }
    override var holding: IdentityMap.Holding { .weak }

    override func prepareToRead() throws {
        isUsed.store(true, ordering: .releasing)
        try process.check()
        guard !isClosed else { throw KernelError.storeClosed }
        try drain()
        // The version changes with every commit of another connection. One that came without mail is another
        // process's.
        let version = try version()
        if let known = knownVersion, known != version { inbox.post(ChangeSet(isAll: true)) }
        knownVersion = version
        try super.prepareToRead()
        trimSoon()
    }

    /// Takes the version that the mail brought as known at once, if nobody else has a part in it: a commit after it is
    /// to be noticed as another's.
    override func drain() throws {
        guard inbox.hasMail, !isMerging, !isClosed else { return }
        let version = try version()
        try super.drain()
        if allCommitsAreOwn?() == true { knownVersion = version }
    }

    /// Not at once: the code that reads may go on with what it has loaded.
    private func trimSoon() {
        guard needsTrim, !trims else { return }
        trims = true
        // Proof: the context is used on the main actor only.
        nonisolated(unsafe) weak let core = self
        Task { @MainActor in
            core?.trims = false
            core?.trim()
        }
    }

    private func version() throws -> Int64 { try translating(nil) { try connection.dataVersion() } }
}
