import Foundation
import KernelSQLite
import Observation
import Synchronization
import Testing

@testable import DataKernel

@Suite("Units of many tasks")
struct ConcurrencyTests {
    // task 1 … task 40          storage
    // perform ─────────────▶    unit (any order of arrival)
    // perform ─────────────▶    unit
    @Test("at once give all rows")
    func allRows() async throws {
        let storage = try garage()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<40 {
                group.addTask {
                    for unit in 0..<5 {
                        try await storage.perform(ephemeral: unit.isMultiple(of: 2)) { context, save in
                            let _: Car = try context.acquire("\(task)-\(unit)")
                            try save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await storage.read { try $0.count(Request<Car>()) } == 200)
    }

    // thread or task n          storage
    // perform n ───────────▶    inside = 1, read the counter, write it, inside = 0
    @Test("run one at a time")
    func oneAtATime() async throws {
        let storage = try garage()
        try storage.save(counter: 0)
        let inside = Atomic(0)
        let overlaps = Atomic(0)
        let unit: @Sendable (any Context, Save) throws -> Void = { context, save in
            if inside.add(1, ordering: .sequentiallyConsistent).newValue != 1 {
                overlaps.add(1, ordering: .sequentiallyConsistent)
            }
            defer { inside.subtract(1, ordering: .sequentiallyConsistent) }
            let counter: Car = try context.acquire("counter")
            counter.year += 1
            try save()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 { try await storage.perform(ephemeral: true) { try unit($0, $1) } }
                }
                group.addTask {
                    try await onThread {
                        for _ in 0..<25 { try storage.perform(ephemeral: true) { try unit($0, $1) } }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(overlaps.load(ordering: .sequentiallyConsistent) == 0)
        #expect(try await storage.counter() == 200)
    }

    // thread A                  threads 0 … 9, each started when the one before it stands in the queue
    // perform: holds the gate
    //                           perform 0, perform 1, … perform 9
    // gate opens, returns
    //                           0, 1, … 9 have run in this order
    @Test("run in the order in which they were asked for")
    func order() async throws {
        let storage = try garage()
        let began = Gate()
        let mayEnd = Gate()
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await onThread {
                    try storage.perform(ephemeral: true) { _, _ in
                        began.open()
                        try mayEnd.wait()
                    }
                }
            }
            await began.opened()
            for number in 0..<10 {
                group.addTask {
                    try await onThread {
                        try storage.perform(ephemeral: true) { _, _ in order.note(number) }
                    }
                }
                while storage.gate.waiting <= number { await Task.yield() }
            }
            mayEnd.open()
            try await group.waitForAll()
        }
        #expect(order.numbers == Array(0..<10))
    }

    // cores × 4 tasks           unit                     another task
    // perform, suspended        holds the gate
    //                                                    runs, opens the gate
    // all return
    @Test("that wait do not block the threads of Swift's concurrency")
    func cooperativePool() async throws {
        let storage = try garage()
        let mayEnd = Gate()
        let began = Gate()
        let holder = Task {
            try await storage.perform(ephemeral: true) { _, _ in
                began.open()
                try mayEnd.wait()
            }
        }
        await began.opened()
        let count = ProcessInfo.processInfo.activeProcessorCount * 4
        let arrivals = Mutex(0)
        let allArrived = Gate()
        let arrive: @Sendable () -> Void = {
            let arrived = arrivals.withLock { arrivals in
                arrivals += 1
                return arrivals
            }
            if arrived == count { allArrived.open() }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    arrive()
                    try await storage.perform(ephemeral: true) { context, save in
                        let _: Car = try context.acquire("\(number)")
                        try save()
                    }
                }
            }
            // More tasks than threads: had one of them blocked its thread, the rest would not have come.
            await allArrived.opened()
            // Reading goes on too.
            #expect(try await storage.read { try $0.count(Request<Car>()) } == 0)
            await Task.detached { mayEnd.open() }.value
            try await group.waitForAll()
            #expect(try await storage.read { try $0.count(Request<Car>()) } == count)
        }
        try await holder.value
    }

    // unit                      observer of a person in uiContext
    // saves the person
    // perform returns ─────▶    onChange: perform inside … gives a result
    @Test("started by an observer of uiContext give a result")
    @MainActor func observer() throws {
        let storage = try garage()
        try storage.save(age: 1)
        let ann = try #require(try storage.uiContext.first(Request<Person>()))
        let count = Mutex<Int?>(nil)
        withObservationTracking {
            _ = ann.age
        } onChange: {
            let people = try? storage.perform(ephemeral: true) { context, _ in try context.count(Request<Person>()) }
            count.withLock { $0 = people }
        }
        try storage.save(age: 2)
        #expect(count.withLock { $0 } == 1)
        #expect(ann.age == 2)
    }

    // main actor                observer of a person in uiContext
    // saves age 2 ─────────▶    onChange, before uiContext has it: saves age 3
    // returns: uiContext shows 3
    @Test("started by an observer that saves have the last word in uiContext")
    @MainActor func savingObserver() throws {
        let storage = try garage()
        try storage.save(age: 1)
        let ann = try #require(try storage.uiContext.first(Request<Person>()))
        withObservationTracking {
            _ = ann.age
        } onChange: {
            #expect(throws: Never.self) { try storage.save(age: 3) }
        }
        try storage.save(age: 2)
        #expect(ann.age == 3)
    }

    // unit                      observer of a person of this unit
    // person.age = 2 ──────▶    onChange: perform inside the unit, nested, sees the unit's objects
    @Test("started by an observer inside a unit are nested")
    func observerInside() throws {
        let storage = try garage()
        let count = Mutex<Int?>(nil)
        try storage.perform(ephemeral: true) { context, save in
            let ann: Person = try context.acquire("Ann")
            withObservationTracking {
                _ = ann.age
            } onChange: {
                let people = try? storage.perform(ephemeral: true) { inner, _ in
                    try inner.count(Request<Person>())
                }
                count.withLock { $0 = people }
            }
            ann.age = 2
            try save()
        }
        #expect(count.withLock { $0 } == 1)
        #expect(try storage.read { try $0.first(Request<Person>())?.age } == 2)
    }
}

extension SQLiteStorage {
    func save(counter: Int) throws {
        try perform(ephemeral: true) { context, save in
            let car: Car = try context.acquire("counter")
            car.year = counter
            try save()
        }
    }

    func save(age: Int) throws {
        try perform(ephemeral: true) { context, save in
            let ann: Person = try context.acquire("Ann")
            ann.age = age
            try save()
        }
    }

    func counter() async throws -> Int? {
        try await read { try $0.first(Request<Car>().filter("model", equalTo: "counter"))?.year }
    }
}

/// Numbers in the order in which units noted them.
private final class Order: Sendable {
    private let noted = Mutex<[Int]>([])
    func note(_ number: Int) { noted.withLock { $0.append(number) } }
    var numbers: [Int] { noted.withLock { $0 } }
}
