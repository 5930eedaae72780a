internal import KernelSQL
internal import KernelSQLite

/// The context of a unit of work.
final class UnitContext: ContextCore, Context {
    let writer: Writer
    /// 0 for a unit of its own; one more for each unit around it.
    let level: Int
    /// Removals that a rule may forbid when they are saved.
    var denials: [Denial] = []
    /// A nested unit is running.
    var isSuspended = false
    /// The objects whose `prepareForDeletion` is running, innermost last.
    private var leaving: [ObjectIdentifier] = []

    private let isLongLived: Bool
    override var holding: IdentityMap.Holding { isLongLived ? .strong : .unowned }

    init(model: StoreModel, writer: Writer, level: Int, isLongLived: Bool = false) {
        self.isLongLived = isLongLived
        self.writer = writer
        self.level = level
        super.init(model: model, channel: writer.channel)
    }

    override var isReadOnly: Bool { false }
    override var title: String {
        isLongLived ? "the save context" : level == 0 ? "a unit of work" : "a nested unit of level \(level)"
    }

    /// Flushes, and begins the transaction if there is none. Its beginning reads again what others saved.
    override func prepareToRead() throws {
        try check()
        try channel.requireReading()
        try throwFailure()
        try flush()
        // Mostly: the transaction is open.
        if writer.isBegun(level) { return }
        // Pending again when the database had rolled the transaction back.
        if try begin() { try flush() }
    }

    /// See ``Writer/begin(_:)``.
    func begin() throws -> Bool { try translating(nil) { try writer.begin(level) } }

    override func addUnwritten(
        to owners: [Int64], _ session: Session, _ plan: RelationshipPlan, _ targets: Session
    ) {
        correct(owners, session, plan, targets)
    }

    func check() throws {
        if isClosed { throw KernelError.storeClosed }
        if isSuspended { throw KernelError.contextSuspended }
    }

    // MARK: Creating

    func make<E: Entity>(_ type: E.Type) throws -> E {
        let object = E()
        try insert(object)
        return object
    }

    func insert(_ object: some Entity) throws {
        try check()
        try channel.requireChanging("creating an object")
        let session = try session(type(of: object))
        switch object.status {
        case .removed: throw KernelError.removedObject(entity: session.plan.name)
        case .detached:
            session.insert(object, row: try nextRow(session))
            if object.links != nil { try adopt(object, session) }
            if !session.plan.leavesOut(.awakeFromInsert) {
                channel.calling(.awakeFromInsert) { object.awakeFromInsert() }
            }
        case .inserted, .stored: try checkOwner(object, session)
        }
    }

    private func nextRow(_ session: Session) throws -> Int64 {
        try translating(session.plan) { try writer.ids.next(session.plan) }
    }

    func checkOwner(_ object: some Entity, _ session: Session) throws {
        if object.session !== session { throw KernelError.foreignObject(entity: session.plan.name) }
    }

    // MARK: Removing

    func remove(_ object: some Entity) throws {
        try check()
        try channel.requireChanging("removing an object")
        let session = try session(type(of: object))
        switch object.status {
        case .detached: throw KernelError.foreignObject(entity: session.plan.name)
        case .removed: return
        case .inserted, .stored:
            try checkOwner(object, session)
            if !session.plan.leavesOut(.prepareForDeletion), !prepareForDeletion(object) { return }
            if session.plan.relationships.isEmpty { return session.remove(object) }
            leave(object, session)
            session.remove(object)
        }
    }

    /// Calls the object's `prepareForDeletion`. False when there is nothing left to do: this comes from there, or it removed
    /// the object by another way.
    private func prepareForDeletion(_ object: some Entity) -> Bool {
        let id = ObjectIdentifier(object)
        if leaving.firstIndex(of: id) != nil { return false }
        leaving.append(id)
        defer { leaving.remove(at: leaving.count - 1) }
        channel.calling(.prepareForDeletion) { object.prepareForDeletion() }
        return object.status != .removed
    }

    func remove(_ objects: some Sequence<some Entity>) throws {
        for object in objects { try remove(object) }
    }

    @discardableResult
    func remove<E: Entity>(_ request: Request<E>) throws -> Int {
        try channel.requireChanging("removing by a request")
        let session = try session(E.self)
        try prepareToRead()
        let rows = try ids(request, session)
        guard !rows.isEmpty else { return 0 }
        try remove(rows, of: session.plan.index)
        return rows.count
    }

    @discardableResult
    func wipe<E: Entity>(_ type: E.Type) throws -> Int {
        try channel.requireChanging("wipe()")
        let session = try session(type)
        try prepareToRead()
        let entity = session.plan.index
        let count: Int
        if model.hasRules(entity) {
            count = try remove(nil, of: entity)
        } else {
            count = try translating(session.plan) {
                try writer.prepareToWipe(level)
                return try connection.run(session.plan.sql.deleteAll)
            }
        }
        session.wipe = .flushed
        for row in session.objects.rows { session.sweep(row) }
        return count
    }

    // MARK: Pending changes

    var hasChanges: Bool {
        settleRemovalsInMemory()
        for session in openSessions where session.hasChanges { return true }
        return false
    }

    var insertedObjects: [any Entity] { all { $0.insertedObjects } }

    var updatedObjects: [any Entity] { all { $0.updatedObjects } }

    var removedObjects: [any Entity] { all { $0.removedObjects } }

    private func all(_ some: (Session) -> [any Entity]) -> [any Entity] {
        settleRemovalsInMemory()
        var objects: [any Entity] = []
        for session in openSessions { objects += some(session) }
        return objects
    }

    /// Undoes in memory what this context did since the last commit.
    func discard() {
        denials = []
        failure = nil
        // Keys go back to what they were; what is loaded at their other ends is of before.
        channel.calling(.ending) {
            let garbage = forgetRelationships(unwritten: true)
            for session in openSessions { session.discard() }
            withExtendedLifetime(garbage) {}
        }
    }

    func rollback() throws {
        try check()
        try channel.requireNoHook("rollback()")
        writer.undo(level)
        discard()
        if inbox.hasMail, try !begin() { try drain() }
    }
}
