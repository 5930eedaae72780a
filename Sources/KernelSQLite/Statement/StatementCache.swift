internal import CKernelSQLite
internal import KernelSQL

/// A cached text's place: holds its statement while nobody has borrowed it.
final class StatementSlot {
    let text: SQLText
    var idle: Statement?
    var lastUse = 0
    /// Set when the slot leaves the cache, so that a borrowed statement does not come back into it.
    var isEvicted = false

    init(_ text: SQLText) { self.text = text }
}

/// A connection's prepared statements, by the identity of their text, the least recently used going first.
///
/// A borrowed statement belongs to the borrower alone. Who asks for it meanwhile (a loop that runs the same text
/// inside itself) gets a second one; the first to come back is kept.
final class StatementCache {
    // The call of a cache's method is over before the next begins, so accesses cannot overlap.
    @exclusivity(unchecked)
    private var slots: [ObjectIdentifier: StatementSlot] = [:]
    /// The slots that were asked for last: a loop asks for the same few each time.
    @exclusivity(unchecked)
    private var recent: [StatementSlot] = []
    private var nextRecent = 0
    private static let recentLimit = 4
    private let limit: Int
    private let handle: Handle
    private var clock = 0

    init(limit: Int, handle: Handle) {
        self.limit = max(1, limit)
        self.handle = handle
    }

    func borrow(_ text: SQLText) throws -> Statement {
        clock += 1
        for slot in recent where slot.text === text {
            guard let statement = slot.idle else { break }
            slot.lastUse = clock
            slot.idle = nil
            return statement
        }
        // The slot keeps its text alive, so no other text can take its identity over.
        if let slot = slots[ObjectIdentifier(text)] {
            slot.lastUse = clock
            remember(slot)
            if let statement = slot.idle {
                slot.idle = nil
                return statement
            }
            return try prepare(text, slot: slot)
        }
        let slot = StatementSlot(text)
        let statement = try prepare(text, slot: slot)
        if slots.count >= limit { evictOne() }
        slot.lastUse = clock
        slots[ObjectIdentifier(text)] = slot
        return statement
    }

    func giveBack(_ statement: Statement) {
        statement.clear()
        guard let slot = statement.slot, !slot.isEvicted, slot.idle == nil else { return }
        slot.idle = statement
    }

    /// How many texts have a place.
    var count: Int { slots.count }

    func removeAll() {
        for slot in slots.values { evict(slot) }
        slots = [:]
    }

    private func evictOne() {
        // A look at every slot costs a tenth of the prepare that brought us here.
        guard let oldest = slots.values.min(by: { $0.lastUse < $1.lastUse }) else { return }
        slots[ObjectIdentifier(oldest.text)] = nil
        evict(oldest)
    }

    private func remember(_ slot: StatementSlot) {
        if recent.contains(where: { $0 === slot }) { return }
        if recent.count < StatementCache.recentLimit { return recent.append(slot) }
        recent[nextRecent] = slot
        nextRecent = (nextRecent + 1) % StatementCache.recentLimit
    }

    private func evict(_ slot: StatementSlot) {
        if let index = recent.firstIndex(where: { $0 === slot }) {
            recent.remove(at: index)
            nextRecent = 0
        }
        slot.isEvicted = true
        slot.idle = nil
    }

    private func prepare(_ text: SQLText, slot: StatementSlot) throws -> Statement {
        let (statement, rest) = try handle.prepare(text.text[...], isControl: text.isControl, slot: slot)
        guard let statement else {
            throw DatabaseFailure(code: .misuse, message: "the text holds no statement", sql: text.text)
        }
        guard rest.allSatisfy({ $0.isWhitespace || $0 == ";" }) else {
            throw DatabaseFailure(code: .misuse, message: "the text holds more than one statement", sql: text.text)
        }
        return statement
    }
}

extension Handle {
    /// Prepares the first statement of `sql`. Gives nil for blanks and comments, and what follows the statement.
    func prepare(_ sql: Substring, isControl: Bool = false, slot: StatementSlot? = nil) throws -> (
        Statement?, Substring
    ) {
        if isClosed { throw Handle.closed }
        if lateSettings != nil { try applyLateSettings() }
        if fault != nil, !isControl { try consult(.prepare(String(sql)), sql: String(sql)) }
        guard !sql.utf8.contains(0) else {
            throw DatabaseFailure(code: .misuse, message: "the text of a statement holds NUL")
        }
        counters.prepares += 1
        var pointer: OpaquePointer?
        var used = 0
        let code = sql.withCString { start in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(
                database, start, -1, UInt32(bitPattern: SQLITE_PREPARE_PERSISTENT), &pointer, &tail)
            if let tail { used = tail - start }
            return code
        }
        guard code == SQLITE_OK else { throw failure(code, sql: String(sql)) }
        let end = sql.utf8.index(sql.startIndex, offsetBy: used, limitedBy: sql.endIndex) ?? sql.endIndex
        guard let pointer else { return (nil, sql[end...]) }
        let text = String(sql[..<end])
        return (Statement(pointer: pointer, sql: text, isControl: isControl, slot: slot, handle: self), sql[end...])
    }
}
