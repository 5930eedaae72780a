import Foundation

// Long runs of what the tests run briefly. Each soak is one file and one line here; it prints its seed, and a run with
// the same seed makes the same choices.

let soaks = [
    Soak("wipe", "rounds readers seed memory", "wipes and restores a store while others read and write it", wipeSoak),
    Soak("order", "rounds units seed", "compares the order of async units with the order of asking", orderSoak),
    Soak("log", "seconds readers seed", "looks whether the log stays long when readers come and go", logSoak),
    Soak("damage", "variants seed child tell", "does everything with damaged stores", damageSoak),
]

let words = CommandLine.arguments.dropFirst()
guard let soak = soaks.first(where: { $0.name == words.first }) else {
    print("usage: Soak NAME [--option NUMBER]…")
    for soak in soaks { print("  \(soak.name): \(soak.purpose) (\(soak.options.joined(separator: ", ")))") }
    exit(64)
}
do {
    try await soak.run(try SoakOptions(soak, words.dropFirst()))
} catch {
    print("\(soak.name) failed: \(error)")
    exit(1)
}
