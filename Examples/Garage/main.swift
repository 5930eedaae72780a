// Imports 406 real cars through `acquire`, asks some questions, changes, removes, rolls back, wipes and imports anew.
//
//     swift run Garage            a store in memory, gone afterwards
//     swift run Garage cars.db    a file, to look at with: sqlite3 cars.db 'SELECT * FROM Car LIMIT 5'

import DataKernel
import Foundation

let place: StoreRef = CommandLine.arguments.count > 1 ? .url(URL(filePath: CommandLine.arguments[1])) : .memory
// The storage ends with this scope, and with it the file's -wal: what was saved is then in the one file.
do {
    let storage = try SQLiteStorage(store: place, model: [Car.self])
    let records = try CarRecord.all()

    func importCars() throws -> Int {
        try storage.perform(ephemeral: true) { context, save in
            for record in records {
                let car: Car = try context.acquire(record.name)
                record.fill(car)
            }
            try save()
            return try context.count(Request<Car>())
        }
    }

    func number(_ value: Double) -> String { String(format: "%.1f", value) }

    print("1. Import: \(records.count) records in one unit of work, each through acquire(name)")
    print("   distinct models: \(try importCars())")

    print("2. The five most economical cars of Japan")
    let japan = Request<Car>()
        .filter(\.origin == .japan && \.milesPerGallon != nil)
        .sort(\.milesPerGallon, .descending)
        .limit(5)
    for car in try storage.uiContext.fetch(japan) {
        print("   \(number(car.milesPerGallon ?? 0)) mpg  \(car.model) (\(car.year))")
    }

    print("3. Average horsepower by origin")
    for origin in Origin.allCases {
        let cars = try storage.uiContext.fetch(Request<Car>().filter(\.origin == origin && \.horsepower != nil))
        let average = Double(cars.compactMap(\.horsepower).reduce(0, +)) / Double(max(cars.count, 1))
        print("   \(origin.rawValue): \(number(average)) over \(cars.count) cars")
    }

    print("4. Update: every car of 1970 gets a year more")
    let updated = try storage.perform(ephemeral: true) { context, save in
        let cars = try context.fetch(Request<Car>().filter(\.year == 1970))
        for car in cars { car.year += 1 }
        try save()
        return cars.count
    }
    print("   updated: \(updated), left of 1970: \(try storage.uiContext.count(Request<Car>().filter(\.year == 1970)))")

    print("5. Conditional remove: cars with 8 cylinders and less than 15 mpg")
    let removed = try storage.perform(ephemeral: true) { context, save in
        let count = try context.remove(Request<Car>().filter(\.cylinders == 8 && \.milesPerGallon < 15))
        try save()
        return count
    }
    print("   removed: \(removed), left: \(try storage.uiContext.count(Request<Car>()))")

    print("6. Rollback: wipe all, look, and think better of it")
    try storage.perform(ephemeral: true) { context, _ in
        let wiped = try context.wipe(Car.self)
        print("   wiped: \(wiped), seen inside the unit: \(try context.count(Request<Car>()))")
        try context.rollback()
        print("   after the rollback: \(try context.count(Request<Car>()))")
    }

    print("7. Wipe and import anew, in one unit of work")
    let anew = try storage.perform(ephemeral: true) { context, save in
        try context.wipe(Car.self)
        for record in records { record.fill(try context.acquire(record.name)) }
        try save()
        return try context.count(Request<Car>())
    }
    print("   cars: \(anew)")
}
