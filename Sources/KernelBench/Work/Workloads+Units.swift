import DataKernel
import Foundation

// Many small units of work: what a server does all day.
extension Bench {
    /// A nested unit's `save` goes up to the store: each of the units here is durable when it ends. So the control
    /// commits each, too; and it reads the row that it changes, because the kernel's unit has to have the object.
    var w10: Workload {
        let count = rows / 20
        return Workload(name: "W10", title: "nested units that change one and save, \(count)") {
            let storage = try kernelStore(rows)
            let ids = try storage.read { try $0.fetch(Request<BenchCar>().limit(count)).map(\.objectID) }
            return try timed {
                try storage.perform(ephemeral: true) { context, _ in
                    for id in ids {
                        try context.perform { child, save in
                            guard let car = try child.object(with: id, as: BenchCar.self) else { return }
                            car.doors += 10
                            try save()
                        }
                    }
                }
                try check(storage.read { try $0.count(Request<BenchCar>().filter(\.doors >= 10)) }, count)
            }
        } control: {
            let store = try controlStore(rows)
            return try timed {
                let frame = try UnitFrame(store)
                let one = try store.prepare(RawSQL.byID)
                let update = try store.prepare(RawSQL.update)
                for n in 0..<count {
                    try frame.begin.run()
                    try frame.savepoint.run()
                    one.bind(1, n + 1)
                    guard try one.step() else { throw RawStore.Failure(description: "no row") }
                    let car = one.car()
                    one.reset()
                    update.bind(1, car.doors + 10)
                    update.bind(2, car.id)
                    try update.run()
                    try frame.release.run()
                    try frame.commit.run()
                }
                let changed = try store.prepare("SELECT count(*) FROM BenchCar WHERE doors >= 10")
                try check(changed.step() ? Int(changed.integer(0)) : 0, count)
            }
        }
    }

    var w11: Workload {
        let count = rows / 20
        return Workload(name: "W11", title: "units that create one and save, \(count)") {
            let storage = try kernelStore(0)
            return try timed {
                for n in 0..<count {
                    try storage.perform(ephemeral: true) { context, save in
                        try context.create(BenchCar.self).fill(PlainCar(n))
                        try save()
                    }
                }
            }
        } control: {
            let store = try controlStore(0)
            return try timed {
                let frame = try UnitFrame(store)
                let insert = try store.prepare(RawSQL.insert)
                for n in 0..<count {
                    try frame.begin.run()
                    insert.bind(PlainCar(n))
                    try insert.run()
                    try frame.commit.run()
                }
            }
        }
    }
}

/// The statements around the work of a unit, prepared once.
private struct UnitFrame {
    let begin: RawStatement
    let savepoint: RawStatement
    let release: RawStatement
    let commit: RawStatement

    init(_ store: RawStore) throws {
        begin = try store.prepare("BEGIN IMMEDIATE")
        savepoint = try store.prepare("SAVEPOINT unit")
        release = try store.prepare("RELEASE unit")
        commit = try store.prepare("COMMIT")
    }
}
