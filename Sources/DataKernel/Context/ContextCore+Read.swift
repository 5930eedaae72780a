internal import KernelSQL
internal import KernelSQLite

extension ContextCore: ReadContext {
    func fetch<E: Entity>(_ request: Request<E>) throws -> [E] {
        let session = try session(E.self)
        try prepareToRead()
        // Not by a method of the request, for which its type would have to be looked up.
        try request.query.check(request.failure)
        let statement = try statement(for: request.query, .fetch, session.plan)
        defer { connection.giveBack(statement) }
        let objects = try read(statement, session, E.self)
        if !request.prefetches.isEmpty { try prefetch(request.prefetches, of: objects, session) }
        return objects
    }

    func first<E: Entity>(_ request: Request<E>) throws -> E? {
        // A limit that the request has already may be 0.
        try fetch(request.narrowed(to: 1)).first
    }

    func count<E: Entity>(_ request: Request<E>) throws -> Int { Int(try number(request, .count)) }

    func exists<E: Entity>(_ request: Request<E>) throws -> Bool { try number(request, .exists) != 0 }

    func object<E: Entity>(with id: ObjectID, as type: E.Type) throws -> E? {
        let session = try session(E.self)
        try require(id, session)
        try prepareToRead()
        if let known = session.objects[id.row] {
            let object = unsafeDowncast(known, to: E.self)
            return object.isDeleted ? nil : object
        }
        return try objects(session, session.plan.sql.selectRow, as: type) { $0.bind(integer: id.row) }.first
    }

    func objects<E: Entity>(with ids: some Sequence<ObjectID>, as type: E.Type) throws -> [E] {
        let session = try session(E.self)
        var rows: [Int64] = []
        for id in ids {
            try require(id, session)
            rows.append(id.row)
        }
        try prepareToRead()
        let missing = rows.filter { session.objects[$0] == nil }
        // The result keeps those that are read until they are in it.
        let found: [E] =
            missing.isEmpty
            ? []
            : try objects(session, session.plan.sql.selectRows) { $0.bind(list: ValueList(integers: missing)) }
        return withExtendedLifetime(found) {
            var objects: [E] = []
            objects.reserveCapacity(rows.count)
            for row in rows {
                guard let known = session.objects[row] else { continue }
                let object = unsafeDowncast(known, to: E.self)
                if !object.isDeleted { objects.append(object) }
            }
            return objects
        }
    }

    private func require(_ id: ObjectID, _ session: Session) throws {
        guard id.entityName == session.plan.name else {
            throw KernelError.invalidRequest(
                entity: session.plan.name, reason: "the id names a \(id.entityName.shown), not a \(session.plan.name)")
        }
    }

    func refresh(_ object: some Entity) throws {
        let session = try session(Swift.type(of: object))
        if object.isDeleted { throw KernelError.removedObject(entity: session.plan.name) }
        if object.session !== session { throw KernelError.foreignObject(entity: session.plan.name) }
        try prepareToRead()
        try reload([object.row], session)
        guard !object.isFresh, let links = object.links else { return }
        for plan in session.plan.relationships where plan.key == nil && links.many(plan.index)?.isReordered == false {
            links.slots[plan.index] = nil
        }
    }
}

// MARK: Running requests

extension ContextCore {
    /// The statement of a checked query with its values bound: the way of every query. To be given back.
    func statement(for query: Query, _ purpose: QueryPurpose, _ plan: EntityPlan) throws -> Statement {
        if query.isLarge { return try boundStatement(for: query.gathered, purpose, plan) }
        return try boundStatement(for: query, purpose, plan)
    }

    private func boundStatement(
        for query: Query, _ purpose: QueryPurpose, _ plan: EntityPlan
    ) throws -> Statement {
        let key = QueryCompiler.shape(query, purpose)
        let text = try channel.statement(key) ?? channel.add(query, purpose, for: key)
        let statement = try translating(plan) { try connection.borrow(text) }
        query.eachArgument { argument in
            switch argument {
            case .value(let value): statement.bind(stored: value)
            case .list(let values): statement.bind(list: ValueList(values))
            }
        }
        return statement
    }

    /// Runs a query's statement. `body` steps through it.
    func run<R>(
        _ query: Query, _ purpose: QueryPurpose, _ plan: EntityPlan, _ body: (Statement) throws -> R
    ) throws -> R {
        let statement = try statement(for: query, purpose, plan)
        defer { connection.giveBack(statement) }
        return try translating(plan) { try body(statement) }
    }

    /// The rows that the request finds, in its order. Makes no objects.
    func ids<E: Entity>(_ request: Request<E>, _ session: Session) throws -> [Int64] {
        var rows: [Int64] = []
        try eachID(request, session) { rows.append($0) }
        return rows
    }

    /// Calls `body` with the row of each object that the request finds, in its order.
    func eachID<E: Entity>(_ request: Request<E>, _ session: Session, _ body: (Int64) -> Void) throws {
        try run(request.checked(), .ids, session.plan) { statement in
            statement.row.base = 0
            while try statement.step() { body(try statement.row.integer(0)) }
        }
    }

    private func number<E: Entity>(_ request: Request<E>, _ purpose: QueryPurpose) throws -> Int64 {
        let session = try session(E.self)
        try prepareToRead()
        return try run(request.checked(), purpose, session.plan) { statement in
            guard try statement.step() else { return 0 }
            statement.row.base = 0
            return try statement.row.integer(0)
        }
    }

    /// The rows of a statement that is one of the plan's own.
    func objects<E: Entity>(
        _ session: Session, _ text: SQLText, as type: E.Type = E.self, _ bind: (Statement) throws -> Void
    ) throws -> [E] {
        let statement = try translating(session.plan) { try connection.borrow(text) }
        defer { connection.giveBack(statement) }
        try bind(statement)
        return try read(statement, session, type)
    }

    /// The way of a row: the object that the context has of it, or a new one. The hot path of every fetch.
    func read<E: Entity>(_ statement: Statement, _ session: Session, _ type: E.Type) throws -> [E] {
        var result = ResultObjects()
        // Where those stand that the context had already; nobody asks unless the class wants to know of the new ones.
        var known: [Int] = []
        let row = statement.row
        row.base = 1
        row.owner = .passUnretained(session)
        // The objects of one result load their relationships together.
        let group = session.plan.relationships.isEmpty ? nil : FetchGroup()
        row.group = group
        defer {
            row.owner = nil
            row.group = nil
        }
        do {
            // The values' own code is called in here.
            let outer = channel.hook
            channel.hook = .decoding
            defer { channel.hook = outer }
            while try statement.step() {
                // The row's id stands before attribute 0.
                let id = try row.integer(-1)
                row.id = id
                group?.rows.append(id)
                // A context that has only what this result has brought so far, which the result keeps there, does not have
                // this row: a result has each row once.
                if session.objects.count != result.count, let object = session.objects[id] {
                    if !session.plan.leavesOut(.awakeFromFetch) { known.append(result.count) }
                    result.append(.passRetained(object))
                    if let group { unsafeDowncast(object, to: type).group = group }
                    continue
                }
                // One reference, which is counted once and moves on to the result.
                let object = Unmanaged<AnyObject>.passRetained(try E(row: row))
                session.objects.insert(object, at: id)
                result.append(object)
            }
        } catch let issue as ValueIssue {
            throw session.plan.undecodable(row, issue)
        } catch {
            throw translated(error, session.plan)
        }
        let objects = result.array(of: type)
        if !session.plan.leavesOut(.awakeFromFetch) { awaken(objects, except: known, session) }
        return objects
    }

    /// Lets the new objects of a result know that they are there. `known` is ascending.
    private func awaken<E: Entity>(_ objects: [E], except known: [Int], _ session: Session) {
        channel.calling(.awakeFromFetch) {
            var next = 0
            for place in 0..<objects.count {
                if next < known.count, known[next] == place {
                    next += 1
                    continue
                }
                objects[place].awakeFromFetch()
                if session.plan.leavesOut(.awakeFromFetch) { return }
            }
        }
    }
}

extension EntityPlan {
    /// A row that an attribute could not be read from.
    func undecodable(_ row: Row, _ issue: ValueIssue) -> KernelError {
        let attribute = entity.attributes.indices.contains(row.lastRead) ? entity.attributes[row.lastRead].name : "_id"
        return .undecodable(entity: name, attribute: attribute, row: row.id, reason: issue.reason)
    }
}
