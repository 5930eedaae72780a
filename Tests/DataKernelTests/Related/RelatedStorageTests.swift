import Testing

@testable import DataKernel

@Suite("Requests through relationships, in units of work")
struct RelatedStorageTests {
    /// Ann has three cars with 1, 2 and 3 tyres, Bob has one with none, and one car is nobody's.
    private func filled() throws -> SQLiteStorage {
        let storage = try graph()
        try storage.perform(ephemeral: true) { context, save in
            for (name, cars) in [("Ann", 3), ("Bob", 1)] {
                let owner = try context.acquire(Owner.self, name)
                owner.home = try context.create(Home.self)
                owner.home?.street = "\(name)'s street"
                for number in 0..<cars {
                    let car = try context.acquire(Vehicle.self, "\(name) \(number)")
                    car.year = 2000 + number
                    car.owner = owner
                    car.labels = [try context.acquire(Label.self, "red"), try context.acquire(Label.self, name)]
                    if name == "Ann" { car.tyres = try (0...number).map { _ in try context.create(Tyre.self) } }
                }
            }
            let _: Vehicle = try context.acquire("Nobody's")
            try save()
        }
        return storage
    }

    private func models(_ context: any ReadContext, _ request: Request<Vehicle>) throws -> [String] {
        try context.fetch(request).map(\.model)
    }

    @Test("find objects by their owner's attributes, by counts and by what others have")
    func finds() throws {
        let storage = try filled()
        try storage.read { context in
            let all = Request<Vehicle>().sort(\.model)
            #expect(try models(context, all.filter(where: { $0.owner.name == "Bob" })) == ["Bob 0"])
            #expect(try models(context, all.filter(where: { $0.owner.name != "Ann" })) == ["Bob 0", "Nobody's"])
            #expect(try models(context, all.filter(where: { $0.tyres.count > 1 })) == ["Ann 1", "Ann 2"])
            #expect(try models(context, all.filter("owner.vehicles.count", equalTo: 1)) == ["Bob 0"])
            #expect(
                try models(context, all.filter(where: { $0.labels.contains { $0.text == "Bob" } })) == ["Bob 0"])
            #expect(try context.count(Request<Vehicle>().filter(.any(\.labels, \.text == "red"))) == 4)
            let ann = try #require(try context.first(Request<Owner>().filter(\.name == "Ann")))
            #expect(try models(context, all.filter(\.owner == ann)) == ["Ann 0", "Ann 1", "Ann 2"])
            #expect(try context.count(Request<Home>().filter(\.resident == ann)) == 1)
            #expect(try context.count(Request<Owner>().filter(\.home == nil)) == 0)
            #expect(
                try context.first(Request<Owner>().filter(where: { $0.home.street == "Bob's street" }))?.name == "Bob")
            #expect(
                try models(context, Request<Vehicle>().sort(by: { $0.owner.name }, .descending).sort(\.year).limit(2))
                    == ["Bob 0", "Ann 0"])
        }
    }

    @Test("see what the unit has done, saved or not")
    func unsaved() throws {
        let storage = try filled()
        try storage.perform(ephemeral: true) { context, _ in
            let request = Request<Vehicle>().filter(where: { $0.owner.name == "Cid" })
            #expect(try context.count(request) == 0)
            let cid: Owner = try context.acquire("Cid")
            try context.acquire(Vehicle.self, "Nobody's").owner = cid
            #expect(try models(context, request) == ["Nobody's"])
            #expect(try context.count(cid.request(\.vehicles)) == 1)
            cid.name = "Dan"
            #expect(try context.exists(request) == false)
        }
    }

    @Test("remove what they find, and page it")
    func remove() throws {
        let storage = try filled()
        try storage.perform(ephemeral: true) { context, save in
            let pages = Request<Vehicle>().sort("owner.name").sort(\.year)
            #expect(try models(context, pages.limit(2)) == ["Nobody's", "Ann 0"])
            #expect(try models(context, pages.limit(2).offset(2)) == ["Ann 1", "Ann 2"])
            #expect(try context.count(pages.limit(2).offset(4)) == 1)
            #expect(
                try context.remove(Request<Vehicle>().filter(where: { $0.owner.name == "Ann" }).sort(\.year).limit(2))
                    == 2)
            try save()
            #expect(try models(context, pages) == ["Nobody's", "Ann 2", "Bob 0"])
            let ann = try context.acquire(Owner.self, "Ann")
            #expect(try context.remove(ann.request(\.vehicles)) == 1)
            #expect(ann.vehicles.isEmpty)
        }
    }

    @Test("of one object's relationship: in its order, filtered and paged")
    func members() throws {
        let storage = try filled()
        try storage.perform(ephemeral: true) { context, save in
            let car = try context.acquire(Vehicle.self, "Ann 2")
            for (index, tyre) in car.tyres.enumerated() { tyre.serial = 10 - index }
            car.tyres.swapAt(0, 2)
            try save()
            #expect(try context.fetch(car.request(\.tyres)).map(\.serial) == car.tyres.map(\.serial))
            #expect(try context.fetch(car.request(\.tyres).limit(1).offset(1)).map(\.serial) == [9])
            #expect(
                try context.fetch(car.request(\.tyres).filter(\.serial < 10).sort(\.serial)).map(\.serial) == [8, 9])
            let red = try context.acquire(Label.self, "red")
            #expect(try context.count(red.request(\.vehicles).filter(where: { $0.owner.name == "Ann" })) == 3)
            let maker = try context.acquire(Maker.self, "M")
            car.extras = [maker]
            #expect(try context.fetch(car.request(\.extras)).map(\.name) == ["M"])
        }
    }

    @Test("with other values render and prepare nothing")
    func planCache() throws {
        let storage = try filled()
        try storage.perform(ephemeral: true) { context, _ in
            let channel = try #require(context as? UnitContext).channel
            let ann = try context.acquire(Owner.self, "Ann")
            func ask(_ name: String, _ number: Int) throws {
                let request = Request<Vehicle>().filter(where: {
                    $0.owner.name == name && $0.tyres.count > number && $0.labels.contains { $0.text != name }
                })
                _ = try context.fetch(request.sort(by: { $0.owner.name }).limit(5))
                _ = try context.count(request)
                _ = try context.count(ann.request(\.vehicles).filter(\.year > number))
            }
            try ask("A", 0)
            let renderings = channel.renderings
            let prepares = channel.connection.counters.prepares
            for number in 0..<20 { try ask("name \(number)", number) }
            #expect(channel.renderings == renderings)
            #expect(channel.connection.counters.prepares == prepares)
        }
    }
}
