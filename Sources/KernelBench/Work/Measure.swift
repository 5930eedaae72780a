import Foundation

/// One workload: the kernel's way and the control's, each timing its own work and leaving out what prepares it.
struct Workload {
    let name: String
    let title: String
    let kernel: () throws -> Duration
    let control: () throws -> Duration
}

struct Measurement {
    let workload: Workload
    /// The seconds of each run, in the order of the runs.
    let kernelRuns: [Double]
    let controlRuns: [Double]
    var kernel: Double { Measurement.median(kernelRuns) }
    var control: Double { Measurement.median(controlRuns) }
    var ratio: Double { kernel / control }

    /// The sides take turns, so that a slow minute of the machine hits both.
    init(_ workload: Workload, runs: Int) throws {
        var kernel: [Double] = []
        var control: [Double] = []
        for run in 0..<runs {
            // The side that goes first warms the caches for the other.
            if run % 2 == 0 {
                kernel.append(try workload.kernel().inSeconds)
                control.append(try workload.control().inSeconds)
            } else {
                control.append(try workload.control().inSeconds)
                kernel.append(try workload.kernel().inSeconds)
            }
        }
        self.workload = workload
        kernelRuns = kernel
        controlRuns = control
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    var target: Double? { Targets.all[workload.name] }
    var figure: Figure {
        Figure(name: workload.name, title: workload.title, value: ratio, unit: "times the control", target: target)
    }

    static var heading: String {
        "workload".padding(toLength: 61, withPad: " ", startingAt: 0) + "   kernel      control   ratio  target"
    }

    var line: String {
        let name = workload.name.padding(toLength: 5, withPad: " ", startingAt: 0)
        let title = workload.title.padding(toLength: 56, withPad: " ", startingAt: 0)
        return name + title
            + String(format: "%9.1f ms %9.1f ms   %5.2f   %5.2f", kernel * 1000, control * 1000, ratio, target ?? 0)
    }
}

struct Report: Encodable {
    struct Entry: Encodable {
        let name: String
        let kernel: Double
        let control: Double
        let ratio: Double
        let target: Double?
        let kernelRuns: [Double]
        let controlRuns: [Double]
    }
    let rows: Int
    let workloads: [Entry]
    /// What `--concurrent` and `--memory` found.
    let figures: [Figure]

    init(rows: Int, _ measurements: [Measurement], _ figures: [Figure]) {
        self.rows = rows
        self.figures = figures
        workloads = measurements.map {
            Entry(
                name: $0.workload.name, kernel: $0.kernel, control: $0.control, ratio: $0.ratio, target: $0.target,
                kernelRuns: $0.kernelRuns, controlRuns: $0.controlRuns)
        }
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

func timed(_ body: () throws -> Void) rethrows -> Duration { try ContinuousClock().measure(body) }
