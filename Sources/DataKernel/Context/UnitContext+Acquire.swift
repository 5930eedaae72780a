internal import Foundation
internal import KernelSQL
internal import KernelSQLite

extension UnitContext {
    func acquire<E: Entity>(_ key: some AttributeValue) throws -> E {
        let session = try session(E.self)
        guard let position = session.plan.entity.primaryKey else {
            throw KernelError.noPrimaryKey(entity: session.plan.name)
        }
        return try acquire(stored: try keyValue(key, session, position), session, position)
    }

    private func acquire<E: Entity>(stored value: StoredValue, _ session: Session, _ position: Int) throws -> E {
        let (text, _) = try keyStatement(session, session.plan.sql.selectKey)
        try prepareToRead()
        let found: [E] = try objects(session, text) { $0.bind(stored: value) }
        if let incomplete = session.incomplete, !incomplete.isEmpty {
            return try owner(of: value, found.first, incomplete, position) ?? createWithKey(value, session, position)
        }
        return try found.first ?? createWithKey(value, session, position)
    }

    func acquire<E: Entity, K: AttributeValue>(all keys: some Sequence<K>) throws -> [E] {
        let session = try session(E.self)
        let (text, position) = try keyStatement(session, session.plan.sql.selectKeys)
        let values = try keys.map { try keyValue($0, session, position) }
        guard !values.isEmpty else { return [] }
        try prepareToRead()
        let found: [E] = try objects(session, text) { $0.bind(list: ValueList(values)) }
        var known: [StoredValue: E] = [:]
        known.reserveCapacity(values.count)
        for object in found {
            let binder = ValueBinder()
            try object.kernelBind(position, to: binder)
            if let value = binder.values.first { known[value] = object }
        }
        return try values.map { value in
            if let object = known[value] { return object }
            if let object = session.incomplete?.object(key: value, at: position) as? E {
                known[value] = object
                return object
            }
            // What was told before that it is there may have acquired this one, too.
            let object: E =
                session.plan.leavesOut(.awakeFromInsert)
                ? try createWithKey(value, session, position) : try acquire(stored: value, session, position)
            known[value] = object
            return object
        }
    }

    /// The object that has a key now. One that is not complete may have another one than its row, or no row.
    private func owner<E: Entity>(
        of key: StoredValue, _ found: E?, _ incomplete: IncompleteObjects, _ position: Int
    ) throws -> E? {
        guard let found else { return incomplete.object(key: key, at: position) as? E }
        if !incomplete.contains(found) || IncompleteObjects.value(of: found, position) == key { return found }
        return incomplete.object(key: key, at: position) as? E
    }

    private func keyStatement(_ session: Session, _ text: SQLText?) throws -> (SQLText, Int) {
        guard let text, let position = session.plan.entity.primaryKey else {
            throw KernelError.noPrimaryKey(entity: session.plan.name)
        }
        return (text, position)
    }

    /// The key as it is stored. Throws when the primary key cannot have it.
    private func keyValue(_ key: some AttributeValue, _ session: Session, _ position: Int) throws -> StoredValue {
        let attribute = session.plan.entity.attributes[position]
        let value: StoredValue
        do {
            value = try key.queryValue()
        } catch let issue as ValueIssue {
            throw KernelError.invalidValue(entity: session.plan.name, attribute: attribute.name, reason: issue.reason)
        }
        // An integer for a real key, another spelling of a decimal one: the form that is stored is looked for.
        guard !value.isNull, let stored = attribute.storageClass.converting(value, of: type(of: key).storageClass)
        else {
            throw wrongKey(session, attribute, value.kindName)
        }
        return stored
    }

    private func wrongKey(_ session: Session, _ attribute: AttributeDescription, _ found: String) -> KernelError {
        .wrongKeyType(
            entity: session.plan.name, attribute: attribute.name, expected: attribute.storageClass.kindName,
            found: found)
    }

    private func createWithKey<E: Entity>(_ value: StoredValue, _ session: Session, _ position: Int) throws -> E {
        let object = E()
        do {
            try object.kernelTakeKey(SingleValueRow(value))
        } catch let issue as ValueIssue {
            let name = session.plan.entity.attributes[position].name
            throw KernelError.invalidValue(entity: session.plan.name, attribute: name, reason: issue.reason)
        }
        try insert(object)
        return object
    }
}

/// A row with one value, which every attribute reads: how a key gets into a new object.
final class SingleValueRow: Row {
    private let value: StoredValue
    init(_ value: StoredValue) {
        self.value = value
        super.init()
    }

    override func isNull(_ attribute: Int) -> Bool { value.isNull }
    override func integer(_ attribute: Int) throws -> Int64 {
        guard case .integer(let value) = value else { throw unexpected("an integer") }
        return value
    }
    override func real(_ attribute: Int) throws -> Double {
        switch value {
        case .real(let value): return value
        case .integer(let value): return Double(value)
        default: throw unexpected("a real number")
        }
    }
    override func text(_ attribute: Int) throws -> String {
        guard case .text(let value) = value else { throw unexpected("text") }
        return value
    }
    override func blob(_ attribute: Int) throws -> Data {
        guard case .blob(let value) = value else { throw unexpected("data") }
        return value
    }

    private func unexpected(_ wanted: String) -> ValueIssue {
        ValueIssue("cannot be \(value.kindName); it is \(wanted)")
    }
}
