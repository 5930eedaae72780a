import DataKernel
import Foundation

enum Origin: String, Codable, CaseIterable, AttributeValue {
    case usa = "USA"
    case europe = "Europe"
    case japan = "Japan"
}

@Entity(indexes: [["origin", "milesPerGallon"]])
final class Car {
    @Attribute(.primaryKey) var model = ""
    var origin = Origin.usa
    var year = 1970
    var milesPerGallon: Double?
    var horsepower: Int?
    var cylinders = 0
    var weight = 0
    var displacement = 0.0
    var acceleration = 0.0
    /// Not stored.
    @Transient var badge: String?
}

/// A car as `cars.json` has it.
struct CarRecord: Decodable {
    let name: String
    let milesPerGallon: Double?
    let cylinders: Int
    let displacement: Double
    let horsepower: Int?
    let weight: Int
    let acceleration: Double
    let year: String
    let origin: Origin

    enum CodingKeys: String, CodingKey {
        case name = "Name"
        case milesPerGallon = "Miles_per_Gallon"
        case cylinders = "Cylinders"
        case displacement = "Displacement"
        case horsepower = "Horsepower"
        case weight = "Weight_in_lbs"
        case acceleration = "Acceleration"
        case year = "Year"
        case origin = "Origin"
    }

    static func all() throws -> [CarRecord] {
        guard let file = Bundle.module.url(forResource: "cars", withExtension: "json") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try JSONDecoder().decode([CarRecord].self, from: Data(contentsOf: file))
    }

    /// Gives a car this record's values. What `acquire` found keeps what is not assigned.
    func fill(_ car: Car) {
        car.origin = origin
        car.year = Int(year.prefix(4)) ?? 1970
        car.milesPerGallon = milesPerGallon
        car.horsepower = horsepower
        car.cylinders = cylinders
        car.weight = weight
        car.displacement = displacement
        car.acceleration = acceleration
    }
}
