import Testing

@testable import KernelBenchWork

@Suite("Arguments of KernelBench")
struct OptionsTests {
    private func options(_ line: String) throws -> Options {
        try Options(line.split(separator: " ").map(String.init))
    }

    private func complaint(_ line: String) -> String? {
        do {
            _ = try options(line)
            return nil
        } catch {
            return (error as? Options.Misuse)?.message
        }
    }

    @Test("nothing: all workloads with 200,000 rows, five runs")
    func defaults() throws {
        let options = try options("")
        #expect(options.rows == 200_000 && options.runs == 5)
        #expect(options.runsWorkloads && options.names == [] && options.check == nil && options.svg == nil)
    }

    @Test("all that there is")
    func all() throws {
        let options = try options("--json --short --svg out.svg --check 1.5 --concurrent --memory W1 W14a")
        #expect(options.isJSON && options.isShort && options.isConcurrent && options.isMemory)
        #expect(options.svg == "out.svg" && options.check == 1.5)
        #expect(options.names == ["W1", "W14a"])
        #expect(options.rows == 20_000 && options.runs == 3)
    }

    @Test(
        "a number that is said wins over --short, before it and after it",
        arguments: [
            "--short --rows 5000 --runs 1", "--rows 5000 --runs 1 --short",
        ])
    func order(line: String) throws {
        let options = try options(line)
        #expect(options.rows == 5000 && options.runs == 1 && options.isShort)
    }

    @Test("--help asks for the usage, whatever else is said", arguments: ["--help", "-h", "W1 --help", "--json -h"])
    func help(line: String) throws {
        #expect(try options(line).isHelp)
        #expect(try !options("--json").isHelp)
    }

    @Test("--concurrent and --memory stand in the place of the workloads that are not named")
    func inPlace() throws {
        #expect(try !options("--concurrent").runsWorkloads)
        #expect(try !options("--memory").runsWorkloads)
        #expect(try options("--memory W3").runsWorkloads)
    }

    @Test(
        "what is wrong is named",
        arguments: [
            ("--rows", "--rows takes a value"), ("--rows --json", "--rows takes a value"),
            ("--rows 999", "--rows takes a number of 1000 or more"), ("--runs 0", "--runs takes a number of 1 or more"),
            ("--runs many", "--runs takes a number of 1 or more"), ("--svg", "--svg takes a value"),
            ("--check 0", "--check takes a number above 0"), ("--check nan", "--check takes a number above 0"),
            ("--check -1", "--check takes a number above 0"), ("--check inf", "--check takes a number above 0"),
        ])
    func wrong(line: String, message: String) {
        #expect(complaint(line) == message)
    }

    @Test(
        "what is unknown is named, with the usage; a workload that there is not, too",
        arguments: ["--fast", "W99", "w1"])
    func unknown(argument: String) {
        #expect(complaint(argument)?.hasPrefix("\(argument) is unknown\nusage: KernelBench") == true)
    }
}
