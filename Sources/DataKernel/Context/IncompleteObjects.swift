internal import KernelSQL

/// The objects of one entity in one context that the store would refuse as they are: they lack a required relationship,
/// require an object that does, or hold a value that cannot be stored. They stay out of the transaction until they are
/// changed, or saved. (Of edited objects that lack a relationship, only that stays out.)
///
/// A query neither sees them nor looks at them again: a loop that makes many of them costs each of them once.
final class IncompleteObjects {
    private struct Entry {
        let object: any Entity
        /// The transaction has no row of it.
        let isInsert: Bool
    }

    private var entries: [Int64: Entry] = [:]
    /// Rows by the primary key of their objects. An object that is changed leaves `entries`, and not this.
    private var keys: [StoredValue: [Int64]] = [:]
    /// Objects that wait for the object of a row, which they require.
    private var dependents: [Int64: [any Entity]] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// Whether one of them is to be written by a save.
    var hasChanges: Bool {
        entries.values.contains { $0.isInsert ? $0.object.status == .inserted : $0.object.hasChanges }
    }

    func contains(_ object: any Entity) -> Bool { entries[object.row]?.object === object }

    /// Whether the transaction has a row of it, which is not as the object is.
    func hasRow(_ object: any Entity) -> Bool { entries[object.row]?.isInsert == false }

    func add(_ object: any Entity, isInsert: Bool, key position: Int?) {
        entries[object.row] = Entry(object: object, isInsert: isInsert)
        if let key = position.flatMap({ IncompleteObjects.value(of: object, $0) }) {
            keys[key, default: []].append(object.row)
        }
    }

    /// Notes that `object` is to be looked at again when that of the row is.
    func add(dependent object: any Entity, of row: Int64) { dependents[row, default: []].append(object) }

    /// Takes the object of a row out. Gives whether it is an insert, and who waited for it.
    func remove(_ row: Int64) -> (isInsert: Bool, dependents: [any Entity])? {
        guard let entry = entries.removeValue(forKey: row) else { return nil }
        return (entry.isInsert, dependents.removeValue(forKey: row) ?? [])
    }

    /// The first object that has a primary key now.
    func object(key: StoredValue, at position: Int) -> (any Entity)? {
        guard let rows = keys[key] else { return nil }
        let left = rows.filter { row in
            guard let object = entries[row]?.object else { return false }
            return IncompleteObjects.value(of: object, position) == key
        }
        keys[key] = left.isEmpty ? nil : left
        return left.min().flatMap { entries[$0]?.object }
    }

    /// All of them, in the order of their rows.
    var objects: [any Entity] { sorted { _ in true } }
    var inserts: [any Entity] { sorted { $0 } }
    var updates: [any Entity] { sorted { !$0 } }

    private func sorted(_ isWanted: (Bool) -> Bool) -> [any Entity] {
        var rows: [Int64] = []
        for (row, entry) in entries where isWanted(entry.isInsert) { rows.append(row) }
        rows.sort()
        return rows.compactMap { entries[$0]?.object }
    }

    static func value(of object: any Entity, _ position: Int) -> StoredValue? {
        let binder = ValueBinder()
        // A key that cannot be stored is nobody's.
        guard (try? object.kernelBind(position, to: binder)) != nil else { return nil }
        return binder.values.first
    }
}

extension Session {
    /// Whether the object has all the relationships that it must have.
    func isComplete(_ object: some Entity) -> Bool {
        for key in plan.requiredKeys where object.kernelLink(key) == 0 { return false }
        return true
    }

    func isIncomplete(_ object: any Entity) -> Bool { incomplete?.contains(object) == true }

    /// The objects that wait, created ones and edited ones.
    var incompleteInserts: [any Entity] { incomplete?.inserts ?? [] }
    var incompleteUpdates: [any Entity] { incomplete?.updates ?? [] }

    /// Whether the open transaction, or the store, has a row of the object.
    func hasRow(_ object: some Entity) -> Bool {
        if object.status != .inserted { return true }
        if let incomplete, incomplete.contains(object) { return incomplete.hasRow(object) }
        return object.isClean || object.history != nil
    }

    /// Lets an object wait. It stays in the list that it is in: see ``dropIncomplete()``. Its next change is announced, as
    /// that of an object that was written.
    func hold(_ object: any Entity) {
        let incomplete = incomplete ?? IncompleteObjects()
        self.incomplete = incomplete
        incomplete.add(object, isInsert: !hasRow(object), key: plan.entity.primaryKey)
        object.isClean = true
    }

    /// Takes the objects that wait out of what is to be flushed.
    func dropIncomplete() {
        unflushed.inserts = unflushed.inserts.kept { !isIncomplete($0) }
        unflushed.updates = unflushed.updates.kept { !isIncomplete($0) }
    }

    /// What waited is to be flushed, or looked at, again, and so is what waited for it.
    func release(_ object: any Entity) {
        var next: [any Entity] = [object]
        while let object = next.popLast() {
            guard let session = object.session, let entry = session.incomplete?.remove(object.row) else { continue }
            session.requeue(object, isInsert: entry.isInsert)
            next += entry.dependents
        }
        for session in core?.openSessions ?? [] where !session.incompleteOrders.isEmpty {
            session.orders += session.incompleteOrders
            session.incompleteOrders = []
        }
    }

    func releaseAll() {
        for object in incomplete?.objects ?? [] { release(object) }
    }

    private func requeue(_ object: any Entity, isInsert: Bool) {
        object.isClean = false
        if isInsert {
            // An insert writes all attributes: what a change was announced with is not needed.
            object.history = nil
            unflushed.inserts.append(object)
        } else {
            unflushed.updates.append(object)
        }
    }
}
