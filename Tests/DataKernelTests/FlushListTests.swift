import Testing

@testable import DataKernel

/// The lists of objects that a save passes on from one of its steps to the next.
@Suite("The lists of a flush")
struct FlushListTests {
    @Test("a list that nothing is left out of is the list itself and no copy")
    func whole() {
        let list = cars
        let kept = list.kept { _ in true }
        #expect(numbers(kept) == Array(0..<100))
        #expect(address(kept) == address(list))
        #expect([any Entity]().kept { _ in false }.isEmpty)
    }

    @Test("what is left out is left out, and each object is asked about once", arguments: [0, 1, 50, 98, 99])
    func part(first: Int) {
        var asked: [Int] = []
        let kept = cars.kept {
            let number = numbers([$0])[0]
            asked.append(number)
            return number < first || number % 3 == 1
        }
        #expect(asked == Array(0..<100))
        #expect(numbers(kept) == asked.filter { $0 < first || $0 % 3 == 1 })
    }

    @Test("a save keeps the changed objects and lets go of those that were set back, with what was flushed before")
    func setBack() throws {
        let storage = try garage()
        try storage.save((0..<6).map { "car \($0)" })
        try storage.perform(ephemeral: true) { context, save in
            let cars = try context.fetch(Request<Car>().sort(\.model))
            for car in cars { car.year = 1 }
            #expect(try context.count(Request<Car>().filter(\.year == 1)) == 6)
            // A second flush of the same transaction: two are set back, one gets another value, one is new to it.
            cars[0].year = 0
            cars[1].year = 0
            cars[2].year = 2
            let late = try context.create(Car.self)
            late.model = "late"
            #expect(try context.count(Request<Car>().filter(\.year >= 1)) == 4)
            #expect(cars[3].hasChanges && !cars[0].hasChanges)
            try save()
            #expect(!context.hasChanges)
        }
        let years = try storage.perform(ephemeral: true) { context, _ in
            try context.fetch(Request<Car>().sort(\.model)).map { $0.year }
        }
        #expect(years == [0, 0, 2, 1, 1, 1, 0])
    }

    private var cars: [any Entity] {
        (0..<100).map { number in
            let car = Car()
            car.year = number
            return car
        }
    }

    private func numbers(_ list: [any Entity]) -> [Int] { list.map { ($0 as? Car)?.year ?? -1 } }

    private func address(_ list: [any Entity]) -> UnsafePointer<any Entity>? {
        list.withUnsafeBufferPointer { $0.baseAddress }
    }
}
