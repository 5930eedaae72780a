import DataKernel
import Foundation

/// An entity with an attribute of each kind, as far as a request has to know of it.
final class Truck: Entity {
    enum Fuel: String, AttributeValue { case petrol, diesel }
    struct Address: Codable, AttributeValue, Comparable {
        var street = ""
        static func < (left: Address, right: Address) -> Bool { left.street < right.street }
    }

    var model = ""
    var mark: String?
    var spare: String?
    var year = 0
    var serial: UInt64 = 0
    var weight = 0.0
    var price: Decimal = 0
    var builtAt: Date?
    var fuel = Fuel.petrol
    var key: UUID?
    var home: URL?
    var address = Address()
    var used = false
    /// Not in the description.
    var badge: String?

    static let entity = EntityDescription(Truck.self, name: "Truck") { entity in
        entity.attribute("model", \Truck.model, .primaryKey)
        entity.attribute("mark", \Truck.mark, .indexed)
        entity.attribute("spare", \Truck.spare)
        entity.attribute("year", \Truck.year)
        entity.attribute("serial", \Truck.serial)
        entity.attribute("weight", \Truck.weight)
        entity.attribute("price", \Truck.price)
        entity.attribute("builtAt", \Truck.builtAt)
        entity.attribute("fuel", \Truck.fuel)
        entity.attribute("key", \Truck.key)
        entity.attribute("home", \Truck.home)
        entity.attribute("address", \Truck.address)
        entity.attribute("used", \Truck.used)
    }
    static var pk: String? { "model" }

    let kernelState = KernelState()
    init() {}
    init(row: Row) throws {}
    func kernelLoad(_ row: Row) throws {}
    func kernelBind(_ attribute: Int, to binder: Binder) throws {}
    func kernelChanges() -> AttributeSet { AttributeSet() }
    func kernelRevert() {}
}
