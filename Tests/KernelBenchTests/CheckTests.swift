import Foundation
import Testing

@testable import KernelBenchWork

@Suite("Targets")
struct CheckTests {
    private func figure(_ name: String, _ value: Double, _ target: Double?) -> Figure {
        Figure(name: name, title: "title of \(name)", value: value, unit: "times", target: target)
    }

    @Test("every workload has one, and every target a workload")
    func complete() throws {
        let bench = try Bench(rows: 1000)
        defer { bench.remove() }
        #expect(Set(bench.workloads.map(\.name)) == Set(Targets.all.keys))
        #expect(bench.workloads.count == Targets.all.count)
        #expect(Targets.tooShort.keys.allSatisfy { Targets.all[$0] != nil })
    }

    @Test("a check names what is worse than the factor allows, and nothing else")
    func check() {
        let figures = [figure("W1", 2.8, 1.4), figure("W2", 2.41, 1.2), figure("told", 100, nil)]
        #expect(
            Check.complaints(figures, factor: 2, isShort: false)
                == ["W2 (title of W2): 2.41 is more than 2.0 times its target of 1.2"])
        #expect(Check.complaints(figures, factor: 3, isShort: false) == [])
        #expect(Check.complaints(figures, factor: 1, isShort: false).count == 2)
    }

    @Test("a ratio that is no number is not good")
    func noNumber() {
        #expect(Check.complaints([figure("W1", .nan, 1.4)], factor: 2, isShort: false).count == 1)
        #expect(Check.complaints([figure("W1", .infinity, 1.4)], factor: 2, isShort: false).count == 1)
    }

    @Test("a short run leaves out what is too short, a long one does not")
    func short() throws {
        let name = try #require(Targets.tooShort.keys.first)
        #expect(Check.complaints([figure(name, 100, 1)], factor: 2, isShort: true) == [])
        #expect(Check.complaints([figure(name, 100, 1)], factor: 2, isShort: false).count == 1)
    }

    @Test("the median is the middle one, or between the two")
    func median() {
        #expect(Measurement.median([3, 1, 2]) == 2)
        #expect(Measurement.median([4, 1, 2, 3]) == 2.5)
    }

    @Test("the ratio is the median of the runs' ratios, of which each has its two sides beside one another")
    func ratio() throws {
        // The machine is ten times slower from the third run on.
        var runs: [(kernel: Duration, control: Duration)] = [
            (.seconds(2), .seconds(1)), (.seconds(3), .seconds(1)), (.seconds(20), .seconds(10)),
            (.seconds(10), .seconds(10)), (.seconds(20), .seconds(10)),
        ]
        var order: [Bool] = []
        let measurement = try Measurement(
            Workload(name: "W1", title: "") { isKernelFirst in
                order.append(isKernelFirst)
                let run = runs.removeFirst()
                return Sides(kernel: run.kernel, control: run.control)
            }, runs: 5)
        #expect(measurement.ratio == 2)
        #expect(order == [true, false, true, false, true])
        #expect(measurement.kernel == 10 && measurement.control == 10)
    }

    @Test("slices take turns and leave nothing out", arguments: [0, 1, 3, 20, 21, 1000], [true, false])
    func slices(count: Int, isKernelFirst: Bool) throws {
        var (kernel, control): ([Int], [Int]) = ([], [])
        var turns: [Bool] = []
        _ = try Sides.inTurns(count, isKernelFirst: isKernelFirst) { range in
            kernel += range
            turns.append(true)
        } control: { range in
            control += range
            turns.append(false)
        }
        #expect(kernel == Array(0..<count) && control == kernel)
        let expected = (0..<min(count, 20)).flatMap { _ in [isKernelFirst, !isKernelFirst] }
        #expect(turns == expected)
    }

    @Test("a workload that does not do its work is an error")
    func work() throws {
        #expect(throws: RawStore.Failure.self) { try KernelBenchWork.check(1, 2) }
        try KernelBenchWork.check(2, 2)
    }
}

@Suite("Workloads")
struct WorkloadTests {
    @Test("run on both sides, with little work", arguments: Targets.all.keys.sorted())
    @MainActor
    func run(name: String) throws {
        let bench = try Bench(rows: 1000)
        defer { bench.remove() }
        let workload = try #require(bench.workloads.first { $0.name == name })
        let measurement = try Measurement(workload, runs: 2)
        #expect(measurement.kernel > 0 && measurement.control > 0)
        #expect(measurement.figure.target == Targets.all[name])
    }

    @Test("300 entities have 300 descriptions, each always the same one")
    func many() {
        let all = ManyEntities.all
        #expect(Set(all.map { $0.entity.name }).count == 300)
        #expect(all.allSatisfy { $0.entity === $0.entity })
    }
}
