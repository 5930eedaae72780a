// Each workload beside a control that calls the C library directly, on the same data, in one process and one run.
//
//     swift run -c release KernelBench [--json] [--short] [--runs N] [W1 W2 …]

import Foundation

var names: [String] = []
var asJSON = false
var rows = 200_000
var runs = 5

var arguments = Array(CommandLine.arguments.dropFirst())
while !arguments.isEmpty {
    let argument = arguments.removeFirst()
    switch argument {
    case "--json": asJSON = true
    case "--short":
        rows = 20_000
        runs = 3
    case "--runs":
        guard let count = arguments.first.flatMap(Int.init), count > 0 else {
            FileHandle.standardError.write(Data("--runs takes a number above 0\n".utf8))
            exit(2)
        }
        runs = count
        arguments.removeFirst()
    case let name where name.hasPrefix("W"): names.append(name)
    default:
        FileHandle.standardError.write(Data("usage: KernelBench [--json] [--short] [--runs N] [W1 W2 …]\n".utf8))
        exit(2)
    }
}

let bench = try Bench(rows: rows)
defer { bench.remove() }
let chosen = bench.workloads.filter { names.isEmpty || names.contains($0.name) }
if !asJSON { print("workload                                              kernel      control   ratio") }
var measurements: [Measurement] = []
for workload in chosen {
    let measurement = try Measurement(workload, runs: runs)
    measurements.append(measurement)
    if !asJSON { print(measurement.line) }
}
if asJSON {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(Report(measurements)), as: UTF8.self))
}
