import Foundation

/// The program.
package enum Program {
    /// Does what the command line asks for, and returns how the process is to end.
    @MainActor
    package static func run(_ arguments: [String]) throws -> Int32 {
        do {
            let options = try Options(arguments)
            if options.isHelp {
                print(Options.usage)
                return 0
            }
            return try Run(options: options)()
        } catch let misuse as Options.Misuse {
            Run.complain(misuse.message)
            return 2
        }
    }
}

/// Runs what the options ask for, prints it, and says how the process is to end.
@MainActor
struct Run {
    let options: Options

    func callAsFunction() throws -> Int32 {
        if let part = options.memoryPart {
            print(try ResidentMemory.growth { try part.run(store: options.store, rows: options.rows) })
            return 0
        }
        let bench = try Bench(rows: options.rows)
        defer { bench.remove() }
        let measurements = try options.runsWorkloads ? measure(bench) : []
        var figures: [Figure] = []
        if options.isConcurrent { figures += try Concurrent(bench).figures() }
        if options.isMemory { figures += try Memory(bench: bench).figures() }
        if options.isJSON {
            print(try json(Report(rows: options.rows, measurements, figures)))
        } else {
            for figure in figures { print(line(figure)) }
        }
        if let file = options.svg {
            try Chart(figures: measurements.map(\.figure)).svg.write(toFile: file, atomically: true, encoding: .utf8)
        }
        guard let factor = options.check else { return 0 }
        let complaints = Check.complaints(
            measurements.map(\.figure) + figures, factor: factor, isShort: options.isShort)
        for complaint in complaints { Run.complain(complaint) }
        return complaints.isEmpty ? 0 : 1
    }

    private func measure(_ bench: Bench) throws -> [Measurement] {
        if !options.isJSON { print(Measurement.heading) }
        return try bench.workloads.filter { options.names.isEmpty || options.names.contains($0.name) }.map { workload in
            let measurement = try Measurement(workload, runs: options.runs)
            if !options.isJSON { print(measurement.line) }
            return measurement
        }
    }

    private func line(_ figure: Figure) -> String {
        let target = figure.target.map { String(format: "   at most %.1f", $0) } ?? ""
        return figure.title.padding(toLength: 56, withPad: " ", startingAt: 0)
            + String(format: "%10.2f ", figure.value) + figure.unit + target
    }

    private func json(_ report: Report) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }

    static func complain(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }
}
