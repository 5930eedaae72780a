/// What the command line asks for.
struct Options: Equatable {
    var names: [String] = []
    var isHelp = false
    var isJSON = false
    var isShort = false
    var isConcurrent = false
    var isMemory = false
    var rows = 200_000
    var runs = 5
    /// Where to write the chart.
    var svg: String?
    /// How many times its target a ratio may be.
    var check: Double?
    /// The part of `--memory` that this process is the child for, and the store that it runs on.
    var memoryPart: MemoryPart?
    var store = ""

    struct Misuse: Error, Equatable { let message: String }

    static let usage = """
        usage: KernelBench [--json] [--short] [--rows N] [--runs N] [--svg FILE] [--check FACTOR]
                           [--concurrent] [--memory] [--help] [W1 W2 …]

          --json          prints JSON, with the seconds of each run
          --short         20,000 rows and three runs
          --rows N        the number of rows, 200,000 if not said; 1,000 or more
          --runs N        runs of each workload, of which the median counts; 5 if not said
          --svg FILE      writes a bar chart of the ratios
          --check FACTOR  fails when a ratio is worse than FACTOR times its target
          --concurrent    fetches of uiContext beside a writer, in place of the workloads
          --memory        how resident memory grows, in place of the workloads
        """

    /// Whether the workloads run: when they are named, or nothing else is asked for.
    var runsWorkloads: Bool { !names.isEmpty || !(isConcurrent || isMemory) }

    init(_ arguments: [String]) throws(Misuse) {
        var rest = arguments[...]
        var givenRows: Int?
        var givenRuns: Int?
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": isHelp = true
            case "--json": isJSON = true
            case "--short": isShort = true
            case "--concurrent": isConcurrent = true
            case "--memory": isMemory = true
            case "--rows": givenRows = try Options.number(&rest, argument, from: 1000)
            case "--runs": givenRuns = try Options.number(&rest, argument, from: 1)
            case "--svg": svg = try Options.value(&rest, argument)
            case "--check": check = try Options.factor(&rest, argument)
            case "--memory-part":
                memoryPart = MemoryPart(rawValue: try Options.value(&rest, argument))
                store = try Options.value(&rest, argument)
            case let name where Targets.all[name] != nil: names.append(name)
            default: throw Misuse(message: "\(argument) is unknown\n\(Options.usage)")
            }
        }
        // In any order: what is said in full wins over what --short stands for.
        rows = givenRows ?? (isShort ? 20_000 : 200_000)
        runs = givenRuns ?? (isShort ? 3 : 5)
    }

    private static func value(_ rest: inout ArraySlice<String>, _ option: String) throws(Misuse) -> String {
        guard let value = rest.popFirst(), !value.hasPrefix("--") else {
            throw Misuse(message: "\(option) takes a value")
        }
        return value
    }

    private static func number(_ rest: inout ArraySlice<String>, _ option: String, from least: Int) throws(Misuse)
        -> Int
    {
        guard let number = Int(try value(&rest, option)), number >= least else {
            throw Misuse(message: "\(option) takes a number of \(least) or more")
        }
        return number
    }

    private static func factor(_ rest: inout ArraySlice<String>, _ option: String) throws(Misuse) -> Double {
        guard let factor = Double(try value(&rest, option)), factor > 0, factor.isFinite else {
            throw Misuse(message: "\(option) takes a number above 0")
        }
        return factor
    }
}
