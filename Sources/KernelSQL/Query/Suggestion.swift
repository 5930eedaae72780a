/// Finds the name that a misspelt one was meant to be.
package struct Suggestion {
    /// How many pairs of letters were compared. For tests.
    package private(set) var steps = 0
    /// What is longer is no name that somebody misspelt, and comparing takes the square of the length.
    private static let longest = 128

    package init() {}

    /// The nearest candidate, if at most a third of the letters (at least one) are wrong.
    package mutating func nearest(to name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= Suggestion.longest else { return nil }
        let wanted = Array(name.lowercased())
        var (nearest, least): (String?, Int) = (nil, .max)
        for candidate in candidates where candidate.utf8.count <= Suggestion.longest {
            let letters = Array(candidate.lowercased())
            let allowed = min(least - 1, max(1, max(wanted.count, letters.count) / 3))
            if let distance = distance(wanted, letters, atMost: allowed) { (nearest, least) = (candidate, distance) }
        }
        return nearest
    }

    /// How many letters must be added, removed, changed or swapped with their neighbour; nil if more than `most`.
    private mutating func distance(_ a: [Character], _ b: [Character], atMost most: Int) -> Int? {
        if abs(a.count - b.count) > most { return nil }
        var beforeLast: [Int] = []
        var last = Array(0..<b.count + 1)
        var leastBefore = 0
        for i in a.indices {
            var current = [i + 1]
            var least = i + 1
            for j in b.indices {
                var best = min(last[j + 1] + 1, current[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                current.append(best)
                least = min(least, best)
            }
            steps += b.count
            // A swap looks two rows back, so both must be too far already.
            if min(least, leastBefore) > most { return nil }
            leastBefore = least
            (beforeLast, last) = (last, current)
        }
        return last[b.count] <= most ? last[b.count] : nil
    }
}
