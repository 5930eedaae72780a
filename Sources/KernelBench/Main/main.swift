// Each workload beside a control that calls the C library directly, on the same data, in one process and one run.
//
//     swift run -c release KernelBench [--json] [--short] [--rows N] [--runs N] [--svg FILE] [--check FACTOR]
//                                      [--concurrent] [--memory] [--help] [W1 W2 …]

import Foundation
import KernelBenchWork

exit(try Program.run(Array(CommandLine.arguments.dropFirst())))
