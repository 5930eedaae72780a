internal import KernelSQL
internal import KernelSQLite
internal import Synchronization

/// A connection with the statements that were made for it. Confined like its connection.
final class Channel {
    let connection: Connection
    private let hookField = Atomic(Hook.none)
    /// The program's own code that is being called. Atomic, because another thread may ask whether there is any.
    @inline(__always) var hook: Hook {
        get { hookField.load(ordering: .relaxed) }
        set { hookField.store(newValue, ordering: .relaxed) }
    }
    private var queries: [ShapeKey: SQLText] = [:]
    /// The shape that was asked for last: a loop asks for the same one each time.
    private var last: (key: ShapeKey, text: SQLText)?
    private var updates: [[AttributeSet: SQLText]]
    /// How many requests had to be rendered. For tests.
    private(set) var renderings = 0

    /// A program has some dozens of shapes. One that makes them without end (an OR of a different length each time)
    /// must not make memory grow without end.
    private static let limit = 500

    init(_ connection: Connection, entities: Int) {
        self.connection = connection
        updates = Array(repeating: [:], count: entities)
        guard let trace = connection.trace else { return }
        connection.trace = { [weak self] event in
            if let self { self.calling(.trace) { trace(event) } } else { trace(event) }
        }
    }

    /// The statement of a shape, if it was rendered before.
    func statement(_ key: ShapeKey) -> SQLText? {
        if let last, last.key == key { return last.text }
        guard let text = queries[key] else { return nil }
        last = (key, text)
        return text
    }

    /// Renders a query, and keeps the statement for all queries of its shape. Throws
    /// ``KernelError/invalidRequest(entity:reason:)`` for what SQLite does not take, before it is given to it.
    func add(_ query: Query, _ purpose: QueryPurpose, for key: ShapeKey) throws -> SQLText {
        let sql = try QueryCompiler.sql(query, purpose, variables: connection.variableLimit)
        if queries.count >= Channel.limit { queries.removeAll() }
        renderings += 1
        let text = SQLText(sql, isSingle: QueryCompiler.findsOne(query))
        queries[key] = text
        return text
    }

    /// The statement that writes these attributes of an entity.
    func update(_ plan: EntityPlan, _ attributes: AttributeSet) -> SQLText {
        if let text = updates[plan.index][attributes] { return text }
        if updates[plan.index].count >= Channel.limit { updates[plan.index].removeAll() }
        let text = SQLText(plan.updateSQL(attributes))
        updates[plan.index][attributes] = text
        return text
    }
}
