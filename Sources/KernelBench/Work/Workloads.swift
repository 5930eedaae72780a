import DataKernel
import Foundation

extension Bench {
    var workloads: [Workload] {
        [w1, w2, w3, w4, w4All, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w14Again]
    }

    private var w1: Workload {
        Workload(name: "W1", title: "create and save \(rows)") {
            let storage = try kernelStore(0)
            return try timed {
                try storage.perform(ephemeral: true) { context, save in
                    for n in 0..<rows { try context.create(BenchCar.self).fill(PlainCar(n)) }
                    try save()
                }
            }
        } control: {
            let store = try controlStore(0)
            return try timed {
                let insert = try store.prepare(RawSQL.insert)
                try store.transaction {
                    for n in 0..<rows {
                        insert.bind(PlainCar(n))
                        try insert.run()
                    }
                }
            }
        }
    }

    private var w2: Workload {
        Workload(name: "W2", title: "fetch \(rows) into objects (control: structs), 3 times") { isKernelFirst in
            let storage = try kernelStore(rows)
            let store = try controlStore(rows)
            let all = try store.prepare(RawSQL.all)
            return try Sides.inTurns(3, isKernelFirst: isKernelFirst) { times in
                for _ in times {
                    try storage.perform(ephemeral: true) { context, _ in
                        try check(context.fetch(Request<BenchCar>()).count, rows)
                    }
                }
            } control: { times in
                for _ in times {
                    try store.reading {
                        var cars: [PlainCar] = []
                        while try all.step() { cars.append(all.car()) }
                        all.reset()
                        try check(cars.count, rows)
                    }
                }
            }
        }
    }

    private var w3: Workload {
        let count = rows / 4
        return Workload(name: "W3", title: "fetch one by unique text, \(count) times") { isKernelFirst in
            let storage = try kernelStore(rows)
            let store = try controlStore(rows)
            let one = try store.prepare(RawSQL.one)
            return try storage.perform(ephemeral: true) { context, _ in
                try store.reading {
                    try Sides.inTurns(count, isKernelFirst: isKernelFirst) { slice in
                        for n in slice {
                            let model = "model-\((n &* 7) % rows)"
                            let cars = try context.fetch(Request<BenchCar>().filter(\.model == model))
                            try check(cars.count, 1)
                        }
                    } control: { slice in
                        for n in slice {
                            one.bind(1, "model-\((n &* 7) % rows)")
                            guard try one.step() else { throw RawStore.Failure(description: "no row") }
                            let car = one.car()
                            one.reset()
                            try check(car.model.isEmpty ? 0 : 1, 1)
                        }
                    }
                }
            }
        }
    }

    private func upsertControl(_ count: Int) throws -> Duration {
        let store = try controlStore(count / 2)
        return try timed {
            let upsert = try store.prepare(RawSQL.upsert)
            try store.transaction {
                for n in 0..<count {
                    upsert.bind(1, "model-\(n)")
                    upsert.bind(2, PlainCar.mark(n + 1))
                    upsert.bind(3, n)
                    upsert.bind(4, Double(n))
                    try upsert.run()
                }
            }
        }
    }

    private var w4: Workload {
        let count = rows / 2
        return Workload(name: "W4", title: "acquire and set three, \(count), half existing") {
            let storage = try kernelStore(count / 2)
            return try timed {
                try storage.perform(ephemeral: true) { context, save in
                    for n in 0..<count {
                        let car: BenchCar = try context.acquire("model-\(n)")
                        car.change(n)
                    }
                    try save()
                }
            }
        } control: {
            try upsertControl(count)
        }
    }

    private var w4All: Workload {
        let count = rows / 2
        return Workload(name: "W4a", title: "the same through acquire(all:)") {
            let storage = try kernelStore(count / 2)
            return try timed {
                try storage.perform(ephemeral: true) { context, save in
                    let cars: [BenchCar] = try context.acquire(all: (0..<count).map { "model-\($0)" })
                    for (n, car) in cars.enumerated() {
                        car.change(n)
                    }
                    try save()
                }
            }
        } control: {
            try upsertControl(count)
        }
    }

    private var w5: Workload {
        let count = rows / 100
        return Workload(name: "W5", title: "filter, sort by price, limit 100, \(count) times") { isKernelFirst in
            let storage = try kernelStore(rows)
            let store = try controlStore(rows)
            let page = try store.prepare(RawSQL.page)
            return try storage.perform(ephemeral: true) { context, _ in
                var (found, expected) = (0, 0)
                let sides = try store.reading {
                    try Sides.inTurns(count, isKernelFirst: isKernelFirst) { slice in
                        for n in slice {
                            let mark = PlainCar.mark(n)
                            let year = 1950 + n % 50
                            let request = Request<BenchCar>().filter(\.mark == mark && \.year > year)
                                .sort(\.price).limit(100)
                            found += try context.fetch(request).count
                        }
                    } control: { slice in
                        for n in slice {
                            page.bind(1, PlainCar.mark(n))
                            page.bind(2, 1950 + n % 50)
                            page.bind(3, 100)
                            var cars: [PlainCar] = []
                            while try page.step() { cars.append(page.car()) }
                            page.reset()
                            expected += cars.count
                        }
                    }
                }
                try check(found, expected)
                try check(found > 0 ? 1 : 0, 1)
                return sides
            }
        }
    }

    private var w6: Workload {
        let count = rows / 2
        return Workload(name: "W6", title: "change one attribute of \(count) and save") {
            let storage = try kernelStore(rows)
            return try storage.perform(ephemeral: true) { context, save in
                let cars = try context.fetch(Request<BenchCar>().limit(count))
                return try timed {
                    for car in cars { car.doors += 10 }
                    try save()
                }
            }
        } control: {
            let store = try controlStore(rows)
            return try timed {
                let update = try store.prepare(RawSQL.update)
                try store.transaction {
                    for n in 0..<count {
                        update.bind(1, n % 5 + 10)
                        update.bind(2, n + 1)
                        try update.run()
                    }
                }
            }
        }
    }

    private var w7: Workload {
        Workload(name: "W7", title: "wipe \(rows)") {
            let storage = try kernelStore(rows)
            return try timed {
                try storage.perform(ephemeral: true) { context, save in
                    try check(context.wipe(BenchCar.self), rows)
                    try save()
                }
            }
        } control: {
            let store = try controlStore(rows)
            return try timed { try store.transaction { try store.execute(RawSQL.wipe) } }
        }
    }

    private var w8: Workload {
        let count = rows / 40
        return Workload(name: "W8", title: "count with a filter, \(count) times") { isKernelFirst in
            let storage = try kernelStore(rows)
            let store = try controlStore(rows)
            let counting = try store.prepare(RawSQL.count)
            return try storage.perform(ephemeral: true) { context, _ in
                var (found, expected) = (0, 0)
                let sides = try store.reading {
                    try Sides.inTurns(count, isKernelFirst: isKernelFirst) { slice in
                        for n in slice {
                            let mark = PlainCar.mark(n)
                            let price = Double(n % 100) * 1000
                            found += try context.count(Request<BenchCar>().filter(\.mark == mark && \.price > price))
                        }
                    } control: { slice in
                        for n in slice {
                            counting.bind(1, PlainCar.mark(n))
                            counting.bind(2, Double(n % 100) * 1000)
                            if try counting.step() { expected += Int(counting.integer(0)) }
                            counting.reset()
                        }
                    }
                }
                try check(found, expected)
                try check(found > 0 ? 1 : 0, 1)
                return sides
            }
        }
    }
}

/// A workload that does not do its work must not be called fast.
func check(_ found: Int, _ expected: Int) throws {
    if found != expected { throw RawStore.Failure(description: "found \(found), expected \(expected)") }
}
