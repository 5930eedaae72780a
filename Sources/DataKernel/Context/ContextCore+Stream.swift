internal import KernelSQL
internal import KernelSQLite

extension ContextCore {
    func stream<E: Entity>(_ request: Request<E>, batch: Int, _ body: (E) throws -> Void) throws {
        let session = try session(E.self)
        try prepareToRead()
        var rows = try packedIDs(request, session).reader
        while true {
            let some = rows.next(batch)
            if some.isEmpty { return }
            try stream(some, request.prefetches, session, body)
        }
    }

    private func packedIDs<E: Entity>(_ request: Request<E>, _ session: Session) throws -> PackedRows {
        var rows = PackedRows()
        try eachID(request, session) { rows.append($0) }
        return rows
    }

    /// One batch. Nothing here may keep an object over the end of it.
    private func stream<E: Entity>(
        _ rows: [Int64], _ prefetches: [[Int]], _ session: Session, _ body: (E) throws -> Void
    ) throws {
        // Rows that the body removed must not be read again.
        try prepareToRead()
        // Relationships that were loaded on the way make rings of objects, which end by this only. All that the body
        // changed is in the transaction now, so that they can be loaded again.
        if needsTrim {
            letGo()
            trim()
        }
        let objects = try objects(session, session.plan.sql.selectRows, as: E.self) {
            $0.bind(list: ValueList(integers: rows))
        }
        if !prefetches.isEmpty { try prefetch(prefetches, of: objects, session) }
        // They came in the order of their ids; the array keeps them while they are taken in the request's.
        try withExtendedLifetime(objects) {
            for row in rows {
                guard let known = session.objects[row] else { continue }
                let object = unsafeDowncast(known, to: E.self)
                if !object.isDeleted { try body(object) }
            }
        }
    }
}
