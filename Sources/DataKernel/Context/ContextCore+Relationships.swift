internal import KernelSQL
internal import KernelSQLite

// Loading what relationships lead to: once for all objects of a fetch result.
extension ContextCore {
    /// The object that a key of `object` names.
    func target<E: Entity>(of object: E, _ plan: RelationshipPlan, _ attribute: Int) throws -> AnyObject? {
        let targets = try session(at: plan.target)
        var row = object.kernelLink(attribute)
        if row == 0 { return nil }
        if let known = targets.objects[row] { return known }
        try prepareToRead()
        // What others saved may have changed it.
        row = object.kernelLink(attribute)
        if row == 0 { return nil }
        if let known = targets.objects[row] { return known }
        guard let session = object.session else { return nil }
        let group = group(of: object, session)
        if group.load(plan.index) {
            try loadTargets(of: group.rows, session, plan, attribute, E.self, into: group)
        }
        if let known = targets.objects[row] { return known }
        try loadTargets(of: [object.row], session, plan, attribute, E.self, into: group)
        return targets.objects[row]
    }

    /// The objects at the other end of a relationship whose key is not at this one.
    func members<E: Entity>(of object: E, _ session: Session, _ plan: RelationshipPlan) throws -> ToMany {
        if let many = object.links?.many(plan.index) { return many }
        if object.isFresh { return emptyMany(object, session, plan) }
        try prepareToRead()
        if let many = object.links?.many(plan.index) { return many }
        _ = try loadMembers(of: group(of: object, session).rows, session, plan, E.self)
        if let many = object.links?.many(plan.index) { return many }
        // An object that its group does not know any more.
        _ = try loadMembers(of: [object.row], session, plan, E.self)
        return object.links?.many(plan.index) ?? emptyMany(object, session, plan)
    }

    func emptyMany(_ object: some Entity, _ session: Session, _ plan: RelationshipPlan) -> ToMany {
        let many = ToMany()
        links(of: object, session).slots[plan.index] = many
        return many
    }

    /// The places of an object's relationships, made when they are first needed.
    func links(of object: some Entity, _ session: Session) -> ObjectLinks {
        if let links = object.links { return links }
        let links = ObjectLinks(session.plan.relationships.count)
        object.links = links
        return links
    }

    private func group(of object: some Entity, _ session: Session) -> FetchGroup {
        if let group = object.group { return group }
        let group = FetchGroup([object.row])
        object.group = group
        return group
    }

    /// Loads the targets of a to-one of many objects, by one statement. They live as long as the group.
    func loadTargets<E: Entity>(
        of rows: ContiguousArray<Int64>, _ session: Session, _ plan: RelationshipPlan, _ attribute: Int,
        _ type: E.Type, into group: FetchGroup
    ) throws {
        let targets = try self.session(at: plan.target)
        var missing: [Int64] = []
        for row in rows {
            guard let member = session.objects[row] else { continue }
            let link = unsafeDowncast(member, to: E.self).kernelLink(attribute)
            if link == 0 { continue }
            if let known = targets.objects[link] {
                group.kept.append(known)
            } else {
                missing.append(link)
            }
        }
        guard !missing.isEmpty else { return }
        try load(missing, targets, targets.plan.type, into: group)
    }

    private func load<T: Entity>(
        _ rows: [Int64], _ session: Session, _ type: T.Type, into group: FetchGroup
    ) throws {
        let found = try objects(session, session.plan.sql.selectRows, as: type) {
            $0.bind(list: ValueList(integers: rows))
        }
        for object in found { group.kept.append(object) }
    }

    /// Loads a to-many of many objects, by one statement. Returns the rows that it found, each once.
    func loadMembers<E: Entity>(
        of rows: ContiguousArray<Int64>, _ session: Session, _ plan: RelationshipPlan, _ type: E.Type
    ) throws -> ContiguousArray<Int64> {
        var owners: [Int64] = []
        for row in rows {
            guard let known = session.objects[row] else { continue }
            let owner = unsafeDowncast(known, to: E.self)
            if owner.status == .removed || owner.links?.many(plan.index) != nil { continue }
            _ = emptyMany(owner, session, plan)
            if !owner.isFresh { owners.append(row) }
        }
        guard !owners.isEmpty else { return [] }
        do {
            let targets = try self.session(at: plan.target)
            let found = try fill(owners, session, plan, targets, type, targets.plan.type)
            addUnwritten(to: owners, session, plan, targets)
            return found
        } catch {
            // Half of a relationship must not be taken for the whole.
            for row in owners {
                guard let known = session.objects[row] else { continue }
                unsafeDowncast(known, to: E.self).links?.slots[plan.index] = nil
            }
            throw error
        }
    }

    private func fill<E: Entity, T: Entity>(
        _ owners: [Int64], _ session: Session, _ plan: RelationshipPlan, _ targets: Session, _ type: E.Type,
        _ targetType: T.Type
    ) throws -> ContiguousArray<Int64> {
        guard let text = plan.sql.selectMembers else { return [] }
        return try translating(targets.plan) {
            let statement = try connection.borrow(text)
            defer { connection.giveBack(statement) }
            statement.bind(list: ValueList(integers: owners))
            let row = statement.row
            row.base = 2
            row.owner = .passUnretained(targets)
            defer { row.owner = nil }
            var found = MadeObjects()
            var current: (row: Int64, many: ToMany?)?
            try channel.calling(.decoding) {
                while try statement.step() {
                    let owner = try row.integer(-2)
                    if current?.row != owner {
                        let object = session.objects[owner].map { unsafeDowncast($0, to: E.self) }
                        current = (owner, object?.links?.many(plan.index))
                    }
                    let object = try found.object(row, targets, targetType)
                    if unsafeDowncast(object, to: T.self).status != .removed { current?.many?.append(object) }
                }
            }
            return found.finish(targets, targetType, channel)
        }
    }
}

/// The objects of a statement's rows, while they are being read.
struct MadeObjects {
    private var rows: ContiguousArray<Int64> = []
    private var made: ContiguousArray<AnyObject> = []

    /// The object that the context has of the row, or a new one.
    mutating func object<E: Entity>(_ row: Row, _ session: Session, _ type: E.Type) throws -> AnyObject {
        let id = try row.integer(-1)
        rows.append(id)
        if let known = session.objects[id] { return known }
        row.id = id
        do {
            let object = try E(row: row)
            session.objects.insert(object, at: id)
            made.append(object)
            return object
        } catch let issue as ValueIssue {
            throw session.plan.undecodable(row, issue)
        }
    }

    /// Makes one group of what was found, and lets the new objects know that they are there.
    func finish<E: Entity>(_ session: Session, _ type: E.Type, _ channel: Channel) -> ContiguousArray<Int64> {
        guard !made.isEmpty else { return rows }
        if !session.plan.relationships.isEmpty {
            let group = FetchGroup(rows)
            for object in made { unsafeDowncast(object, to: E.self).group = group }
        }
        if session.plan.leavesOut(.awakeFromFetch) { return rows }
        channel.calling(.awakeFromFetch) {
            for object in made {
                unsafeDowncast(object, to: E.self).awakeFromFetch()
                if session.plan.leavesOut(.awakeFromFetch) { return }
            }
        }
        return rows
    }
}
