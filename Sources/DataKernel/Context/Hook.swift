internal import KernelSQL
internal import Synchronization

/// The program's own code that the kernel calls, and what it may ask of the contexts meanwhile. Kept by ``Channel``: all
/// contexts of a unit share one.
///
/// The order is the order of what is allowed.
enum Hook: UInt8, AtomicRepresentable {
    case none
    // May read and change. What ends a unit or begins another would come back to the hook without end.
    case willSave
    case awakeFromInsert
    case prepareForDeletion
    // May read.
    case validate
    case awakeFromFetch
    // May do neither: a statement is on its way, or a change is half done.
    case decoding
    case encoding
    case observer
    case ending
    case trace

    @inline(__always) var allowsChanges: Bool { rawValue <= Hook.prepareForDeletion.rawValue }
    @inline(__always) var allowsReading: Bool { rawValue <= Hook.awakeFromFetch.rawValue }

    private var name: String {
        switch self {
        case .none: ""
        case .willSave: "willSave()"
        case .awakeFromInsert: "awakeFromInsert()"
        case .prepareForDeletion: "prepareForDeletion()"
        case .validate: "validate()"
        case .awakeFromFetch: "awakeFromFetch()"
        case .decoding: "the code that reads a value"
        case .encoding: "the code that writes or compares a value"
        case .observer: "an observer"
        case .ending: "deinit"
        case .trace: "a trace"
        }
    }

    private var advice: String {
        switch self {
        case .none, .willSave, .awakeFromInsert, .prepareForDeletion:
            "change objects here, and leave the rest to the unit of work"
        case .validate: "only read here, and change objects in willSave()"
        case .awakeFromFetch: "only read here, and change objects after the fetch"
        case .decoding, .encoding: "only convert the value here"
        case .observer, .ending, .trace: "start a task for it"
        }
    }

    // Not inlined: nobody calls it who does nothing wrong.
    @inline(never)
    func refusal(_ call: String) -> KernelError { .insideHook(call, hook: name, instead: advice) }
}

extension Channel {
    /// Calls the program's own code.
    @inline(__always)
    func calling<R>(_ hook: Hook, _ body: () throws -> R) rethrows -> R {
        let outer = self.hook
        self.hook = hook
        defer { self.hook = outer }
        return try body()
    }

    @inline(__always)
    func requireReading() throws {
        if !hook.allowsReading { throw hook.refusal("a request") }
    }

    @inline(__always)
    func requireChanging(_ call: StaticString) throws {
        if !hook.allowsChanges { throw hook.refusal("\(call)") }
    }

    /// For what cannot be done in any hook.
    @inline(__always)
    func requireNoHook(_ call: StaticString) throws {
        if hook != .none { throw hook.refusal("\(call)") }
    }
}
