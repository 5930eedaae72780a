internal import KernelSQL
internal import KernelSQLite

extension ContextCore {
    func select<E: Entity>(
        _ request: Request<E>, _ attributes: [PartialKeyPath<E>], distinct: Bool, _ body: (Row) throws -> Void
    ) throws {
        let session = try session(E.self)
        var paths: [AttributePath] = []
        for attribute in attributes { paths.append(try columnPath(attribute)) }
        let columns = Columns(paths, isDistinct: distinct)
        var query = try request.checked()
        if distinct { try requireColumns(query.order, columns, session.plan) }
        query.columns = columns
        try prepareToRead()
        var count = 0
        do {
            try run(query, .fetch, session.plan) { statement in
                statement.row.base = 0
                try channel.calling(.decoding) {
                    while try statement.step() {
                        do {
                            try body(statement.row)
                        } catch let issue as ValueIssue {
                            throw UnreadableValue(column: statement.row.lastRead, issue: issue)
                        }
                        count += 1
                    }
                }
            }
        } catch let failure as UnreadableValue {
            let path = columns.paths[min(max(failure.column, 0), columns.paths.count - 1)]
            throw KernelError.undecodable(
                entity: session.plan.name, attribute: session.plan.entity.attribute(at: path).name,
                row: distinct ? 0 : try rowID(count, of: query, session.plan), reason: failure.issue.reason)
        }
    }

    private func columnPath<E: Entity>(_ attribute: PartialKeyPath<E>) throws -> AttributePath {
        if let position = E.entity.position(of: attribute) { return AttributePath(position) }
        switch HopTable.meaning(of: attribute) ?? .failure(BrokenStep(attribute)) {
        case .success(let known): return known.path
        case .failure(let step): throw Lookup.notAnAttribute(step).error(in: E.entity)
        }
    }

    /// Of many rows with the same values there is no one whose other values could be sorted by.
    private func requireColumns(_ order: [SortKey], _ columns: Columns, _ plan: EntityPlan) throws {
        for key in order where !columns.paths.contains(key.path) {
            let name = plan.entity.attribute(at: key.path).name
            throw KernelError.invalidRequest(
                entity: plan.name,
                reason:
                    "distinct values are sorted by \(name), which is not among them; ask for it, too, or sort by others"
            )
        }
    }

    /// The id of the n-th row of a query. Values come without ids, which only errors have to know.
    private func rowID(_ number: Int, of query: Query, _ plan: EntityPlan) throws -> Int64 {
        var query = query
        query.columns = Columns([AttributePath(hops: [], leaf: .id)])
        return try run(query, .fetch, plan) { statement in
            statement.row.base = 0
            for _ in 0..<number { guard try statement.step() else { return 0 } }
            return try statement.step() ? try statement.row.integer(0) : 0
        }
    }
}

/// A column of a row of values that could not be read as what was asked for. Thrown and caught in `select`.
private struct UnreadableValue: Error {
    let column: Int
    let issue: ValueIssue
}
