import DataKernel
import Foundation

/// The row of the workloads: an integer key and nine attributes.
@Entity(indexes: [["mark", "price"]])
final class BenchCar {
    @Attribute(.primaryKey) var model = ""
    var mark = ""
    var year = 0
    var price = 0.0
    var builtAt = Date(timeIntervalSinceReferenceDate: 0)
    var notes: String?
    var doors = 0
    var seats = 0
    var code = ""
}

/// The same as a plain struct: what the control fills and reads.
struct PlainCar {
    var id: Int64 = 0
    var model = ""
    var mark = ""
    var year = 0
    var price = 0.0
    var builtAt = 0.0
    var notes: String?
    var doors = 0
    var seats = 0
    var code = ""

    /// The n-th car; the same for the kernel and the control.
    init(_ n: Int) {
        id = Int64(n + 1)
        model = "model-\(n)"
        mark = PlainCar.mark(n)
        year = 1950 + n % 75
        price = Double((n &* 7919) % 100_000) + 0.5
        builtAt = Double(n) * 3600
        notes = n % 2 == 0 ? PlainCar.note : nil
        doors = n % 5
        seats = n % 9
        code = "c\(n % 1000)"
    }

    init() {}

    static let note = String(repeating: "sixty characters of notes ", count: 3).prefix(60).description
    static func mark(_ n: Int) -> String { "mark-\(n % 40)" }
}

extension BenchCar {
    /// The three attributes that W4 sets.
    func change(_ n: Int) {
        mark = PlainCar.mark(n + 1)
        year = n
        price = Double(n)
    }

    func fill(_ car: PlainCar) {
        model = car.model
        mark = car.mark
        year = car.year
        price = car.price
        builtAt = Date(timeIntervalSinceReferenceDate: car.builtAt)
        notes = car.notes
        doors = car.doors
        seats = car.seats
        code = car.code
    }
}
