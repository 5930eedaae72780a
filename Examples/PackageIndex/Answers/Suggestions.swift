import DataKernel

/// Names that somebody may have meant.
struct Suggestions {
    static let most = 5

    let context: any ReadContext

    /// Packages whose names have the text in them; else those that begin alike and differ by little.
    func packages(like name: String) throws -> [String] {
        guard !name.isEmpty else { return [] }
        let holding = Request<Package>().filter(\.name, contains: name).sort(\.name).limit(200)
        let names = try context.values(holding, \.name)
        if !names.isEmpty { return Array(names.sorted { ($0.count, $0) < ($1.count, $1) }.prefix(Suggestions.most)) }
        let alike = Request<Package>().filter(\.name, beginsWith: String(name.prefix(1)))
        return Suggestions.nearest(to: name, among: try context.values(alike, \.name))
    }

    /// The names that take the fewest single changes of letters to become this one, two at most in a short name.
    static func nearest(to name: String, among names: [String]) -> [String] {
        let letters = Array(name.lowercased())
        let most = max(2, letters.count / 4)
        let near = Set(names).map { ($0, distance(letters, Array($0.lowercased()))) }.filter { $0.1 <= most }
        return near.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(Suggestions.most).map(\.0)
    }

    /// How many letters have to be put in, taken out or replaced.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let kept = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(kept, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
