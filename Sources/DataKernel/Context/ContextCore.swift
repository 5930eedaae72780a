internal import KernelSQL
internal import KernelSQLite

/// A context: the objects of all entities as one unit of work, or the main actor, sees them.
///
/// This class reads; ``UnitContext`` adds what changes the store, so that a context for reading has no way to.
/// Confined to the unit that it was made for, or to the main actor.
class ContextCore {
    let model: StoreModel
    let channel: Channel
    /// What other contexts saved, and this one has not seen yet.
    let inbox = Inbox()
    // Looked through before every query; no access to it contains another.
    @exclusivity(unchecked)
    private var sessions: [Session?]
    /// The sessions that there are, in the order of the model.
    private(set) var openSessions: [Session] = []
    /// The session that was asked for last.
    private var last: (type: ObjectIdentifier, session: Session)?
    private(set) var isClosed = false
    private(set) var isMerging = false
    /// What went wrong where nothing could be thrown: in a relationship's accessor. The next call that can throws it.
    var failure: (any Error)?
    /// From how many objects on the context lets go of what it loaded of their relationships.
    var trimLimit = ContextCore.smallestTrimLimit

    init(model: StoreModel, channel: Channel) {
        self.model = model
        self.channel = channel
        sessions = Array(repeating: nil, count: model.plans.count)
    }

    deinit { close() }

    var isReadOnly: Bool { true }
    /// What error messages call the context.
    var title: String { "a read unit" }
    /// How its tables hold the objects. Those of a unit are confined to it. The save context's may be let go by a thread
    /// that does not hold the gate, and the main actor's by any.
    var holding: IdentityMap.Holding { .unowned }

    /// Lets go of the objects that nobody else has.
    // Not inlined: it is called in four places, and once a unit.
    @inline(never)
    func letGo() {
        guard holding == .strong else { return }
        channel.calling(.ending) {
            do {
                let garbage = forgetRelationships()
                withExtendedLifetime(garbage) {}
            }
            for session in openSessions { session.letGo() }
        }
    }

    /// Tells observers. Those of a context that only reads may use it, and run units; one that changes is in the middle
    /// of it.
    func announcing(_ tell: () -> Void) {
        if isReadOnly { tell() } else { channel.calling(.observer, tell) }
    }

    var connection: Connection { channel.connection }

    func session(_ type: any Entity.Type) throws -> Session {
        let id = ObjectIdentifier(type)
        if let last, last.type == id { return last.session }
        guard !isClosed else { throw KernelError.storeClosed }
        let session = try session(at: model.index(of: type))
        last = (id, session)
        return session
    }

    /// The same, if there is one already.
    func openSession(at index: Int) -> Session? { isClosed ? nil : sessions[index] }

    /// The session of the entity of that index in the model.
    func session(at index: Int) throws -> Session {
        guard !isClosed else { throw KernelError.storeClosed }
        if let session = sessions[index] { return session }
        let session = Session(plan: model.plans[index], core: self)
        sessions[index] = session
        openSessions = sessions.compactMap { $0 }
        return session
    }

    var needsFlush: Bool {
        for session in openSessions where session.needsFlush { return true }
        return false
    }

    var hasPending: Bool {
        for session in openSessions where session.hasPending { return true }
        return false
    }

    /// What has to happen before a query: the store's state is to be what this context has done and been told.
    func prepareToRead() throws {
        guard !isClosed else { throw KernelError.storeClosed }
        try channel.requireReading()
        try throwFailure()
        try drain()
    }

    /// Reads again what others saved. An observer who is told of a change in here may run a unit: what that one saves
    /// has to come after the rows that are being read, which are older.
    func drain() throws {
        guard inbox.hasMail, !isMerging else { return }
        isMerging = true
        defer { isMerging = false }
        while let changes = inbox.take() {
            do {
                try merge(changes)
            } catch {
                // The news is not lost with a read that failed.
                inbox.post(changes)
                throw error
            }
        }
    }

    /// Corrects what was loaded of a relationship by what is not in the transaction yet. A context that only reads has
    /// nothing like that.
    func addUnwritten(to owners: [Int64], _ session: Session, _ plan: RelationshipPlan, _ targets: Session) {}

    func close() {
        guard !isClosed else { return }
        isClosed = true
        last = nil
        channel.calling(.ending) {
            let garbage = forgetRelationships()
            for session in openSessions { session.close() }
            sessions = []
            openSessions = []
            withExtendedLifetime(garbage) {}
        }
    }

    /// The store is gone: every object of the context is deleted.
    func closeWiped() {
        for session in openSessions {
            for row in session.objects.rows { session.sweep(row) }
        }
        close()
    }

    /// Turns what the driver throws into the model's words.
    func translating<R>(_ plan: EntityPlan?, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch {
            throw translated(error, plan)
        }
    }

    func translated(_ error: any Error, _ plan: EntityPlan?) -> any Error {
        if let issue = error as? ValueIssue { return ErrorMapper.error(issue, plan, path: model.path) }
        guard let failure = error as? DatabaseFailure else { return error }
        return ErrorMapper.error(failure, plan, path: model.path)
    }
}

/// The entities of an open store.
final class StoreModel: Sendable {
    let path: String
    let plans: [EntityPlan]
    private let indexes: [ObjectIdentifier: Int]
    /// The relationships without an inverse that lead to each entity.
    let oneWay: [[RelationshipRef]]
    /// Whether any entity has a relationship that every object has.
    let requiresObjects: Bool

    init(path: String, types: [any Entity.Type]) {
        self.path = path
        var indexes: [ObjectIdentifier: Int] = [:]
        for index in types.indices where indexes[ObjectIdentifier(types[index])] == nil {
            indexes[ObjectIdentifier(types[index])] = index
        }
        var plans: [EntityPlan] = []
        for index in types.indices { plans.append(EntityPlan(index: index, type: types[index], indexes: indexes)) }
        var oneWay: [[RelationshipRef]] = Array(repeating: [], count: types.count)
        for plan in plans {
            for relationship in plan.relationships where relationship.inverse == nil {
                oneWay[relationship.target].append(
                    RelationshipRef(entity: plan.index, relationship: relationship.index))
            }
        }
        self.indexes = indexes
        self.plans = plans
        self.oneWay = oneWay
        requiresObjects = plans.contains { !$0.requiredKeys.isEmpty }
    }

    /// Whether a removal of the entity's rows can concern other rows.
    func hasRules(_ entity: Int) -> Bool { !plans[entity].relationships.isEmpty || !oneWay[entity].isEmpty }

    /// The entity whose table has the key of a relationship.
    func keyHolder(_ ref: RelationshipRef) -> Int {
        let relationship = plans[ref.entity].relationships[ref.relationship]
        return relationship.key != nil ? ref.entity : relationship.target
    }

    func index(of type: any Entity.Type) throws -> Int {
        guard let index = indexes[ObjectIdentifier(type)] else {
            throw KernelError.unknownEntity(type.entity.name)
        }
        return index
    }
}
