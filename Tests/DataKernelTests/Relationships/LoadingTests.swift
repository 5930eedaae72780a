import DataKernel
import DataKernelTesting
import Testing

@Suite("Relationships load for a whole fetch result")
struct LoadingTests {
    /// 100 owners with 10 vehicles each, of which each has two labels and four tyres.
    private func filled(_ recorder: SQLRecorder) throws -> SQLiteStorage {
        let storage = try graph(recorder.options(StorageOptions(durability: .normal)))
        try storage.unit { context in
            let labels = try context.acquire(Label.self, all: (0..<20).map { "label \($0)" })
            for index in 0..<100 {
                let owner = try context.acquire(Owner.self, "owner \(index)")
                for number in 0..<10 {
                    let car = try context.acquire(Vehicle.self, "car \(index) \(number)")
                    car.owner = owner
                    car.labels = [labels[number], labels[number + 10]]
                    for serial in 0..<4 {
                        let tyre: Tyre = try context.create()
                        tyre.serial = serial
                        tyre.vehicle = car
                    }
                }
                owner.home = try context.create()
            }
        }
        return storage
    }

    private func count(_ body: (any ReadContext) throws -> Void) throws -> [String] {
        let recorder = SQLRecorder()
        let storage = try filled(recorder)
        nonisolated(unsafe) let body = body
        return work(try recorder.record { try storage.read { try body($0) } })
    }

    @Test("100 owners × 10 vehicles touched in a loop: 2 statements")
    func toMany() throws {
        var seen = 0
        let statements = try count { context in
            for owner in try context.fetch(Request<Owner>()) {
                for car in owner.vehicles {
                    seen += 1
                    #expect(car.owner === owner)
                }
            }
        }
        #expect(seen == 1000)
        #expect(statements.count == 2)
        #expect(
            statements.last
                == #"SELECT "owner", "_id", "model", "year", "owner", "maker" FROM "Vehicle" WHERE "owner" IN "#
                + #"(SELECT value FROM kernel_values(?)) ORDER BY "owner", "_id""#)
    }

    @Test("1,000 vehicles and their owners: 2 statements")
    func toOne() throws {
        var names: Set<String> = []
        let statements = try count { context in
            for car in try context.fetch(Request<Vehicle>()) { names.insert(car.owner?.name ?? "") }
        }
        #expect(names.count == 100)
        #expect(statements.count == 2)
    }

    @Test("what a relationship loaded loads its own in one: owners, vehicles, tyres and labels are 4 statements")
    func levels() throws {
        var tyres = 0
        var labels = 0
        let statements = try count { context in
            for owner in try context.fetch(Request<Owner>()) {
                for car in owner.vehicles {
                    tyres += car.tyres.count
                    labels += car.labels.count
                }
            }
        }
        #expect((tyres, labels) == (4000, 2000))
        #expect(statements.count == 4)
    }

    @Test("the other end of a one-to-one, which has the key: 2 statements")
    func oneToOne() throws {
        var homes = 0
        let statements = try count { context in
            for owner in try context.fetch(Request<Owner>()) where owner.home?.resident === owner { homes += 1 }
        }
        #expect(homes == 100)
        #expect(statements.count == 2)
    }

    @Test("objects that are there already are not read again")
    func known() throws {
        let statements = try count { context in
            let owners = try context.fetch(Request<Owner>())
            for car in try context.fetch(Request<Vehicle>()) { #expect(car.owner != nil) }
            #expect(owners.count == 100)
        }
        #expect(statements.count == 2)
    }

    @Test("50,000 objects at once")
    func many() throws {
        let storage = try graph()
        try storage.unit { context in
            let owners = try context.acquire(Owner.self, all: (0..<500).map { "owner \($0)" })
            for index in 0..<50_000 {
                let car: Vehicle = try context.create()
                car.model = "car \(index)"
                car.owner = owners[index % 500]
            }
        }
        try storage.read { context in
            let cars = try context.fetch(Request<Vehicle>())
            #expect(cars.count == 50_000)
            #expect(cars.allSatisfy { $0.owner != nil })
            let owners = try context.fetch(Request<Owner>())
            #expect(owners.allSatisfy { $0.vehicles.count == 100 })
        }
    }

    @Test("an object that only what its result loaded keeps alive is there when it is fetched again")
    func circle() throws {
        let storage = try graph()
        try storage.unit { context in
            let links = try (0..<3).map { number in
                let link: Link = try context.create()
                link.number = number
                return link
            }
            links[0].parent = links[1]
            links[1].parent = links[2]
        }
        try storage.read { context in
            weak var parent: Link?
            for _ in 0..<10 {
                do {
                    let links = try context.fetch(Request<Link>().filter(\.number < 2).sort(\.number))
                    #expect(links.map(\.number) == [0, 1])
                    // The result keeps what it loads, of which the first one's parent is one; that keeps its result.
                    #expect(links[1].parent?.number == 2)
                    parent = links[1]
                }
                #expect(parent != nil)
                let parents = try context.fetch(Request<Link>().filter(\.number == 1))
                #expect(parents.map(\.number) == [1] && parents[0] === parent)
            }
        }
    }

    @Test("a new object has nothing to load")
    func fresh() throws {
        let recorder = SQLRecorder()
        let storage = try filled(recorder)
        try storage.perform(ephemeral: true) { context, _ in
            let owner: Owner = try context.create()
            _ = recorder.take()
            let car: Vehicle = try context.create()
            car.owner = owner
            #expect(owner.vehicles.count == 1)
            #expect(car.tyres.isEmpty)
            // The main actor may ask for the store's version meanwhile.
            #expect(work(recorder.take()).isEmpty)
        }
    }
}
