import DataKernel
import Foundation

/// One thing whose memory is measured, each in a process of its own: memory that one has freed would be taken again by
/// the next without being counted.
enum MemoryPart: String, CaseIterable {
    /// A unit that creates rows and saves every 1,000.
    case unit
    /// W2, and its control.
    case objects, structs
    /// `forEach` over all rows.
    case stream

    /// What the child process does.
    func run(store: String, rows: Int) throws {
        switch self {
        case .structs: try structs(store, rows)
        case .unit, .objects, .stream:
            let storage = try SQLiteStorage(
                store: .url(URL(filePath: store)), model: [BenchCar.self],
                options: StorageOptions(durability: .normal))
            switch self {
            case .unit: try create(storage, rows)
            case .stream: try stream(storage, rows)
            case .objects, .structs:
                try storage.perform(ephemeral: true) { context, _ in
                    try check(context.fetch(Request<BenchCar>()).count, rows)
                }
            }
        }
    }

    private func create(_ storage: SQLiteStorage, _ rows: Int) throws {
        try storage.perform(ephemeral: true) { context, save in
            for n in 0..<rows {
                try context.create(BenchCar.self).fill(PlainCar(n))
                if n % 1000 == 999 { try save() }
            }
            try save()
        }
    }

    private func stream(_ storage: SQLiteStorage, _ rows: Int) throws {
        try storage.read { context in
            var count = 0
            try context.forEach(Request<BenchCar>()) { car in count += car.doors >= 0 ? 1 : 0 }
            try check(count, rows)
        }
    }

    private func structs(_ store: String, _ rows: Int) throws {
        let store = try RawStore(path: store)
        let all = try store.prepare(RawSQL.all)
        var cars: [PlainCar] = []
        while try all.step() { cars.append(all.car()) }
        all.reset()
        try check(cars.count, rows)
    }
}

/// Starts the processes and puts together what they say.
struct Memory {
    let bench: Bench

    func figures() throws -> [Figure] {
        let rows = bench.rows
        let unit = try growth(.unit, rows * 5, stored: 0)
        let objects = try growth(.objects, rows, stored: rows)
        let structs = try growth(.structs, rows, stored: rows)
        let short = try growth(.stream, rows, stored: rows)
        let long = try growth(.stream, rows * 10, stored: rows * 10)
        return [
            figure("memory-unit", "create \(rows * 5) in a unit, save every 1,000", unit, 64),
            figure("memory-objects", "W2: \(rows) objects", objects),
            figure("memory-structs", "W2's control: \(rows) structs", structs),
            Figure(
                name: "memory-ratio", title: "W2 to its control", value: objects / structs, unit: "times", target: 1.8),
            figure("memory-stream-short", "forEach over \(rows)", short),
            figure("memory-stream-long", "forEach over \(rows * 10)", long),
            // What may grow: SQLite's page cache, 16 MiB, which a short store does not fill, and the ids of all rows, a
            // byte each in an array that may have grown to twice that.
            figure(
                "memory-stream", "forEach over \(rows * 10), more than over \(rows)", long - short,
                Double(rows * 9 * 2) / 1_048_576 + 20),
        ]
    }

    private func figure(_ name: String, _ title: String, _ bytes: Double, _ target: Double? = nil) -> Figure {
        Figure(name: name, title: title, value: bytes / 1_048_576, unit: "MiB", target: target)
    }

    private func growth(_ part: MemoryPart, _ rows: Int, stored: Int) throws -> Double {
        try bench.copy(stored, to: "memory.db")
        guard let program = Bundle.main.executableURL else { throw RawStore.Failure(description: "no program to run") }
        let process = Process()
        process.executableURL = program
        process.arguments = ["--memory-part", part.rawValue, bench.path("memory.db"), "--rows", "\(rows)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let bytes = Double(output.filter { !$0.isWhitespace }) else {
            throw RawStore.Failure(description: "measuring the memory of \(part.rawValue) failed")
        }
        return bytes
    }
}

/// The process's memory as Linux counts it.
enum ResidentMemory {
    /// By how many bytes resident memory was higher at its peak during `body` than before.
    static func growth(_ body: () throws -> Void) throws -> Int {
        // 5: from here on the peak is counted anew.
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = try read("VmRSS:")
        try body()
        return max(0, try read("VmHWM:") - before)
    }

    private static func read(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        guard
            let kilobytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Int($0)
            })
        else { throw RawStore.Failure(description: "--memory needs what Linux has in /proc") }
        return kilobytes * 1024
    }
}
