import DataKernel
import Foundation
import Synchronization

struct NoFork: Error {}

/// `fork`, which Swift hides for good reasons: what is tested is that the kernel stands it.
private func makeChild() throws -> pid_t {
    guard let symbol = dlsym(nil, "fork") else { throw NoFork() }
    let process = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
    // A child that hangs is ended by the alarm, and its parent tells.
    if process == 0 { _ = alarm(30) }
    return process
}

/// The end of a child: without the exit handlers, which are the parent's.
private func endChild() -> Never { _exit(0) }

private func waitForChild(_ process: pid_t) {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    report("child: \(status)")
}

/// Every byte that lies in the folder, by name.
private func bytes(_ folder: URL) throws -> [String: Data] {
    var bytes: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        bytes[name] = try Data(contentsOf: folder.appending(path: name))
    }
    return bytes
}

// parent, main thread     parent, other thread     child
//                         unit holds the gate
// forks
//                                                  tries everything
// waits for the child
//                         saves, ends
// saves
@MainActor
func forkWhileOpen(_ folder: URL) throws {
    let file = folder.appending(path: "store.db")
    let parent = try openNotes(file)
    try parent.save("A")
    let context = parent.uiContext
    let note = try context.first(Request<Note>())

    let (began, mayEnd, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
        report("unit of the other thread") {
            try parent.perform(ephemeral: false) { context, save in
                began.signal()
                mayEnd.wait()
                let _: Note = try context.acquire("B")
                try save()
            }
        }
        ended.signal()
    }
    began.wait()
    let before = try bytes(folder)
    let process = try makeChild()
    if process == 0 {
        tryAll(parent, context, note)
        report("own storage on the store") { _ = try openNotes(file) }
        report("own storage elsewhere") {
            let own = try openNotes(FileManager.default.temporaryDirectory.appending(path: "fork-\(getpid())/store.db"))
            defer { try? own.wipeStore() }
            try own.save("child")
            return try own.titles()
        }
        endChild()
    }
    waitForChild(process)
    report("unchanged") { try bytes(folder) == before }
    mayEnd.signal()
    ended.wait()
    try forkAndDrop(folder)
}

/// Every way into a storage.
@MainActor
private func tryAll(_ storage: SQLiteStorage, _ context: any ReadContext, _ note: Note?) {
    report("perform") { try storage.perform(ephemeral: true) { _, _ in } }
    report("perform, save context") { try storage.perform(ephemeral: false) { _, _ in } }
    report("read") { try storage.read { _ in } }
    reportAsync("async perform") { try await storage.perform(ephemeral: true) { _, _ in } }
    reportAsync("async read") { try await storage.read { _ in } }
    report("uiContext fetch") { try storage.uiContext.fetch(Request<Note>()).count }
    report("uiContext count, held before") { try context.count(Request<Note>()) }
    report("uiContext refresh, held before") { if let note { try context.refresh(note) } }
    report("wipeStore") { try storage.wipeStore() }
    report("restoreStore") { try storage.restoreStore() }
    report("path") { storage.path ?? "nil" }
    report("object") { note?.title ?? "nil" }
}

/// Runs tasks where they are begun: a child has none of the threads that would run them.
private final class InPlace: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

private func reportAsync(_ step: String, _ body: @escaping @Sendable () async throws -> Void) {
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    Task(executorPreference: InPlace()) {
        do {
            try await body()
            outcome.withLock { $0 = .success(()) }
        } catch {
            outcome.withLock { $0 = .failure(error) }
        }
    }
    // What is not done by now waits for something.
    if let outcome = outcome.withLock({ $0 }) { report(step) { try outcome.get() } } else { report("\(step): waits") }
}

/// A child drops its storage with a transaction's worth of log in the store: the log must stay the parent's.
private func forkAndDrop(_ folder: URL) throws {
    var storage: SQLiteStorage? = try openNotes(folder.appending(path: "store.db"))
    try storage?.save("C")
    let before = try bytes(folder)
    let process = try makeChild()
    if process == 0 {
        storage = nil
        endChild()
    }
    waitForChild(process)
    report("unchanged") { try bytes(folder) == before }
    try storage?.save("D")
    report("parent") { try storage?.titles() ?? [] }
    storage = nil
    report("parent, opened anew") { try openNotes(folder.appending(path: "store.db")).titles() }
}

// parent                  child
// unit: A is flushed
// forks
//                         goes on in the unit: count, create, save
// waits for the child
// saves
func forkInUnit(_ folder: URL) throws {
    let file = folder.appending(path: "store.db")
    let storage = try openNotes(file)
    var isChild = false
    do {
        try storage.perform(ephemeral: true) { context, save in
            let _: Note = try context.acquire("A")
            _ = try context.count(Request<Note>())
            let before = try bytes(folder)
            let process = try makeChild()
            isChild = process == 0
            if isChild {
                report("count") { try context.count(Request<Note>()) }
                report("acquire") { try context.acquire(Note.self, "B").title }
                report("nested unit") { try context.perform { _, save in try save() } }
                try context.create(Note.self).title = "C"
                return try save()
            }
            waitForChild(process)
            report("unchanged") { try bytes(folder) == before }
            try save()
        }
    } catch {
        report("unit") { throw error }
    }
    if isChild { endChild() }
    report("parent") { try storage.titles() }
}
