internal import KernelSQL
internal import KernelSQLite

/// Gives out row ids, none of them twice: not after a rollback, not to another process, not after a removal.
///
/// Blocks of ids are reserved in the table `kernel_id`, outside the unit's transaction where that is possible: 64 at
/// first, twice as many each time, up to 65,536. A block that had to be reserved inside a transaction survives its
/// rollback (see ``Writer/undo(_:)``).
final class RowIDs {
    private struct Block {
        var next: Int64 = 0
        var end: Int64 = 0
        var size: Int64 = 64
        /// Whether rows that another program put in were looked for.
        var isGuarded = false
    }

    private let connection: Connection
    private var blocks: [Block]
    /// Reserved inside the transaction that is open: by the entity's name, how far.
    private(set) var reservedInside = RowLimits()
    /// Reserved inside a transaction that got lost: to be reserved again first thing.
    private var toReserve = RowLimits()

    private static let reserve = SQLText(
        "UPDATE kernel_id SET next = max(next, ?) + ? WHERE entity = ? "
            + "AND typeof(next) = 'integer' AND next BETWEEN 1 AND 9223372036854000000 RETURNING next")
    private static let raise = SQLText("UPDATE kernel_id SET next = max(next, ?) WHERE entity = ?")

    init(_ connection: Connection, _ plans: [EntityPlan]) {
        self.connection = connection
        blocks = Array(repeating: Block(), count: plans.count)
    }

    /// The next id of an entity. Mostly an addition.
    func next(_ plan: EntityPlan) throws -> Int64 {
        let index = plan.index
        if blocks[index].next == blocks[index].end { try reserveBlock(plan) }
        defer { blocks[index].next += 1 }
        return blocks[index].next
    }

    private func reserveBlock(_ plan: EntityPlan) throws {
        let isInside = connection.isInTransaction
        if !isInside { try connection.begin() }
        do {
            let end = try reserveRows(plan)
            if isInside {
                reservedInside.raise(plan.name, end)
            } else {
                try connection.commit()
            }
            let size = blocks[plan.index].size
            blocks[plan.index] = Block(next: end - size, end: end, size: min(size * 2, 65_536), isGuarded: true)
        } catch {
            if !isInside { try? connection.rollback() }
            throw error
        }
    }

    private func reserveRows(_ plan: EntityPlan) throws -> Int64 {
        let block = blocks[plan.index]
        let highest = block.isGuarded ? 0 : try highestRow(plan)
        guard highest < Int64.max - block.size * 2 - 1 else {
            throw DatabaseFailure(code: .full, message: "the row ids of \(plan.name) are used up")
        }
        var end: Int64 = 0
        try connection.rows(RowIDs.reserve) { statement in
            statement.bind(integer: highest + 1)
            statement.bind(integer: block.size)
            statement.bind(text: plan.name)
        } each: { row in
            row.base = 0
            end = try row.integer(0)
        }
        guard end > 0 else {
            throw DatabaseFailure(code: .corrupt, message: "kernel_id has no valid row for \(plan.name)")
        }
        return end
    }

    private func highestRow(_ plan: EntityPlan) throws -> Int64 {
        var highest: Int64 = 0
        let id = ModelCheck.idColumn.sqlIdentifier
        try connection.rows(SQLText("SELECT max(\(id)) FROM \(plan.name.sqlIdentifier)")) { row in
            row.base = 0
            if !row.isNull(0) { highest = max(0, try row.integer(0)) }
        }
        return highest
    }

    // MARK: Transactions

    /// First thing in a transaction: what a lost one had reserved.
    func transactionBegan() throws {
        guard !toReserve.isEmpty else { return }
        try raise(toReserve)
        reservedInside.raise(toReserve)
        toReserve = RowLimits()
    }

    func transactionCommitted() { reservedInside = RowLimits() }

    func transactionLost() {
        toReserve.raise(reservedInside)
        reservedInside = RowLimits()
    }

    /// Writes the reservations of a transaction whose other changes were undone.
    func keepReservations() throws { try raise(reservedInside) }

    /// Leaves out row ids that were given out.
    func raise(_ limits: RowLimits) throws {
        for (entity, next) in limits.rows {
            _ = try connection.run(RowIDs.raise) { statement in
                statement.bind(integer: next)
                statement.bind(text: entity)
            }
        }
    }
}

/// How far row ids were given out, by the entity's name.
struct RowLimits {
    private(set) var rows: [String: Int64] = [:]
    var isEmpty: Bool { rows.isEmpty }

    mutating func raise(_ entity: String, _ row: Int64) {
        if row > rows[entity] ?? .min { rows[entity] = row }
    }

    mutating func raise(_ other: RowLimits) {
        for (entity, row) in other.rows { raise(entity, row) }
    }
}
