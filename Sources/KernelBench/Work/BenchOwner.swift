import DataKernel

/// Whom the cars of W9 belong to. Cars of their own, so that the other workloads keep their row.
@Entity
final class BenchOwner {
    @Attribute(.primaryKey) var name = ""
    var age = 0
    @Relationship(.nullify, inverse: "owner") var cars: [OwnedCar]
}

@Entity
final class OwnedCar {
    var model = ""
    var year = 0
    var price = 0.0
    @Relationship(.nullify, inverse: "cars") var owner: BenchOwner?
}

/// The same as plain structs.
struct PlainOwner {
    var id: Int64 = 0
    var name = ""
    var age = 0
}

struct PlainOwnedCar {
    var id: Int64 = 0
    var model = ""
    var year = 0
    var price = 0.0
    var owner: Int64 = 0
}

extension RawStatement {
    func owner() -> PlainOwner { PlainOwner(id: integer(0), name: text(1), age: Int(integer(2))) }

    func ownedCar() -> PlainOwnedCar {
        PlainOwnedCar(id: integer(0), model: text(1), year: Int(integer(2)), price: real(3), owner: integer(4))
    }
}

extension RawSQL {
    static let ownedCars = "SELECT _id, model, year, price, owner FROM OwnedCar ORDER BY _id"
    static let owner = "SELECT _id, name, age FROM BenchOwner WHERE _id = ?"
}

extension Bench {
    /// The path of a store with that many cars, ten to an owner; made once.
    func ownedStore(_ count: Int) throws -> String {
        let path = path("owned-\(count).db")
        guard !exists(path) else { return path }
        try storage(at: path, BenchOwner.self, OwnedCar.self).perform(ephemeral: true) { context, save in
            for n in 0..<count / 10 {
                let owner = try context.create(BenchOwner.self)
                owner.name = "owner \(n)"
                owner.age = n % 90
                for place in 0..<10 {
                    let car = try context.create(OwnedCar.self)
                    car.model = "model \(n) \(place)"
                    car.year = 1950 + place
                    car.price = Double(n)
                    car.owner = owner
                }
            }
            try save()
        }
        return path
    }
}
