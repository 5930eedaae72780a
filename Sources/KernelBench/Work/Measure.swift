import Foundation

/// One workload: the kernel's way and the control's, each timing its own work and leaving out what prepares it.
struct Workload {
    let name: String
    let title: String
    /// Does it once, the kernel first or last.
    let run: (_ isKernelFirst: Bool) throws -> Sides

    /// A workload that is one piece on either side.
    init(name: String, title: String, kernel: @escaping () throws -> Duration, control: @escaping () throws -> Duration)
    {
        self.init(name: name, title: title) { isKernelFirst in
            // The side that goes first warms the caches for the other.
            if isKernelFirst { return Sides(kernel: try kernel(), control: try control()) }
            let control = try control()
            return Sides(kernel: try kernel(), control: control)
        }
    }

    init(name: String, title: String, run: @escaping (_ isKernelFirst: Bool) throws -> Sides) {
        self.name = name
        self.title = title
        self.run = run
    }
}

/// What one run of a workload took.
struct Sides {
    var kernel = Duration.zero
    var control = Duration.zero

    /// Times a workload of pieces that change nothing in at most 20 slices that take turns: what the machine does
    /// meanwhile hits both sides. `kernel` and `control` do the pieces of the range.
    static func inTurns(
        _ count: Int, isKernelFirst: Bool, kernel: (Range<Int>) throws -> Void, control: (Range<Int>) throws -> Void
    ) throws -> Sides {
        var sides = Sides()
        let slices = min(count, 20)
        for slice in 0..<slices {
            let range = count * slice / slices..<count * (slice + 1) / slices
            if isKernelFirst { sides.kernel += try timed { try kernel(range) } }
            sides.control += try timed { try control(range) }
            if !isKernelFirst { sides.kernel += try timed { try kernel(range) } }
        }
        return sides
    }
}

struct Measurement {
    let workload: Workload
    /// The seconds of each run, in the order of the runs.
    let kernelRuns: [Double]
    let controlRuns: [Double]
    var kernel: Double { Measurement.median(kernelRuns) }
    var control: Double { Measurement.median(controlRuns) }
    /// The median of the runs' ratios. A run's two sides follow one another, so that a slow minute of the machine hits
    /// both; the medians of the seconds may come from different minutes.
    var ratio: Double { Measurement.median(zip(kernelRuns, controlRuns).map { $0 / $1 }) }

    init(_ workload: Workload, runs: Int) throws {
        var kernel: [Double] = []
        var control: [Double] = []
        for run in 0..<runs {
            let sides = try workload.run(run % 2 == 0)
            kernel.append(sides.kernel.inSeconds)
            control.append(sides.control.inSeconds)
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
