internal import KernelSQL
internal import KernelSQLite

/// The one connection that writes, its transaction, and the contexts of the unit that is running.
///
/// The transaction begins with the first statement of a unit that needs one (always BEGIN IMMEDIATE: a read that turns
/// into a write fails at once, whatever the time-out). Savepoint 0 stands right behind the BEGIN, savepoint n before
/// what the nested unit of level n does.
final class Writer {
    let channel: Channel
    let ids: RowIDs
    private let model: StoreModel
    /// The contexts of the running unit, outermost first.
    var chain: [UnitContext] = []
    /// How many of them have their savepoint. 0: no transaction.
    @exclusivity(unchecked)
    private var openLevels = 0
    /// Whether savepoint 0 is there, and how many rows had been changed when it was opened.
    private var hasFirstSavepoint = false
    private var changesBefore: Int64 = 0
    private var knownVersion: Int64?
    /// Whom commits are told to, besides the contexts of the unit.
    var post: ((ChangeSet, UnitContext?) -> Void)?
    /// How long the log may become before a save waits for readers, in order to empty it.
    var logBound = Writer.firstLogBound
    /// Whether the file can be renamed or removed by others.
    private let checksFile: Bool
    /// A block can fork and go on in both processes.
    private let process = ProcessGuard()

    private var connection: Connection { channel.connection }

    init(channel: Channel, model: StoreModel, checksFile: Bool) {
        self.channel = channel
        self.model = model
        self.checksFile = checksFile
        ids = RowIDs(channel.connection, model.plans)
        // What another process commits before the first unit is to be noticed, too.
        knownVersion = try? channel.connection.dataVersion()
    }

    /// Whether nobody else has committed since this connection last looked. False when that is not known.
    var hasNoForeignCommit: Bool {
        guard let knownVersion, let version = try? connection.dataVersion() else { return false }
        return version == knownVersion
    }

    // MARK: Beginning

    /// Whether `begin` has nothing to do.
    func isBegun(_ level: Int) -> Bool { openLevels > level && !process.isForked && connection.isInTransaction }

    /// Makes sure that a transaction is open, with a savepoint for each unit down to `level`. Returns whether it had to
    /// be begun, or a context was told what others had saved meanwhile.
    // Not inlined: it is called in eight places, mostly where ``isBegun(_:)`` said no.
    @inline(never)
    @discardableResult
    func begin(_ level: Int) throws -> Bool {
        try process.check()
        if openLevels > 0, !connection.isInTransaction { transactionLost() }
        var isNews = openLevels == 0
        if isNews { try beginTransaction() }
        while openLevels <= level {
            // What the units around it have done stands before a nested unit's savepoint, and before what it reads again:
            // it sees that, too.
            let outer = chain[openLevels - 1]
            if outer.needsFlush { try outer.flush() }
            if try open(openLevels) { isNews = true }
        }
        return isNews
    }

    /// Sets a unit's savepoint. Its context learns what others saved before anything of it is flushed: what an object
    /// was edited from is what they saved, not the edit itself. Returns whether there was anything to learn.
    private func open(_ level: Int) throws -> Bool {
        let context = chain[level]
        let hasMail = context.inbox.hasMail
        try connection.savepoint(depth: level)
        openLevels = level + 1
        do {
            try context.drain()
        } catch {
            // It is to learn it when it is opened again. (Whoever begins the transaction ends it, too.)
            if level > 0 { undo(level) }
            throw error
        }
        return hasMail
    }

    private func beginTransaction() throws {
        try connection.begin()
        do {
            try ids.transactionBegan()
            try noteForeignCommits()
            hasFirstSavepoint = true
            changesBefore = connection.totalChanges
            _ = try open(0)
        } catch {
            openLevels = 0
            try? connection.rollback()
            throw error
        }
    }

    /// Called before all rows of a table are deleted. What a savepoint can be rolled back to has to be kept, page by
    /// page: a third of such a deletion. So one that comes first in its transaction gives savepoint 0 up; undoing the
    /// unit then is undoing the transaction.
    func prepareToWipe(_ level: Int) throws {
        guard level == 0, openLevels == 1, hasFirstSavepoint, connection.totalChanges == changesBefore,
            ids.reservedInside.isEmpty
        else { return }
        try connection.release(depth: 0)
        hasFirstSavepoint = false
    }

    /// The version of the database changes for this connection when another process commits.
    private func noteForeignCommits() throws {
        let version = try connection.dataVersion()
        if let known = knownVersion, known != version {
            let changes = ChangeSet(isAll: true)
            for context in chain { context.inbox.post(changes) }
            post?(changes, nil)
        }
        knownVersion = version
    }

    // MARK: Saving

    /// Saves a context and every one around it: flushes from the outermost in, commits, and only then calls the
    /// contexts clean and tells the others.
    func save(_ context: UnitContext) throws {
        try context.check()
        try channel.requireNoHook("save()")
        try context.throwFailure()
        try letPrepare()
        for outer in chain { try outer.validate() }
        // Values are compared and written from here on.
        try channel.calling(.encoding) { try write(context) }
    }

    private func write(_ context: UnitContext) throws {
        do {
            for outer in chain { try outer.flush(isForSave: true) }
            guard hasChanges || hasDenials else { return settleNothing() }
            // A transaction that the database rolled back since the last flush: all of it is to be flushed again.
            if try context.begin() {
                for outer in chain { try outer.flush(isForSave: true) }
            }
            for outer in chain { try context.translating(nil) { try outer.checkDenials() } }
            guard hasChanges else { return settleNothing() }
            if checksFile, connection.hasMoved { throw KernelError.storeMoved(path: model.path) }
            try commit()
        } catch {
            // A part of what the units around have done may stand behind the savepoint of the failed one.
            if chain.count > 1, connection.isInTransaction { endTransaction() }
            throw error
        }
        trimLog()
        settle()
    }

    /// Calls `willSave` once for each object of all contexts, also for those that become changed by it, of whatever context.
    private func letPrepare() throws {
        var told: Set<ObjectIdentifier> = []
        for _ in 0..<Writer.roundLimit {
            var isDone = true
            for context in chain where try context.letPrepare(&told) { isDone = false }
            if isDone { return }
        }
        throw Hook.willSave.refusal("changing other objects without an end")
    }

    /// A `willSave` that makes an object whose `willSave` makes another would never end.
    private static let roundLimit = 1000

    private var hasChanges: Bool {
        for context in chain where context.hasChanges { return true }
        return false
    }

    /// Whether a removal may be forbidden, be it one of nothing.
    private var hasDenials: Bool {
        for context in chain where !context.denials.isEmpty { return true }
        return false
    }

    /// Whatever was done, all is as it was: the transaction, should it have any of it, need not be written.
    private func settleNothing() {
        if openLevels > 0, chain.contains(where: { $0.hasPending }) { endTransaction() }
        for context in chain {
            context.denials = []
            for session in context.openSessions where session.hasLeftovers { session.settleNothing() }
        }
    }

    private func commit() throws {
        do {
            try connection.commit()
        } catch let failure as DatabaseFailure {
            if !connection.isInTransaction { transactionLost() }
            if failure.code == .constraintForeignKey, let denied = try? DanglingKey.error(connection, model) {
                throw denied
            }
            throw ErrorMapper.error(failure, nil, path: model.path)
        }
        openLevels = 0
        ids.transactionCommitted()
    }

    private func settle() { channel.calling(.ending) { settleChain() } }

    private func settleChain() {
        for context in chain {
            var changes = ChangeSet()
            context.denials = []
            for session in context.openSessions {
                session.noteStaleRelationships(in: &changes)
                changes.add(session.settle())
            }
            guard !changes.isEmpty else { continue }
            for other in chain where other !== context { other.inbox.post(changes) }
            post?(changes, context)
            context.letGo()
            context.trim()
        }
    }

    // MARK: Undoing

    /// Undoes in the transaction what the unit of that level has done since the last commit.
    func undo(_ level: Int) {
        guard openLevels > level else { return }
        guard connection.isInTransaction else { return transactionLost() }
        if level == 0 {
            endTransaction()
        } else {
            do {
                try connection.rollback(toDepth: level)
                try connection.release(depth: level)
                // A block that was reserved behind the savepoint stays reserved.
                try ids.keepReservations()
                openLevels = level
            } catch {
                // The transaction as a whole can still go; what it had is pending in the contexts.
                endTransaction()
            }
        }
    }

    /// Takes the contexts from that level on out of the running unit.
    func leave(_ level: Int) {
        while chain.count > level { chain.remove(at: chain.count - 1) }
    }

    /// Rolls the whole transaction back. Reservations of row ids stay.
    private func endTransaction() {
        let keepsReservations = !ids.reservedInside.isEmpty
        if keepsReservations, hasFirstSavepoint {
            do {
                try connection.rollback(toDepth: 0)
                try ids.keepReservations()
                try connection.commit()
                ids.transactionCommitted()
            } catch {
                try? connection.rollback()
            }
            transactionLost()
        } else {
            try? connection.rollback()
            transactionLost()
            // Nothing stood before what is gone, so they have to be made once more: at once, before others make theirs.
            if keepsReservations { try? reserveAgain() }
        }
    }

    private func reserveAgain() throws {
        try connection.begin()
        do {
            try ids.transactionBegan()
            try connection.commit()
            ids.transactionCommitted()
        } catch {
            try? connection.rollback()
            ids.transactionLost()
            throw error
        }
    }

    /// The transaction is gone: what it had is pending again.
    func transactionLost() {
        openLevels = 0
        ids.transactionLost()
        for context in chain {
            context.denials = []
            for session in context.openSessions { session.transactionLost() }
        }
    }
}
