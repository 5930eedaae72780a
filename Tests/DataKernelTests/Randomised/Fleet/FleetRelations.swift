import DataKernel

/// One end of a relationship as the naive model knows it, and how it is read and set in an object. Written out beside
/// the entities on purpose: the model is not to learn its rules from the kernel.
struct Relation {
    let name: String
    let target: Kind
    let rule: DeleteRule
    let inverse: String?
    let isToMany: Bool
    let isOrdered: Bool
    let isRequired: Bool
    /// Where the key is: at this end, at the other, or in a table of pairs.
    let storage: Storage
    /// What the object has in memory. Of what is gone it has nothing.
    let get: (any FleetEntity) -> [any FleetEntity]
    let set: (any FleetEntity, [any FleetEntity]) -> Void

    enum Storage { case key, otherKey, pairs }

    /// SQL for the pairs of this end, in their order. Only where the end that is stored, or an order, is.
    let sql: String?

    // Proof: never changed; what its closures capture is key paths, which have no state.
    nonisolated(unsafe) static let all: [[Relation]] = [
        [
            many("ships", \Port.ships, .nullify, "port", .otherKey),
            many("children", \Port.children, .cascade, "parent", .otherKey),
            one("parent", \Port.parent, .nullify, "children"),
            many("callers", \Port.callers, .nullify, "calls", .pairs),
            many("natives", \Port.natives, .deny, "home", .otherKey),
            many("stock", \Port.stock, .noAction, "depot", .otherKey),
        ],
        [
            one("port", \Ship.port, .nullify, "ships"),
            many(
                "crates", \Ship.crates, .cascade, "ship", .otherKey, isOrdered: true,
                #"SELECT ship, _id FROM "Crate" WHERE ship IS NOT NULL "#
                    + "ORDER BY ship, ship_position IS NULL, ship_position, _id"),
            many(
                "calls", \Ship.calls, .nullify, "callers", .pairs, isOrdered: true,
                #"SELECT callers, calls FROM "Ship_calls" ORDER BY callers, position IS NULL, position, calls"#),
            one("captain", \Ship.captain, .nullify, "command", .otherKey),
            one("tender", \Ship.tender, .cascade, "mothers"),
            many("mothers", \Ship.mothers, .nullify, "tender", .otherKey),
            one("flag", \Ship.flag, .nullify, nil),
            many(
                "stops", \Ship.stops, .nullify, nil, .pairs,
                #"SELECT "Ship", stops FROM "Ship_stops" ORDER BY 1, 2"#),
        ],
        [
            one("home", \Sailor.home, .nullify, "natives"),
            one("command", \Sailor.command, .nullify, "captain"),
            many(
                "friends", \Sailor.friends, .nullify, "friends", .pairs,
                #"SELECT "Sailor", friends FROM "Sailor_friends" ORDER BY 1, 2"#),
            one("partner", \Sailor.partner, .nullify, "partner"),
            many("goods", \Sailor.goods, .nullify, "owner", .otherKey),
            many("handled", \Sailor.handled, .cascade, "handlers", .pairs),
            one("mentor", \Sailor.mentor, .deny, "pupils"),
            many("pupils", \Sailor.pupils, .nullify, "mentor", .otherKey),
            many(
                "wishes", \Sailor.wishes, .nullify, nil, .pairs, isOrdered: true,
                #"SELECT "Sailor", wishes FROM "Sailor_wishes" ORDER BY 1, position IS NULL, position, 2"#),
            required("birthplace", \Sailor.birthplace, .nullify, nil),
        ],
        [
            one("ship", \Crate.ship, .nullify, "crates"),
            required("owner", \Crate.owner, .nullify, "goods"),
            one("depot", \Crate.depot, .nullify, "stock"),
            many(
                "handlers", \Crate.handlers, .nullify, "handled", .pairs,
                #"SELECT handled, handlers FROM "Crate_handlers" ORDER BY 1, 2"#),
            one("twin", \Crate.twin, .cascade, nil),
        ],
    ]

    /// The relation that leads back.
    var back: Relation? { inverse.flatMap { name in target.relations.first { $0.name == name } } }
}

extension Relation {
    private static func key(_ name: String, _ table: String) -> String {
        "SELECT _id, \(name) FROM \"\(table)\" WHERE \(name) IS NOT NULL ORDER BY 1, 2"
    }

    private static func one<E: FleetEntity, T: FleetEntity>(
        _ name: String, _ path: ReferenceWritableKeyPath<E, T?>, _ rule: DeleteRule, _ inverse: String?,
        _ storage: Storage = .key
    ) -> Relation {
        return Relation(
            name: name, target: T.kind, rule: rule, inverse: inverse, isToMany: false, isOrdered: false,
            isRequired: false, storage: storage
        ) {
            ($0 as? E)?[keyPath: path].map { [$0] } ?? []
        } set: { object, targets in
            (object as? E)?[keyPath: path] = targets.first as? T
        } sql: {
            storage == .key ? key(name, E.kind.table) : nil
        }
    }

    private static func required<E: FleetEntity, T: FleetEntity>(
        _ name: String, _ path: ReferenceWritableKeyPath<E, T>, _ rule: DeleteRule, _ inverse: String?
    ) -> Relation {
        return Relation(
            name: name, target: T.kind, rule: rule, inverse: inverse, isToMany: false, isOrdered: false,
            isRequired: true, storage: .key
        ) {
            guard let target = ($0 as? E)?[keyPath: path], !target.isDeleted else { return [] }
            return [target]
        } set: { object, targets in
            if let target = targets.first as? T { (object as? E)?[keyPath: path] = target }
        } sql: {
            key(name, E.kind.table)
        }
    }

    private static func many<E: FleetEntity, T: FleetEntity>(
        _ name: String, _ path: ReferenceWritableKeyPath<E, [T]>, _ rule: DeleteRule, _ inverse: String?,
        _ storage: Storage, isOrdered: Bool = false, _ sql: String? = nil
    ) -> Relation {
        return Relation(
            name: name, target: T.kind, rule: rule, inverse: inverse, isToMany: true, isOrdered: isOrdered,
            isRequired: false, storage: storage
        ) {
            ($0 as? E)?[keyPath: path] ?? []
        } set: { object, targets in
            (object as? E)?[keyPath: path] = targets.compactMap { $0 as? T }
        } sql: {
            sql
        }
    }

    private init(
        name: String, target: Kind, rule: DeleteRule, inverse: String?, isToMany: Bool, isOrdered: Bool,
        isRequired: Bool, storage: Storage, get: @escaping (any FleetEntity) -> [any FleetEntity],
        set: @escaping (any FleetEntity, [any FleetEntity]) -> Void, sql: () -> String?
    ) {
        self.name = name
        self.target = target
        self.rule = rule
        self.inverse = inverse
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.isRequired = isRequired
        self.storage = storage
        self.get = get
        self.set = set
        self.sql = sql()
    }
}
