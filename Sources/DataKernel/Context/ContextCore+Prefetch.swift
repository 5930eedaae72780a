internal import KernelSQL

extension ContextCore {
    /// Loads relationships of a fetch result: one statement for each step of a way, however many objects there are.
    func prefetch<E: Entity>(_ ways: [[Int]], of objects: [E], _ session: Session) throws {
        // One that `awakeFromFetch` had read again, and that was gone, has none any more.
        for object in objects {
            guard let group = object.group else { continue }
            return try prefetch(ways, 0, group.rows, session, E.self, group)
        }
    }

    /// Loads the relationships at that depth of the ways, and what lies behind them. What is found lives as long as the
    /// group of the result.
    private func prefetch<E: Entity>(
        _ ways: [[Int]], _ depth: Int, _ rows: ContiguousArray<Int64>, _ session: Session, _ type: E.Type,
        _ group: FetchGroup
    ) throws {
        var steps: [Int] = []
        for way in ways where way.count > depth && !steps.contains(way[depth]) {
            steps.append(way[depth])
            let plan = session.plan.relationships[way[depth]]
            let found = try load(plan, of: rows, session, type, group)
            let targets = try self.session(at: plan.target)
            if found.isEmpty { continue }
            let onward = ways.filter { $0.count > depth && $0[depth] == way[depth] }
            try prefetch(onward, depth + 1, found, targets, targets.plan.type, group)
        }
    }

    /// Loads one relationship, and returns the rows at its other end, each once.
    private func load<E: Entity>(
        _ plan: RelationshipPlan, of rows: ContiguousArray<Int64>, _ session: Session, _ type: E.Type,
        _ group: FetchGroup
    ) throws -> ContiguousArray<Int64> {
        var seen: Set<Int64> = []
        var found: ContiguousArray<Int64> = []
        if let attribute = plan.key {
            try loadTargets(of: rows, session, plan, attribute, type, into: group)
            for row in rows {
                guard let object = session.objects[row] else { continue }
                let link = unsafeDowncast(object, to: type).kernelLink(attribute)
                if link != 0, seen.insert(link).inserted { found.append(link) }
            }
            return found
        }
        _ = try loadMembers(of: rows, session, plan, type)
        for row in rows {
            guard let object = session.objects[row],
                let many = unsafeDowncast(object, to: type).links?.many(plan.index)
            else { continue }
            for case let member as any Entity in many.objects where seen.insert(member.row).inserted {
                found.append(member.row)
            }
        }
        return found
    }
}
