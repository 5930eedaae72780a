import DataKernel

struct Disagreement: Error, CustomStringConvertible {
    let description: String
}

func agree(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    if !condition { throw Disagreement(description: text()) }
}

extension Car {
    var naive: NaiveRow {
        var row: NaiveRow = ["model": model, "year": String(year)]
        row["mark"] = mark
        row["number"] = number.map(String.init)
        return row
    }

    func set(_ name: String, _ value: String?) {
        switch name {
        case "model": model = value ?? ""
        case "mark": mark = value
        case "number": number = value.flatMap { Int($0) }
        default: year = value.flatMap { Int($0) } ?? 0
        }
    }
}

/// The main actor's context, which holds objects over many units and is to show what was saved.
@MainActor
final class Observer {
    private let storage: SQLiteStorage
    private var held: [Int64: Car] = [:]
    private var gone: [Car] = []

    init(_ storage: SQLiteStorage) { self.storage = storage }

    func check(_ rows: [Int64: NaiveRow], _ place: String, _ random: inout SeededGenerator) throws {
        for (row, car) in held {
            if let values = rows[row] {
                try agree(!car.isDeleted && car.naive == values, "\(place): ui shows \(car.naive), not \(values)")
            } else {
                try agree(car.isDeleted, "\(place): ui object \(row) is not marked deleted")
                held[row] = nil
                gone.append(car)
            }
        }
        try agree(gone.allSatisfy(\.isDeleted), "\(place): a deleted ui object came back")
        gone = gone.suffix(20)
        if random.below(3) == 0 {
            let cars = try storage.uiContext.fetch(Request<Car>())
            try agree(cars.map(\.objectID.row) == rows.keys.sorted(), "\(place): ui fetches other rows")
            for car in cars {
                try agree(held[car.objectID.row].map { $0 === car } ?? true, "\(place): a second instance in ui")
                try agree(car.naive == rows[car.objectID.row], "\(place): ui fetches other values")
                if random.below(2) == 0 { held[car.objectID.row] = car }
            }
        }
        for row in held.keys.sorted() where random.below(20) == 0 { held[row] = nil }
    }
}
