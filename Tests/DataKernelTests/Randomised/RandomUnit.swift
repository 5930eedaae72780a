import DataKernel

/// Random operations in one unit, each done to the context and to the naive model.
final class RandomUnit {
    let world: RandomWorld
    let context: any Context
    let save: Save
    let level: Int
    var held: [Car] = []

    init(_ world: RandomWorld, _ context: any Context, _ save: @escaping Save, level: Int) {
        self.world = world
        self.context = context
        self.save = save
        self.level = level
    }

    var changes: NaiveChanges {
        get { world.model.layers[level] }
        set { world.model.layers[level] = newValue }
    }

    func below(_ count: Int) -> Int { world.random.below(count) }
    func note(_ text: String) { world.log.append("  " + String(repeating: "  ", count: level) + text) }

    func run() throws {
        try settleDuplicates()
        // The first read of a block brings what others saved.
        _ = try context.count(Request<Car>())
        try checkHeld()
        for _ in 0..<(1 + below(8)) {
            try operation()
            try settleDuplicates()
            try checkHeld()
            try checkLists()
        }
    }

    private func operation() throws {
        switch below(20) {
        case 0...2: try create()
        case 3...4: try acquire()
        case 5: try acquireMany()
        case 6...9: try edit()
        case 10: try swap()
        case 11: try removeObjects()
        case 12: try removeRequest()
        case 13: if below(4) == 0 { try wipe() }
        case 14: try saveNow()
        case 15: try undo()
        case 16: try nested()
        case 17: held = held.filter { _ in below(3) != 0 }
        default: try ask()
        }
    }

    private func randomModel() -> String { "M\(below(25))" }

    private func take(_ car: Car) throws {
        try world.noteCreated(car.objectID.row)
        changes.inserts[car.objectID.row] = car.naive
        if below(2) == 0 { held.append(car) }
    }

    private func create() throws {
        let car = try context.create(Car.self)
        car.model = randomModel()
        car.year = below(6)
        if below(2) == 0 { car.mark = "K\(below(3))" }
        note("create \(car.naive) as \(car.objectID.row)")
        try take(car)
    }

    private func take(_ car: Car, acquired key: String) throws {
        if let (row, _) = world.model.view.first(where: { $0.value["model"] == key }) {
            try agree(car.objectID.row == row, "acquire \(key) gave row \(car.objectID.row), not \(row)")
            held.append(car)
        } else {
            try agree(car.isInserted && car.naive == ["model": key, "year": "0"], "acquire made \(car.naive)")
            try take(car)
        }
    }

    private func acquire() throws {
        let key = randomModel()
        note("acquire \(key)")
        try take(try context.acquire(key), acquired: key)
    }

    private func acquireMany() throws {
        let keys = (0..<below(6)).map { _ in randomModel() }
        note("acquire \(keys)")
        let cars: [Car] = try context.acquire(all: keys)
        try agree(cars.map(\.model) == keys, "acquired others")
        for (key, car) in zip(keys, cars) { try take(car, acquired: key) }
    }

    /// An object that is there: one that is held, or a fetched one.
    private func anyCar() throws -> Car? {
        let living = held.filter { !$0.isDeleted }
        if !living.isEmpty, below(2) == 0 { return living[below(living.count)] }
        let cars = try context.fetch(Request<Car>())
        return cars.isEmpty ? nil : cars[below(cars.count)]
    }

    private func set(_ car: Car, _ name: String, _ value: String?) {
        note("row \(car.objectID.row): \(name) = \(value ?? "nil")")
        car.set(name, value)
        changes.set(car.objectID.row, name, value, world.model.base)
    }

    private func edit() throws {
        guard let car = try anyCar() else { return }
        for _ in 0..<(1 + below(3)) {
            switch below(5) {
            case 0: set(car, "model", randomModel())
            case 1: set(car, "mark", below(3) == 0 ? nil : "K\(below(3))")
            case 2: set(car, "number", below(3) == 0 ? nil : String(below(8)))
            case 3: set(car, "year", String(below(6)))
            default: set(car, "year", car.naive["year"])
            }
        }
        if below(2) == 0 { held.append(car) }
    }

    private func swap() throws {
        guard let left = try anyCar(), let right = try anyCar(), left !== right else { return }
        let (a, b) = (left.naive, right.naive)
        for name in below(2) == 0 ? ["model"] : ["mark", "number", "model"] {
            set(left, name, b[name])
            set(right, name, a[name])
        }
    }

    private func removeObjects() throws {
        let cars = try (0..<(1 + below(2))).compactMap { _ in try anyCar() }
        note("remove \(cars.map(\.objectID.row))")
        if cars.count == 1 { try context.remove(cars[0]) } else { try context.remove(cars) }
        for car in cars where world.model.view[car.objectID.row] != nil {
            changes.remove(car.objectID.row, world.model.base)
        }
    }

    private func removeRequest() throws {
        let question = randomQuestion()
        let rows = world.model.answer(question)
        note("remove by request \(question): \(rows)")
        let count = try context.remove(request(question))
        try agree(count == rows.count, "removed \(count) rows, not \(rows)")
        for row in rows { changes.remove(row, world.model.base) }
    }

    private func wipe() throws {
        note("wipe")
        let count = try context.wipe(Car.self)
        try agree(count == world.model.view.count, "wiped \(count) rows, not \(world.model.view.count)")
        changes.wipe()
    }

    private func saveNow() throws {
        note("save")
        try save()
        world.model.save()
        try agree(!context.hasChanges, "changes after a save")
    }

    private func undo() throws {
        note("rollback")
        try context.rollback()
        changes = NaiveChanges()
        try agree(!context.hasChanges, "changes after a rollback")
        held = held.filter { $0.objectID.row != 0 }
    }

    private func nested() throws {
        guard level < 2 else { return }
        note("nested")
        world.model.layers.append(NaiveChanges())
        do {
            try context.perform { child, save in
                try withoutActuallyEscaping(save) { save in
                    try RandomUnit(world, child, save, level: level + 1).run()
                    if below(4) == 0 { throw Mishap() }
                }
            }
        } catch is Mishap {
            note("nested threw")
        }
        note("end of nested")
        world.model.layers.removeLast()
    }
}
