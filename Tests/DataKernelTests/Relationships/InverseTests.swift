import DataKernel
import Testing

@Suite("Both ends of a relationship agree at once")
struct InverseTests {
    @Test("a to-one set, moved and set to nil, from either side, before and after a save")
    func oneToMany() throws {
        let storage = try graph()
        try storage.perform(ephemeral: true) { context, save in
            let ann = try context.acquire(Owner.self, "Ann")
            let bob = try context.acquire(Owner.self, "Bob")
            let car = try context.acquire(Vehicle.self, "CRZ")
            car.owner = ann
            #expect(ann.vehicles.map(\.model) == ["CRZ"])
            bob.vehicles = [car]
            #expect(car.owner === bob)
            #expect(ann.vehicles.isEmpty)
            try save()
            #expect(bob.vehicles.first === car)
            bob.vehicles.append(try context.acquire("Civic"))
            #expect(bob.vehicles.count == 2)
            #expect(try context.acquire(Vehicle.self, "Civic").owner === bob)
            car.owner = nil
            #expect(bob.vehicles.map(\.model) == ["Civic"])
            try save()
        }
        try storage.read { context in
            let bob = try #require(try context.first(Request<Owner>().filter(\.name == "Bob")))
            #expect(bob.vehicles.map(\.model) == ["Civic"])
            #expect(bob.vehicles[0].owner === bob)
            let crz = try #require(try context.first(Request<Vehicle>().filter(\.model == "CRZ")))
            #expect(crz.owner == nil)
        }
    }

    @Test("owners that are not loaded learn of it when they are")
    func unloaded() throws {
        let storage = try graph()
        try storage.unit { context in
            try context.acquire(Owner.self, "Ann").vehicles = [try context.acquire("A"), try context.acquire("B")]
            _ = try context.acquire(Owner.self, "Bob")
        }
        try storage.unit { context in
            try context.acquire(Vehicle.self, "A").owner = try context.acquire(Owner.self, "Bob")
            #expect(try context.acquire(Owner.self, "Ann").vehicles.map(\.model) == ["B"])
            #expect(try context.acquire(Owner.self, "Bob").vehicles.map(\.model) == ["A"])
        }
    }

    @Test("one to one: whoever had it loses it, on both sides")
    func oneToOne() throws {
        let storage = try graph()
        try storage.perform(ephemeral: true) { context, save in
            let ann = try context.acquire(Owner.self, "Ann")
            let bob = try context.acquire(Owner.self, "Bob")
            let home: Home = try context.create()
            ann.home = home
            #expect(home.resident === ann)
            home.resident = bob
            #expect(ann.home == nil)
            #expect(bob.home === home)
            try save()
            let other: Home = try context.create()
            other.resident = bob
            #expect(home.resident == nil)
            #expect(bob.home === other)
            ann.home = home
            try save()
        }
        // Two swap theirs in one save, without having been loaded before.
        try storage.unit { context in
            let ann = try context.acquire(Owner.self, "Ann")
            let bob = try context.acquire(Owner.self, "Bob")
            let (first, second) = (ann.home, bob.home)
            ann.home = second
            bob.home = first
        }
        try storage.read { context in
            let owners = try context.fetch(Request<Owner>().sort("name"))
            #expect(owners[0].home != nil)
            #expect(owners[1].home != nil)
            #expect(owners[0].home !== owners[1].home)
            #expect(owners.allSatisfy { $0.home?.resident === $0 })
        }
    }

    @Test("one relationship as its own inverse: partners and friends")
    func symmetric() throws {
        let storage = try graph()
        try storage.unit { context in
            let people = try context.acquire(Owner.self, all: ["A", "B", "C"])
            people[0].partner = people[1]
            #expect(people[1].partner === people[0])
            people[2].partner = people[1]
            #expect(people[0].partner == nil)
            #expect(people[1].partner === people[2])
            people[0].friends = [people[1], people[2]]
            #expect(people[1].friends.map(\.name) == ["A"])
            people[2].friends.append(people[1])
        }
        try storage.unit { context in
            let people = try context.acquire(Owner.self, all: ["A", "B", "C"])
            #expect(people[0].partner == nil)
            #expect(people[1].partner === people[2])
            #expect(people[2].partner === people[1])
            #expect(Set(people[1].friends.map(\.name)) == ["A", "C"])
            people[1].friends = []
            #expect(people[0].friends.map(\.name) == ["C"])
            people[1].partner = nil
            #expect(people[2].partner == nil)
        }
        try storage.read { context in
            let people = try context.fetch(Request<Owner>().sort("name"))
            #expect(people.map { $0.friends.map(\.name) } == [["C"], [], ["A"]])
            #expect(people.allSatisfy { $0.partner == nil })
        }
    }

    @Test("many to many, from either side, loaded or not")
    func manyToMany() throws {
        let storage = try graph()
        try storage.unit { context in
            let car = try context.acquire(Vehicle.self, "A")
            car.labels = [try context.acquire("red"), try context.acquire("fast")]
            #expect(try context.acquire(Label.self, "red").vehicles.map(\.model) == ["A"])
        }
        try storage.perform(ephemeral: true) { context, save in
            let red = try context.acquire(Label.self, "red")
            red.vehicles.append(try context.acquire("B"))
            #expect(try context.acquire(Vehicle.self, "B").labels.map(\.text) == ["red"])
            let car = try context.acquire(Vehicle.self, "A")
            car.labels.removeAll { $0 === red }
            #expect(red.vehicles.map(\.model) == ["B"])
            try save()
            car.labels.append(red)
            car.labels.removeAll { $0 === red }
            #expect(!context.hasChanges)
        }
        try storage.read { context in
            let labels = try context.fetch(Request<Label>().sort("text"))
            #expect(labels.map { $0.vehicles.map(\.model) } == [["A"], ["B"]])
        }
    }

    @Test("one way: to one and to many")
    func oneWay() throws {
        let storage = try graph()
        try storage.unit { context in
            let honda = try context.acquire(Maker.self, "Honda")
            let parts = try context.acquire(Maker.self, "Parts")
            for model in ["A", "B"] {
                let car = try context.acquire(Vehicle.self, model)
                car.maker = honda
                car.extras = [honda, parts]
            }
        }
        try storage.unit { context in
            let car = try context.acquire(Vehicle.self, "A")
            #expect(car.maker?.name == "Honda")
            #expect(car.extras.map(\.name) == ["Honda", "Parts"])
            try context.remove(try context.acquire(Maker.self, "Honda"))
            #expect(car.maker == nil)
        }
        try storage.read { context in
            for car in try context.fetch(Request<Vehicle>()) {
                #expect(car.maker == nil)
                #expect(car.extras.map(\.name) == ["Parts"])
            }
        }
    }

    @Test("an ordered relationship keeps its order: insert in the middle, move, remove")
    func ordered() throws {
        let storage = try graph()
        func serials() throws -> [Int] {
            try storage.read { context in try context.fetch(Request<Vehicle>())[0].tyres.map(\.serial) }
        }
        try storage.unit { context in
            let car = try context.acquire(Vehicle.self, "A")
            for serial in [3, 1, 2] {
                let tyre: Tyre = try context.create()
                tyre.serial = serial
                car.tyres.append(tyre)
            }
        }
        #expect(try serials() == [3, 1, 2])
        try storage.unit { context in
            let car = try context.acquire(Vehicle.self, "A")
            let tyre: Tyre = try context.create()
            tyre.serial = 9
            car.tyres.insert(tyre, at: 1)
        }
        #expect(try serials() == [3, 9, 1, 2])
        try storage.unit { context in
            let car = try context.acquire(Vehicle.self, "A")
            car.tyres.swapAt(0, 3)
            car.tyres.remove(at: 1)
        }
        #expect(try serials() == [2, 1, 3])
    }

    @Test("objects of no context are taken in with the one that is related to them")
    func detached() throws {
        let storage = try graph()
        try storage.unit { context in
            let owner = Owner()
            owner.name = "Ann"
            let car = Vehicle()
            car.model = "A"
            car.owner = owner
            let label = Label()
            label.text = "red"
            car.labels = [label]
            #expect(owner.vehicles.first === car)
            #expect(label.vehicles.first === car)
            try context.insert(car)
            #expect(owner.isInserted && label.isInserted)
            #expect(owner.vehicles.first === car)
            let late = Vehicle()
            late.model = "B"
            owner.vehicles.append(late)
            #expect(late.isInserted)
        }
        try storage.read { context in
            let (owner, label) = (try context.fetch(Request<Owner>())[0], try context.fetch(Request<Label>())[0])
            #expect(owner.vehicles.map(\.model) == ["A", "B"])
            #expect(label.vehicles.map(\.model) == ["A"])
        }
    }

    @Test("an object of another context is refused with an error that names both contexts")
    func otherContext() throws {
        let storage = try graph()
        let other = try graph()
        try storage.unit { context in _ = try context.acquire(Owner.self, "Ann") }
        try other.perform(ephemeral: true) { outside, _ in
            let stranger = try outside.acquire(Owner.self, "Bob")
            nonisolated(unsafe) let bob = stranger
            let error = #expect(throws: KernelError.self) {
                try storage.perform(ephemeral: true) { context, save in
                    let car = try context.acquire(Vehicle.self, "A")
                    car.owner = bob
                    #expect(car.owner == nil)
                    try save()
                }
            }
            guard case .otherContext(let entity, let its, let this)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(entity == "Owner" && its == "a unit of work" && this == "a unit of work")
        }
        #expect(try storage.read { try $0.count(Request<Vehicle>()) } == 0)
    }

    @Test("a rollback takes both ends back")
    func rollback() throws {
        let storage = try graph()
        try storage.unit { context in
            try context.acquire(Owner.self, "Ann").vehicles = [try context.acquire("A")]
            _ = try context.acquire(Owner.self, "Bob")
        }
        try storage.perform(ephemeral: true) { context, _ in
            let (ann, bob) = (try context.acquire(Owner.self, "Ann"), try context.acquire(Owner.self, "Bob"))
            let car = try context.acquire(Vehicle.self, "A")
            bob.vehicles = [car]
            car.labels = [try context.acquire("red")]
            _ = try context.fetch(Request<Label>())
            try context.rollback()
            #expect(car.owner === ann)
            #expect(ann.vehicles.first === car)
            #expect(bob.vehicles.isEmpty)
            #expect(car.labels.isEmpty)
            #expect(!context.hasChanges)
        }
    }
}
