import DataKernel
import Foundation
import Testing

@Suite("A cancelled task")
struct CancellationTests {
    // task A                    task B
    // unit holds the gate
    //                           perform: waits for A
    //                           cancelled
    // gate opens, returns
    //                           CancellationError; its block never ran
    @Test("whose unit has not begun throws CancellationError and leaves nothing")
    @MainActor func beforeItBegan() async throws {
        let storage = try garage()
        let began = Gate()
        let mayEnd = Gate()
        let holder = Task {
            try await storage.perform(ephemeral: true) { _, _ in
                began.open()
                try mayEnd.wait()
            }
        }
        await began.opened()
        let waiting = Task { @MainActor in
            try await storage.perform(ephemeral: true) { context, save in
                let _: Car = try context.acquire("A")
                try save()
            }
        }
        // On the same actor: the task above has begun to wait when this one runs.
        await Task { @MainActor in waiting.cancel() }.value
        mayEnd.open()
        try await holder.value
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(try await storage.read { try $0.count(Request<Car>()) } == 0)
        try storage.check()
    }

    // task or thread A          task B                    test
    // unit holds the gate
    //                           perform: waits for A
    //                                                     cancels B
    //                           CancellationError
    //                                                     lets A end
    @Test("that waits for another unit ends at once, while that one is running", arguments: [true, false])
    @MainActor func whileWaiting(behindAsync: Bool) async throws {
        let storage = try garage()
        let began = Gate()
        let mayEnd = Gate()
        let holder = Task {
            if behindAsync {
                try await storage.perform(ephemeral: true) { _, _ in
                    began.open()
                    try mayEnd.wait()
                }
            } else {
                try await onThread {
                    try storage.perform(ephemeral: true) { _, _ in
                        began.open()
                        try mayEnd.wait()
                    }
                }
            }
        }
        await began.opened()
        let waiting = (0..<3).map { number in
            Task { @MainActor in
                try await storage.perform(ephemeral: true) { context, save in
                    let _: Car = try context.acquire("\(number)")
                    try save()
                }
            }
        }
        // On the same actor: the tasks above have begun to wait when this one runs.
        await Task { @MainActor in for task in waiting.dropLast() { task.cancel() } }.value
        for task in waiting.dropLast() { await #expect(throws: CancellationError.self) { try await task.value } }
        mayEnd.open()
        try await holder.value
        try await waiting[2].value
        #expect(try await storage.read { try $0.fetch(Request<Car>()).map(\.model) } == ["2"])
        try storage.check()
    }

    // task
    // cancelled before it calls perform: CancellationError
    @Test("that asks for a unit gets none")
    func alreadyCancelled() async throws {
        let storage = try garage()
        let mayAsk = Gate()
        let task = Task {
            await mayAsk.opened()
            try await storage.perform(ephemeral: true) { context, save in
                let _: Car = try context.acquire("A")
                try save()
            }
        }
        task.cancel()
        mayAsk.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await storage.read { try $0.count(Request<Car>()) } == 0)
    }

    // task                      test
    // unit begins, waits
    //                           cancels the task, opens the gate
    // unit saves and returns
    @Test("whose unit has begun runs it to its end")
    func whileRunning() async throws {
        let storage = try garage()
        let began = Gate()
        let mayGoOn = Gate()
        let task = Task {
            try await storage.perform(ephemeral: true) { context, save in
                began.open()
                try mayGoOn.wait()
                let car: Car = try context.acquire("A")
                try save()
                return car.model
            }
        }
        await began.opened()
        task.cancel()
        mayGoOn.open()
        #expect(try await task.value == "A")
        #expect(try await storage.read { try $0.fetch(Request<Car>()).map(\.model) } == ["A"])
        try storage.check()
    }
}

extension SQLiteStorage {
    /// The storage is in order: a unit can begin, write and save.
    func check() throws {
        try perform(ephemeral: true) { context, save in
            #expect(!context.hasChanges)
            let car: Car = try context.acquire("check")
            car.year = 1
            try save()
            try context.remove(car)
            try save()
        }
    }
}
