// Reads Debian's package index and answers questions about it.
//
//     apt-cache dumpavail | swift run -c release PackageIndex import
//     swift run -c release PackageIndex why mutt perl-base

import Foundation
import PackageIndexCore

let console = Console(
    read: { try StandardInput.next() },
    write: { try FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) },
    writeError: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
    showsProgress: isatty(STDERR_FILENO) == 1)

exit(Tool(console).run(Array(CommandLine.arguments.dropFirst())).rawValue)
