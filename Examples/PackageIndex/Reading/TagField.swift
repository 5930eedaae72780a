/// The tags of a package: `role::program, use::editing`.
struct TagField: Equatable {
    /// Each tag once, in the order in which they were written.
    var tags: [String] = []

    init(_ text: String) {
        var seen: Set<String> = []
        tags = text.split(separator: ",").map { $0.trimmed(" \t\n") }.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
