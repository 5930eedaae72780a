import DataKernel
import Foundation

// A process of its own for tests. Its arguments say what to do; it prints a line for each step.

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first) {
case ("fork", let folder?): try forkWhileOpen(URL(filePath: folder))
case ("fork-in-unit", let folder?): try forkInUnit(URL(filePath: folder))
case ("open", let path?): openWithoutRights(URL(filePath: path))
case ("kill", let path?):
    openWithoutRights(URL(filePath: path)) { _exit(0) }
case ("close-rights", let path?): loseRights(URL(filePath: path))
default:
    report("usage: StoreHelper fork|fork-in-unit|open|kill|close-rights PATH")
    exit(64)
}
