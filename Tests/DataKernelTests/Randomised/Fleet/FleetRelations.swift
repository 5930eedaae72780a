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
    /// Not through a key path, which would read the property before it sets it.
    let set: (any FleetEntity, [any FleetEntity]) -> Void

    enum Storage { case key, otherKey, pairs }

    /// SQL for the pairs of this end, in their order. Only where the end that is stored, or an order, is.
    let sql: String?

    // Proof: never changed; what its closures capture is key paths, which have no state.
    nonisolated(unsafe) static let all: [[Relation]] = [
        [
            many("ships", \Port.ships, .nullify, "port", .otherKey) { $0.ships = $1 },
            many("children", \Port.children, .cascade, "parent", .otherKey) { $0.children = $1 },
            one("parent", \Port.parent, .nullify, "children") { $0.parent = $1 },
            many("callers", \Port.callers, .nullify, "calls", .pairs) { $0.callers = $1 },
            many("natives", \Port.natives, .deny, "home", .otherKey) { $0.natives = $1 },
            many("stock", \Port.stock, .noAction, "depot", .otherKey) { $0.stock = $1 },
        ],
        [
            one("port", \Ship.port, .nullify, "ships") { $0.port = $1 },
            many(
                "crates", \Ship.crates, .cascade, "ship", .otherKey, isOrdered: true,
                #"SELECT ship, _id FROM "Crate" WHERE ship IS NOT NULL "#
                    + "ORDER BY ship, ship_position IS NULL, ship_position, _id"
            ) { $0.crates = $1 },
            many(
                "calls", \Ship.calls, .nullify, "callers", .pairs, isOrdered: true,
                #"SELECT callers, calls FROM "Ship_calls" ORDER BY callers, position IS NULL, position, calls"#
            ) { $0.calls = $1 },
            one("captain", \Ship.captain, .nullify, "command", .otherKey) { $0.captain = $1 },
            one("tender", \Ship.tender, .cascade, "mothers") { $0.tender = $1 },
            many("mothers", \Ship.mothers, .nullify, "tender", .otherKey) { $0.mothers = $1 },
            one("flag", \Ship.flag, .nullify, nil) { $0.flag = $1 },
            many(
                "stops", \Ship.stops, .nullify, nil, .pairs,
                #"SELECT "Ship", stops FROM "Ship_stops" ORDER BY 1, 2"#
            ) { $0.stops = $1 },
        ],
        [
            one("home", \Sailor.home, .nullify, "natives") { $0.home = $1 },
            one("command", \Sailor.command, .nullify, "captain") { $0.command = $1 },
            many(
                "friends", \Sailor.friends, .nullify, "friends", .pairs,
                #"SELECT "Sailor", friends FROM "Sailor_friends" ORDER BY 1, 2"#
            ) { $0.friends = $1 },
            one("partner", \Sailor.partner, .nullify, "partner") { $0.partner = $1 },
            many("goods", \Sailor.goods, .nullify, "owner", .otherKey) { $0.goods = $1 },
            many("handled", \Sailor.handled, .cascade, "handlers", .pairs) { $0.handled = $1 },
            one("mentor", \Sailor.mentor, .deny, "pupils") { $0.mentor = $1 },
            many("pupils", \Sailor.pupils, .nullify, "mentor", .otherKey) { $0.pupils = $1 },
            many(
                "wishes", \Sailor.wishes, .nullify, nil, .pairs, isOrdered: true,
                #"SELECT "Sailor", wishes FROM "Sailor_wishes" ORDER BY 1, position IS NULL, position, 2"#
            ) { $0.wishes = $1 },
            required("birthplace", \Sailor.birthplace, .nullify, nil) { $0.birthplace = $1 },
        ],
        [
            one("ship", \Crate.ship, .nullify, "crates") { $0.ship = $1 },
            required("owner", \Crate.owner, .nullify, "goods") { $0.owner = $1 },
            one("depot", \Crate.depot, .nullify, "stock") { $0.depot = $1 },
            many(
                "handlers", \Crate.handlers, .nullify, "handled", .pairs,
                #"SELECT handled, handlers FROM "Crate_handlers" ORDER BY 1, 2"#
            ) { $0.handlers = $1 },
            one("twin", \Crate.twin, .cascade, nil) { $0.twin = $1 },
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
        _ name: String, _ path: KeyPath<E, T?>, _ rule: DeleteRule, _ inverse: String?,
        _ storage: Storage = .key, _ put: @escaping (E, T?) -> Void
    ) -> Relation {
        return Relation(
            name: name, target: T.kind, rule: rule, inverse: inverse, isToMany: false, isOrdered: false,
            isRequired: false, storage: storage
        ) {
            ($0 as? E)?[keyPath: path].map { [$0] } ?? []
        } set: { object, targets in
            if let object = object as? E { put(object, targets.first as? T) }
        } sql: {
            storage == .key ? key(name, E.kind.table) : nil
        }
    }

    private static func required<E: FleetEntity, T: FleetEntity>(
        _ name: String, _ path: KeyPath<E, T>, _ rule: DeleteRule, _ inverse: String?,
        _ put: @escaping (E, T) -> Void
    ) -> Relation {
        return Relation(
            name: name, target: T.kind, rule: rule, inverse: inverse, isToMany: false, isOrdered: false,
            isRequired: true, storage: .key
        ) {
            guard let target = ($0 as? E)?[keyPath: path], !target.isDeleted else { return [] }
            return [target]
        } set: { object, targets in
            if let object = object as? E, let target = targets.first as? T { put(object, target) }
        } sql: {
            key(name, E.kind.table)
        }
    }

    private static func many<E: FleetEntity, T: FleetEntity>(
        _ name: String, _ path: KeyPath<E, [T]>, _ rule: DeleteRule, _ inverse: String?,
        _ storage: Storage, isOrdered: Bool = false, _ sql: String? = nil, _ put: @escaping (E, [T]) -> Void
    ) -> Relation {
        return Relation(
            name: name, target: T.kind, rule: rule, inverse: inverse, isToMany: true, isOrdered: isOrdered,
            isRequired: false, storage: storage
        ) {
            ($0 as? E)?[keyPath: path] ?? []
        } set: { object, targets in
            if let object = object as? E { put(object, targets.compactMap { $0 as? T }) }
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
