/// Places in an ordered relationship: numbers far enough apart that most moves write one row.
enum OrderPlaces {
    private static let step: Int64 = 1 << 20

    /// A place for each row, so that they stand in that order. Rows whose places are in order already keep them: as many
    /// as possible (the longest increasing subsequence, found by patience sorting).
    static func places(_ rows: [Int64], _ old: [Int64: Int64]) -> [Int64] {
        var places: [Int64] = []
        var low: Int64?
        for end in longestIncreasing(rows, old) + [rows.count] {
            let high = end < rows.count ? old[rows[end]] : nil
            guard fill(&places, end - places.count, between: low, high) else {
                return rows.indices.map { Int64($0 + 1) * step }
            }
            if let high { places.append(high) }
            low = high
        }
        return places
    }

    /// Adds new places between two, or behind or before one. False when there is no room for them.
    private static func fill(_ places: inout [Int64], _ count: Int, between low: Int64?, _ high: Int64?) -> Bool {
        if count == 0 { return true }
        let gaps = Int64(count) + 1
        var (start, part, rest) = (low ?? 0, step, Int64(0))
        if let low, let high {
            let (room, overflow) = high.subtractingReportingOverflow(low)
            guard !overflow, room >= gaps else { return false }
            part = room / gaps
            rest = room % gaps
        } else if let low {
            guard low < Int64.max / 4 else { return false }
        } else if let high {
            guard high > Int64.min / 4 else { return false }
            start = high - gaps * step
        }
        for index in 0..<count {
            let number = Int64(index + 1)
            places.append(start + part * number + rest * number / gaps)
        }
        return true
    }

    /// The indexes of the longest run of rows, not all beside one another, each with a greater place than the one before.
    private static func longestIncreasing(_ rows: [Int64], _ places: [Int64: Int64]) -> [Int] {
        // The index of the least last place of a run of each length, that place, and what comes before each index in its
        // run (-1: nothing).
        var tails: [Int] = []
        var tailPlaces: [Int64] = []
        var before = Array(repeating: -1, count: rows.count)
        for index in rows.indices {
            guard let place = places[rows[index]] else { continue }
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if tailPlaces[middle] < place { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = tails[low - 1] }
            if low == tails.count {
                tails.append(index)
                tailPlaces.append(place)
            } else {
                tails[low] = index
                tailPlaces[low] = place
            }
        }
        // From its end to its beginning.
        var run = tails
        var index = tails.count - 1
        while index > 0 {
            run[index - 1] = before[run[index]]
            index -= 1
        }
        return run
    }
}
