// Each workload beside a control that calls the C library directly, on the same data, in one process and one run.
//
//     swift run -c release KernelBench [--json] [--short] [--rows N] [--runs N] [--svg FILE] [--check FACTOR]
//                                      [--concurrent] [--memory] [W1 W2 …]

import Foundation

do {
    exit(try Run(options: Options(Array(CommandLine.arguments.dropFirst())))())
} catch let misuse as Options.Misuse {
    Run.complain(misuse.message)
    exit(2)
}
