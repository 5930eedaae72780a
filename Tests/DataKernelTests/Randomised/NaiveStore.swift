/// What the store and its contexts should hold, written as simply as can be: the other side of the randomised test.
struct NaiveCar: Equatable {
    var model: String
    var mark: String?
    var year: Int
}

/// What one context did on top of what is below it.
struct NaiveChanges {
    var isWiped = false
    var inserted: [Int64: NaiveCar] = [:]
    var models: [Int64: String] = [:]
    var marks: [Int64: String?] = [:]
    var years: [Int64: Int] = [:]
    var removed: Set<Int64> = []

    var isEmpty: Bool {
        !isWiped && inserted.isEmpty && models.isEmpty && marks.isEmpty && years.isEmpty && removed.isEmpty
    }

    func applied(to below: [Int64: NaiveCar]) -> [Int64: NaiveCar] {
        var cars = isWiped ? [:] : below
        for row in removed { cars[row] = nil }
        for (row, model) in models { cars[row]?.model = model }
        for (row, mark) in marks { cars[row]?.mark = mark }
        for (row, year) in years { cars[row]?.year = year }
        cars.merge(inserted) { _, mine in mine }
        return cars
    }

    /// Edits that are none any more: the row is gone, or has the value anyway.
    mutating func prune(_ below: [Int64: NaiveCar]) {
        let cars = isWiped ? [:] : below
        models = models.filter { cars[$0] != nil && !removed.contains($0) && cars[$0]?.model != $1 }
        years = years.filter { cars[$0] != nil && !removed.contains($0) && cars[$0]?.year != $1 }
        marks = marks.filter { row, mark in
            guard let car = cars[row], !removed.contains(row) else { return false }
            return car.mark != mark
        }
        removed = removed.filter { below[$0] != nil }
    }

    mutating func edit(_ row: Int64, _ change: (inout NaiveCar) -> Void, _ visible: [Int64: NaiveCar]) {
        if inserted[row] != nil {
            change(&inserted[row]!)
            return
        }
        guard let old = visible[row] else { return }
        var new = old
        change(&new)
        if new.model != old.model { models[row] = new.model }
        if new.mark != old.mark { marks[row] = .some(new.mark) }
        if new.year != old.year { years[row] = new.year }
    }

    mutating func remove(_ row: Int64) {
        if inserted.removeValue(forKey: row) == nil { removed.insert(row) }
    }

    mutating func wipe() {
        self = NaiveChanges()
        isWiped = true
    }
}

extension [Int64: NaiveCar] {
    /// Whether two cars have the same model, which is unique.
    var hasDuplicates: Bool { Set(values.map(\.model)).count != count }
}
