import DataKernel
import Testing

/// Random steps in one unit of work, and what they should do.
final class UnitScript {
    private var level: NaiveLevel
    private let seed: UInt64
    /// Objects seen in this unit's context and not let go yet.
    private var held: [Int64: Car] = [:]
    private let depth: Int

    init(_ level: NaiveLevel, seed: UInt64, depth: Int = 0) {
        self.level = level
        self.seed = seed
        self.depth = depth
    }

    func takeOutcome() -> NaiveLevel { level }

    func run(_ context: any Context, _ save: Save) throws {
        for _ in 0..<level.steps {
            try step(context, save)
            try check(context)
        }
        held = [:]
    }

    private func verify(
        _ isRight: Bool, _ what: String = "", _ line: Int = #line
    ) throws {
        if !isRight { throw failure("line \(line) \(what)") }
    }

    private func failure(_ what: String) -> RandomisedFailure {
        RandomisedFailure(description: "\(what); seed \(seed); depth \(depth); steps: \(level.log.suffix(40))")
    }

    private func step(_ context: any Context, _ save: Save) throws {
        let dice = number(100)
        level.log.append("\(depth):\(dice)")
        switch dice {
        case 0..<12: try create(context)
        case 12..<24: try acquire(context)
        case 24..<44: edit()
        case 44..<49: swap()
        case 49..<56: try remove(context)
        case 56..<60: try removeRequest(context)
        case 60..<62: try wipe(context)
        case 62..<76: try fetch(context)
        case 76..<80: try count(context)
        case 80..<88: try self.save(context, save)
        case 88..<91: try rollback(context)
        case 91..<95: held = held.filter { _ in number(2) == 0 }
        default: if depth < 3 { try nested(context) }
        }
    }

    // MARK: Steps

    private func create(_ context: any Context) throws {
        let car = try context.create(Car.self)
        car.model = name()
        let row = car.objectID.row
        try verify(level.everUsed.insert(row).inserted, "row \(row) was given out twice")
        level.changes.inserted[row] = car.naive
        held[row] = car
    }

    private func acquire(_ context: any Context) throws {
        let model = name()
        try flushing {
            let car: Car = try context.acquire(model)
            let row = car.objectID.row
            if let known = level.visible.first(where: { $0.value.model == model }) {
                try verify(row == known.key && car.naive == known.value)
            } else {
                try verify(level.everUsed.insert(row).inserted)
                level.changes.inserted[row] = NaiveCar(model: model, mark: nil, year: 0)
            }
            try hold(car)
        }
    }

    private func edit() {
        guard let car = anyHeld() else { return }
        let model = name()
        let year = number(5)
        let mark = number(3) == 0 ? nil : "mark \(number(3))"
        let kind = number(6)
        switch kind {
        case 0: car.model = model
        case 1, 2: car.mark = mark
        default: car.year = year
        }
        level.changes.edit(
            car.objectID.row,
            { naive in
                switch kind {
                case 0: naive.model = model
                case 1, 2: naive.mark = mark
                default: naive.year = year
                }
            }, level.visible)
    }

    private func swap() {
        guard let one = anyHeld(), let other = anyHeld(), one !== other else { return }
        let models = (one.model, other.model)
        (one.model, other.model) = (models.1, models.0)
        level.changes.edit(one.objectID.row, { $0.model = models.1 }, level.visible)
        level.changes.edit(other.objectID.row, { $0.model = models.0 }, level.visible)
    }

    private func remove(_ context: any Context) throws {
        guard let car = anyHeld() else { return }
        try context.remove(car)
        level.changes.remove(car.objectID.row)
    }

    private func removeRequest(_ context: any Context) throws {
        let year = number(5)
        try flushing {
            let victims = level.visible.filter { $0.value.year == year }.keys
            let count = try context.remove(Request<Car>().filter(\.year == year))
            try verify(count == victims.count)
            for row in victims { level.changes.remove(row) }
        }
    }

    private func wipe(_ context: any Context) throws {
        try flushing {
            let count = try context.wipe(Car.self)
            try verify(count == level.visible.count)
            level.changes.wipe()
        }
    }

    private func fetch(_ context: any Context) throws {
        let year = number(5)
        let limit = number(8)
        try flushing {
            let cars = try context.fetch(
                Request<Car>().filter(\.year >= year || \.mark == nil).sort(\.model, .descending).limit(limit))
            let expected = level.visible.filter { $0.value.year >= year || $0.value.mark == nil }
                .sorted { $0.value.model > $1.value.model }.prefix(limit)
            try verify(cars.map(\.objectID.row) == expected.map(\.key))
            for car in cars { try hold(car) }
        }
    }

    private func count(_ context: any Context) throws {
        let mark = number(3) == 0 ? nil : "mark \(number(3))"
        try flushing {
            let count = try context.count(Request<Car>().filter(\.mark == mark))
            try verify(count == level.visible.values.filter { $0.mark == mark }.count)
        }
    }

    private func save(_ context: any Context, _ save: Save) throws {
        try flushing {
            try save()
            level.committed = level.visible
            level.below = level.below.map { _ in NaiveChanges() }
            level.changes = NaiveChanges()
            try verify(!context.hasChanges)
        }
    }

    private func rollback(_ context: any Context) throws {
        try context.rollback()
        level.changes = NaiveChanges()
        // An object that was created and undone belongs to nobody.
        held = held.filter { level.visible[$0.key] != nil }
    }

    private func nested(_ context: any Context) throws {
        // Before a nested unit begins, what this one did goes into the transaction.
        try flushing {
            var inner = level
            inner.below.append(level.changes)
            inner.changes = NaiveChanges()
            inner.steps = number(10)
            let script = UnitScript(inner, seed: seed, depth: depth + 1)
            let throwing = number(4) == 0
            do {
                try context.perform { child, save in
                    try script.run(child, save)
                    if throwing { throw Mishap() }
                }
                try verify(!throwing)
            } catch is Mishap {}
            let outcome = script.takeOutcome()
            level.committed = outcome.committed
            level.below = Array(outcome.below.dropLast())
            level.changes = outcome.below.last ?? NaiveChanges()
            level.everUsed = outcome.everUsed
            level.random = outcome.random
        }
    }

    // MARK: Comparing

    /// A step that flushes first. With two cars of the same model it fails, and nothing has happened.
    private func flushing(_ body: () throws -> Void) throws {
        guard level.visible.hasDuplicates else { return try body() }
        do {
            try body()
            throw failure("two cars have the same model and nobody complained")
        } catch KernelError.uniqueViolation(_, let attributes, _) {
            try verify(attributes == ["model"])
        }
    }

    private func check(_ context: any Context) throws {
        let visible = level.visible
        for (row, car) in held {
            if let expected = visible[row] {
                try verify(!car.isDeleted && car.naive == expected, "row \(row)")
            } else {
                try verify(car.isDeleted, "row \(row)")
            }
        }
        var changes = level.changes
        changes.prune(level.base)
        try verify(changes.isEmpty || context.hasChanges)
        try verify(Set(context.insertedObjects.map(\.objectID.row)) == Set(level.changes.inserted.keys))
    }

    private func hold(_ car: Car) throws {
        let row = car.objectID.row
        if let known = held[row] { try verify(known === car, "two objects of row \(row)") }
        held[row] = car
    }

    // MARK: Chance

    private func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &level.random) }
    private func name() -> String { "model \(number(40))" }
    private func anyHeld() -> Car? {
        let rows = held.keys.sorted().filter { level.visible[$0] != nil }
        return rows.isEmpty ? nil : held[rows[number(rows.count)]]
    }
}

struct RandomisedFailure: Error, CustomStringConvertible {
    let description: String
}
