import Foundation
import KernelSQL
import KernelSQLite

@testable import DataKernel

/// A small world of objects, and a database that has the same in it.
struct RelatedWorld {
    var towns: [Town] = []
    var humans: [Human] = []
    var firms: [Firm] = []
    var autos: [Auto] = []
    var motors: [Motor] = []
    var tyres: [Rim] = []
    var tags: [Tag] = []

    /// Few values of each attribute, so that conditions often hold; many relationships that are nil or empty.
    init(_ random: inout some RandomNumberGenerator) {
        func maybe<T>(_ values: [T]) -> T? { Int.random(in: 0...2, using: &random) == 0 ? nil : some(values) }
        func some<T>(_ values: [T]) -> T? { values.randomElement(using: &random) }
        func few<T>(_ values: [T]) -> [T] {
            values.shuffled(using: &random).prefix(.random(in: 0...3, using: &random)).map(\.self)
        }
        towns = RelatedWorld.make(3) { (town: Town, _) in town.name = some(["Bonn", "Köln"]) ?? "" }
        firms = RelatedWorld.make(2) { (firm: Firm, index) in firm.name = "Firm \(index)" }
        tags = RelatedWorld.make(3) { (tag: Tag, index) in tag.name = ["red", "old", "big"][index] }
        motors = RelatedWorld.make(4) { (motor: Motor, index) in motor.power = index }
        humans = RelatedWorld.make(6) { (human: Human, _) in
            human.name = some(["Ann", "Bob", "ann"]) ?? ""
            human.age = maybe([1, 2, 3])
            human.town = maybe(towns)
            human.town?.humans.append(human)
        }
        for human in humans { human.boss = maybe(humans) }
        for human in humans {
            for friend in few(humans) where !human.friends.contains(where: { $0 === friend }) {
                human.friends.append(friend)
                if friend !== human { friend.friends.append(human) }
            }
        }
        var free = motors
        autos = RelatedWorld.make(9) { (auto: Auto, _) in
            auto.name = some(["A", "B", "C"]) ?? ""
            auto.year = maybe([1, 2, 3])
            auto.price = Decimal(Int.random(in: 8...11, using: &random))
            auto.owner = maybe(humans)
            auto.owner?.autos.append(auto)
            auto.maker = some(firms) ?? auto.maker
            if Int.random(in: 0...3, using: &random) == 0, let motor = free.popLast() {
                auto.motor = motor
                motor.auto = auto
            }
            auto.tags = few(tags)
            for tag in auto.tags { tag.autos.append(auto) }
        }
        tyres = RelatedWorld.make(14) { (tyre: Rim, _) in
            tyre.worn = Bool.random(using: &random)
            tyre.auto = maybe(autos)
        }
        for tyre in tyres.shuffled(using: &random) { tyre.auto?.tyres.append(tyre) }
        for human in humans { human.wishes = few(autos) }
    }

    private static func make<E: Entity>(_ count: Int, _ fill: (E, Int) -> Void) -> [E] {
        (0..<count).map { index in
            let object = E()
            object.kernelState.row = Int64(index + 1)
            fill(object, index)
            return object
        }
    }
}

/// The database of a world, and what requests find in it.
final class RelatedStore {
    let connection: Connection
    private let folder: Folder

    init(_ world: RelatedWorld) throws {
        folder = try Folder()
        connection = try Connection(
            path: folder.file().path(), role: .writer, options: ConnectionOptions(synchronous: .off))
        try connection.execute("BEGIN")
        for entity in [
            Auto.entity, Human.entity, Town.entity, Firm.entity, Motor.entity, Rim.entity, Tag.entity,
        ] {
            let stored = StoredModel([entity]).entities[0]
            try connection.execute(SchemaSQL.createTable(entity))
            for index in stored.indexes { try connection.execute(SchemaSQL.createIndex(index, on: entity.name)) }
            for join in stored.joins ?? [] {
                for sql in SchemaSQL.createJoin(join) { try connection.execute(sql) }
            }
        }
        try fill(world)
        try connection.execute("COMMIT")
    }

    private func fill(_ world: RelatedWorld) throws {
        for town in world.towns { try insert("Town", town, [text(town.name)]) }
        for firm in world.firms { try insert("Firm", firm, [text(firm.name)]) }
        for tag in world.tags { try insert("Tag", tag, [text(tag.name)]) }
        for motor in world.motors { try insert("Motor", motor, [number(motor.power)]) }
        for human in world.humans {
            try insert("Human", human, [text(human.name), number(human.age), row(human.town), row(human.boss)])
            for friend in human.friends { try insert("Human_friends", [row(human), row(friend)]) }
            for (place, auto) in human.wishes.enumerated() {
                try insert("Human_wishes", [row(human), row(auto), number(place)])
            }
        }
        for auto in world.autos {
            try insert(
                "Auto", auto,
                [
                    text(auto.name), number(auto.year), text("\(auto.price)"), row(auto.owner), row(auto.maker),
                    row(auto.motor),
                ])
            for tag in auto.tags { try insert("Auto_tags", [row(auto), row(tag)]) }
        }
        for tyre in world.tyres {
            let place = tyre.auto?.tyres.firstIndex { $0 === tyre }
            try insert("Rim", tyre, [number(tyre.worn ? 1 : 0), row(tyre.auto), number(place)])
        }
    }

    private func text(_ text: String) -> StoredValue { .text(text) }
    private func number(_ number: Int?) -> StoredValue { number.map { .integer(Int64($0)) } ?? .null }
    private func row(_ object: (some Entity)?) -> StoredValue { object.map { .integer($0.kernelState.row) } ?? .null }

    private func insert(_ table: String, _ object: some Entity, _ values: [StoredValue]) throws {
        try insert(table, [row(object)] + values)
    }

    private func insert(_ table: String, _ values: [StoredValue]) throws {
        let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
        try connection.run(SQLText("INSERT INTO \(table.sqlIdentifier) VALUES (\(places))")) { statement in
            for value in values { statement.bind(stored: value) }
        }
    }

    /// The first column of what the request's statement gives.
    func run<E: Entity>(_ request: Request<E>, _ purpose: QueryPurpose = .ids) throws -> [Int64] {
        var found: [Int64] = []
        try rows(request, purpose) { found.append(try $0.integer(0)) }
        return found
    }

    /// How SQLite goes about the request.
    func plan<E: Entity>(_ request: Request<E>, _ purpose: QueryPurpose = .ids) throws -> String {
        var lines: [String] = []
        try rows(request, purpose, explained: true) { lines.append(try $0.text(3)) }
        return lines.joined(separator: "\n")
    }

    private func rows<E: Entity>(
        _ request: Request<E>, _ purpose: QueryPurpose, explained: Bool = false, _ each: (StatementRow) throws -> Void
    ) throws {
        let query = try request.checked()
        let text = (explained ? "EXPLAIN QUERY PLAN " : "") + QueryCompiler.sql(query, purpose)
        try connection.rows(SQLText(text)) { statement in
            for argument in query.arguments {
                switch argument {
                case .value(let value): statement.bind(stored: value)
                case .list(let values): statement.bind(list: ValueList(values))
                }
            }
        } each: { row in
            row.base = 0
            try each(row)
        }
    }
}
