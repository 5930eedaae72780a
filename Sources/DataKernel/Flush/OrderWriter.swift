/// Places in an ordered relationship: numbers far enough apart that most moves write one row.
enum OrderPlaces {
    static let step: Int64 = 1 << 20

    /// The places to write, so that the rows stand in the wanted order. Rows whose places are in order already keep
    /// them: as many as possible (the longest increasing subsequence, found by patience sorting).
    static func changes(_ wanted: [Int64], _ places: [Int64: Int64]) -> [(row: Int64, place: Int64)] {
        let kept = longestIncreasing(wanted.map { places[$0] })
        var result: [(row: Int64, place: Int64)] = []
        var start = 0
        var low: Int64?
        for end in kept + [wanted.count] {
            let high = end < wanted.count ? places[wanted[end]] : nil
            let count = end - start
            guard let fresh = between(low, high, count) else { return renumbered(wanted, places) }
            for index in 0..<count { result.append((wanted[start + index], fresh(index))) }
            low = high
            start = end + 1
        }
        return result
    }

    private static func between(_ low: Int64?, _ high: Int64?, _ count: Int) -> ((Int) -> Int64)? {
        let count = Int64(count)
        switch (low, high) {
        case (nil, nil): return { Int64($0 + 1) * step }
        case (let low?, nil):
            guard low < Int64.max / 4 else { return count == 0 ? { _ in 0 } : nil }
            return { low + Int64($0 + 1) * step }
        case (nil, let high?):
            guard high > Int64.min / 4 else { return count == 0 ? { _ in 0 } : nil }
            return { high - (count - Int64($0)) * step }
        case (let low?, let high?):
            let (room, overflow) = high.subtractingReportingOverflow(low)
            guard count > 0 else { return { _ in 0 } }
            guard !overflow, room > count else { return nil }
            let (part, rest) = room.quotientAndRemainder(dividingBy: count + 1)
            return { low + part * Int64($0 + 1) + rest * Int64($0 + 1) / (count + 1) }
        }
    }

    private static func renumbered(_ wanted: [Int64], _ places: [Int64: Int64]) -> [(row: Int64, place: Int64)] {
        wanted.enumerated().map { ($1, Int64($0 + 1) * step) }.filter { places[$0.0] != $0.1 }
    }

    /// The indexes of the longest run of numbers, not all beside one another, each greater than the one before.
    private static func longestIncreasing(_ numbers: [Int64?]) -> [Int] {
        // The index of the least last number of a run of each length, and what comes before each index in its run.
        var tails: [Int] = []
        var before: [Int?] = Array(repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            guard let number else { continue }
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if let tail = numbers[tails[middle]], tail < number { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? tails[low - 1] : nil
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var result: [Int] = []
        var next = tails.last
        while let index = next {
            result.append(index)
            next = before[index]
        }
        return result.reversed()
    }
}
