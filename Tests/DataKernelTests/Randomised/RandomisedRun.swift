import DataKernel
import Testing

/// One randomised run: the kernel on one side, ``NaiveChanges`` on the other, compared after each step.
@MainActor
final class RandomisedRun {
    let storage: SQLiteStorage
    let seed: UInt64
    private var random: SeededGenerator
    private var stepsLeft: Int
    private var committed: [Int64: NaiveCar] = [:]
    /// What the save context left unsaved.
    private var left = NaiveChanges()
    private var everUsed: Set<Int64> = []
    private var shown: [Car] = []

    init(_ storage: SQLiteStorage, seed: UInt64, steps: Int) {
        self.storage = storage
        self.seed = seed
        random = SeededGenerator(seed: seed)
        stepsLeft = steps
    }

    func run() throws {
        while stepsLeft > 0 {
            try unit()
            try checkMainContext()
        }
    }

    // MARK: Units

    private func unit() throws {
        let ephemeral = chance(60)
        // The block cannot touch the main actor's state: it takes its own copy and gives back what came of it.
        let level = NaiveLevel(
            committed: committed, below: [], changes: ephemeral ? NaiveChanges() : left, everUsed: everUsed,
            random: random, steps: min(stepsLeft, Int.random(in: 1...25, using: &random)))
        let script = UnitScript(level, seed: seed)
        stepsLeft -= level.steps
        let outcome = try storage.perform(ephemeral: ephemeral) { context, save in
            try script.run(context, save)
            return script.takeOutcome()
        }
        committed = outcome.committed
        everUsed = outcome.everUsed
        random = outcome.random
        if !ephemeral { left = outcome.changes }
        left.prune(committed)
    }

    /// Every object that the main actor's context was seen to have is as the store is.
    private func checkMainContext() throws {
        for car in shown {
            if let expected = committed[car.objectID.row] {
                #expect(!car.isDeleted && car.naive == expected, "seed \(seed)")
            } else {
                #expect(car.isDeleted, "seed \(seed)")
            }
        }
        if chance(30) {
            let cars = try storage.uiContext.fetch(Request<Car>())
            #expect(cars.map(\.objectID.row) == committed.keys.sorted(), "seed \(seed)")
            for car in cars { #expect(car.naive == committed[car.objectID.row], "seed \(seed)") }
            shown = chance(50) ? Array(cars.prefix(5)) : cars
        }
        shown.removeAll(where: \.isDeleted)
    }

    private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
}

extension Car {
    var naive: NaiveCar { NaiveCar(model: model, mark: mark, year: year) }
}

/// What a unit knows when it begins, and what came of it.
struct NaiveLevel: Sendable {
    var committed: [Int64: NaiveCar]
    /// What the units around it did.
    var below: [NaiveChanges]
    var changes: NaiveChanges
    var everUsed: Set<Int64>
    var random: SeededGenerator
    var steps: Int
    /// The last steps, for the message of a failure.
    var log: [String] = []

    var base: [Int64: NaiveCar] { below.reduce(committed) { $1.applied(to: $0) } }
    var visible: [Int64: NaiveCar] { changes.applied(to: base) }
}
