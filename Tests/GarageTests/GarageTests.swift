import Foundation
import TestSupport
import Testing

/// Runs the example and checks what it prints against numbers computed from the JSON by Foundation alone.
@Suite("The Garage example")
struct GarageTests {
    private let cars: [[String: Any]]
    /// The last record of each name, as `acquire` leaves it.
    private let models: [String: [String: Any]]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Examples/Garage/cars.json").standardizedFileURL
        cars = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]])
        models = Dictionary(
            cars.compactMap { car in (car["Name"] as? String).map { ($0, car) } }, uniquingKeysWith: { $1 })
    }

    private func number(_ value: Double) -> String { String(format: "%.1f", value) }

    @Test("prints what the data says, step by step")
    func output() throws {
        let lines = try GarageTests.run()
        #expect(lines.contains("   distinct models: \(models.count)"))

        let economical = models.values
            .filter { $0["Origin"] as? String == "Japan" }
            .compactMap { car in (car["Miles_per_Gallon"] as? Double) }
            .sorted(by: >).prefix(5)
        let printed = lines.filter { $0.contains(" mpg  ") }.map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(printed.map { String($0.split(separator: " ")[0]) } == economical.map(number))
        for line in printed {
            let name = try #require(line.split(separator: "mpg  ").last?.split(separator: " (").first.map(String.init))
            #expect(models[name]?["Origin"] as? String == "Japan")
        }

        for origin in ["USA", "Europe", "Japan"] {
            let powers = models.values.filter { $0["Origin"] as? String == origin }
                .compactMap { $0["Horsepower"] as? Double }
            let average = powers.reduce(0, +) / Double(powers.count)
            #expect(lines.contains("   \(origin): \(number(average)) over \(powers.count) cars"))
        }

        let old = models.values.filter { ($0["Year"] as? String)?.hasPrefix("1970") == true }.count
        #expect(lines.contains("   updated: \(old), left of 1970: 0"))

        let thirsty = models.values.filter {
            $0["Cylinders"] as? Int == 8 && ($0["Miles_per_Gallon"] as? Double).map { $0 < 15 } == true
        }.count
        let left = models.count - thirsty
        #expect(lines.contains("   removed: \(thirsty), left: \(left)"))
        #expect(lines.contains("   wiped: \(left), seen inside the unit: 0"))
        #expect(lines.contains("   after the rollback: \(left)"))
        #expect(lines.contains("   cars: \(models.count)"))
    }

    /// The lines that the example prints.
    private static func run() throws -> [String] {
        let result = try Program(built: "Garage").run()
        #expect(result.status == 0, "\(result.errors)")
        return result.lines
    }
}
