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
