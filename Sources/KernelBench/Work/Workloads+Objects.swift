import DataKernel
import Foundation
import Synchronization

// Relationships, values, and what the main actor pays for what others save.
extension Bench {
    /// The control does what a careful program would: it reads each owner once, by its id, and keeps it in a dictionary.
    var w9: Workload {
        let count = rows / 4
        return Workload(name: "W9", title: "fetch \(count), touch the owner of each, 3 times") { isKernelFirst in
            let storage = try storage(at: ownedStore(count), BenchOwner.self, OwnedCar.self)
            let store = try RawStore(path: ownedStore(count))
            let all = try store.prepare(RawSQL.ownedCars)
            let one = try store.prepare(RawSQL.owner)
            return try Sides.inTurns(3, isKernelFirst: isKernelFirst) { times in
                for _ in times {
                    try storage.perform(ephemeral: true) { context, _ in
                        var ages = 0
                        for car in try context.fetch(Request<OwnedCar>()) { ages += car.owner?.age ?? 0 }
                        try check(ages, Bench.ages(count))
                    }
                }
            } control: { times in
                for _ in times {
                    try store.reading {
                        var cars: [PlainOwnedCar] = []
                        while try all.step() { cars.append(all.ownedCar()) }
                        all.reset()
                        var owners: [Int64: PlainOwner] = [:]
                        for car in cars where owners[car.owner] == nil {
                            one.bind(1, car.owner)
                            if try one.step() { owners[car.owner] = one.owner() }
                            one.reset()
                        }
                        var ages = 0
                        for car in cars { ages += owners[car.owner]?.age ?? 0 }
                        try check(ages, Bench.ages(count))
                    }
                }
            }
        }
    }

    private static func ages(_ count: Int) -> Int { (0..<count / 10).reduce(0) { $0 + $1 % 90 } * 10 }

    /// Only the merge is timed: the save runs on another thread while the main one waits, so that the news lies there
    /// until the next call. The control reads the 100 rows again, after another connection has changed them.
    var w12: Workload {
        let count = rows / 2
        return Workload(name: "W12", title: "merge a save of \(count) rows, 100 of them held, 5 times") {
            let storage = try kernelStore(rows)
            return try MainActor.assumeIsolated {
                let context = storage.uiContext
                let held = try context.fetch(Request<BenchCar>().limit(100))
                guard let last = held.last else { throw RawStore.Failure(description: "nothing to hold") }
                let id = last.objectID
                var total = Duration.zero
                for round in 1...5 {
                    try onThread {
                        try storage.perform(ephemeral: true) { context, save in
                            for car in try context.fetch(Request<BenchCar>().limit(count)) { car.doors = 100 + round }
                            try save()
                        }
                    }
                    total += try timed { _ = try context.object(with: id, as: BenchCar.self) }
                    try check(last.doors, 100 + round)
                }
                return total
            }
        } control: {
            let store = try controlStore(rows)
            let writer = try RawStore(path: path("control.db"))
            let places = Array(repeating: "?", count: 100).joined(separator: ", ")
            let held = try store.prepare("SELECT \(RawSQL.columns) FROM BenchCar WHERE _id IN (\(places))")
            var total = Duration.zero
            for round in 0...5 {
                try writer.execute("UPDATE BenchCar SET doors = \(100 + round) WHERE _id <= \(count)")
                let time = try timed {
                    try store.execute("BEGIN")
                    for place in 1...100 { held.bind(Int32(place), place) }
                    var cars: [PlainCar] = []
                    while try held.step() { cars.append(held.car()) }
                    held.reset()
                    try check(cars.count, 100)
                    try store.execute("COMMIT")
                }
                // The kernel has read its 100 rows before, too.
                if round > 0 { total += time }
            }
            return total
        }
    }

    var w13: Workload {
        Workload(name: "W13", title: "three columns of \(rows) as values, 3 times") { isKernelFirst in
            let storage = try kernelStore(rows)
            let store = try controlStore(rows)
            let three = try store.prepare(RawSQL.three)
            return try Sides.inTurns(3, isKernelFirst: isKernelFirst) { times in
                for _ in times {
                    try storage.perform(ephemeral: true) { context, _ in
                        let values = try context.values(Request<BenchCar>(), \.model, \.year, \.price)
                        try check(values.count, rows)
                    }
                }
            } control: { times in
                for _ in times {
                    try store.reading {
                        var values: [(String, Int, Double)] = []
                        while try three.step() {
                            values.append((three.text(0), Int(three.integer(1)), three.real(2)))
                        }
                        three.reset()
                        try check(values.count, rows)
                    }
                }
            }
        }
    }
}

/// Runs `work` on a thread that is not this one, and waits for it.
func onThread(_ work: @escaping @Sendable () throws -> Void) throws {
    let outcome = Outcome()
    Thread { outcome.end(Result(catching: work)) }.start()
    try outcome.wait()
}

/// The end of a piece of work, waited for by another thread.
final class Outcome: Sendable {
    private let result = Mutex<Result<Void, any Error>?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    func end(_ result: Result<Void, any Error>) {
        self.result.withLock { $0 = result }
        isOver.signal()
    }

    func wait() throws {
        isOver.wait()
        try result.withLock { $0 }?.get()
    }
}
