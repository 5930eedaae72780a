import Testing

@testable import DataKernel

@Suite("Objects that are not complete yet")
struct IncompleteObjectTests {
    @Test("stay out of every query until they are complete, and acquire finds them by their key")
    func acquire() throws {
        let storage = try office()
        try storage.perform(ephemeral: true) { context, save in
            let bill: Waybill = try context.acquire("W1")
            bill.sender = try context.acquire("Ann")
            #expect(try context.acquire(Waybill.self, "W1") === bill)
            #expect(try context.fetch(Request<Waybill>()).isEmpty)
            #expect(try context.count(Request<Waybill>()) == 0)
            #expect(try !context.exists(Request<Waybill>().filter(\.number == "W1")))
            #expect(try context.values(Request<Waybill>(), \.number).isEmpty)
            try context.forEach(Request<Waybill>()) { _ in Issue.record("It is not there") }
            #expect(try context.object(with: bill.objectID) as Waybill? === bill)
            let bills = try context.acquire(Waybill.self, all: ["W2", "W1", "W2"])
            #expect(bills[1] === bill && bills[0] === bills[2] && bills[0] !== bill)
            #expect(bill.sender.sent.map(\.number) == ["W1"])
            #expect(context.hasChanges && context.insertedObjects.count == 3)
            bill.receiver = bill.sender
            #expect(try context.fetch(Request<Waybill>()).map(\.number) == ["W1"])
            bills[0].sender = bill.sender
            bills[0].receiver = bill.sender
            try save()
        }
        #expect(try storage.read { try $0.values(Request<Waybill>().sort(\.number), \.number) } == ["W1", "W2"])
    }

    @Test("are found by the key that they have now, not by one that they had")
    func changedKey() throws {
        let storage = try office()
        try storage.perform(ephemeral: true) { context, save in
            let bill: Waybill = try context.acquire("old")
            _ = try context.count(Request<Waybill>())
            bill.number = "new"
            #expect(try context.acquire(Waybill.self, "new") === bill)
            let other: Waybill = try context.acquire("old")
            #expect(other !== bill)
            // Two of one key: the older one is found, and the save says what is wrong.
            other.number = "new"
            #expect(try context.acquire(Waybill.self, "new") === bill)
            let ann: Trader = try context.acquire("Ann")
            for bill in [bill, other] { (bill.sender, bill.receiver) = (ann, ann) }
            #expect(throws: KernelError.self) { try save() }
            other.number = "other"
            try save()
        }
        #expect(try storage.read { try $0.count(Request<Waybill>()) } == 2)
    }

    @Test("give way to a row of the same key, until the save")
    func storedKey() throws {
        let storage = try office()
        try storage.unit { context in
            let (bill, ann): (Waybill, Trader) = (try context.acquire("W"), try context.acquire("Ann"))
            (bill.sender, bill.receiver) = (ann, ann)
        }
        try storage.perform(ephemeral: true) { context, save in
            let bill = try context.create(Waybill.self)
            bill.number = "W"
            let stored: Waybill = try context.acquire("W")
            #expect(stored !== bill && stored.isInserted == false)
            (bill.sender, bill.receiver) = (stored.sender, stored.sender)
            do {
                try save()
                Issue.record("Two of one key were saved")
            } catch KernelError.uniqueViolation(let entity, let attributes, _) {
                #expect(entity == "Waybill" && attributes == ["number"])
            }
        }
    }

    @Test("make the save throw, which names what is missing and changes nothing; then they can be mended")
    func save() throws {
        let storage = try office()
        try storage.perform(ephemeral: true) { context, save in
            let bill: Waybill = try context.acquire("W1")
            for missing in ["sender and receiver", "receiver"] {
                do {
                    try save()
                    Issue.record("An incomplete object was saved")
                } catch let error as KernelError {
                    guard case .missingValue("Waybill", let attribute, _) = error else { throw error }
                    #expect(attribute == missing)
                    let verb = missing == "receiver" ? "is required and has" : "are required and have"
                    #expect(error.description == "Waybill.\(missing) \(verb) no value")
                }
                #expect(try context.acquire(Waybill.self, "W1") === bill)
                #expect(try context.count(Request<Waybill>()) == 0)
                bill.sender = try context.acquire("Ann")
            }
            bill.receiver = bill.sender
            try save()
        }
        #expect(try storage.read { try $0.count(Request<Waybill>()) } == 1)
    }

    @Test("keep those out that need them: in a line, in a ring, in whatever order they become complete")
    func others() throws {
        let storage = try office()
        try storage.perform(ephemeral: true) { context, save in
            let bill: Waybill = try context.acquire("W1")
            let stamp: Stamp = try context.acquire("paid")
            stamp.waybill = bill
            let second: Stamp = try context.acquire("sent")
            (second.waybill, second.under) = (bill, stamp)
            #expect(try context.count(Request<Stamp>()) == 0)
            #expect(try context.acquire(Stamp.self, "paid") === stamp)
            #expect(bill.stamps.count == 2)
            let ann: Trader = try context.acquire("Ann")
            bill.sender = ann
            #expect(try context.count(Request<Stamp>()) == 0)
            bill.receiver = ann
            #expect(try context.count(Request<Stamp>().filter(\.waybill == bill)) == 2)
            // A line of beads whose last one has none yet; then a ring.
            let beads = try (0..<50).map { try context.acquire(Bead.self, $0) }
            for index in 0..<49 { beads[index].next = beads[index + 1] }
            #expect(try context.count(Request<Bead>()) == 0)
            #expect(try context.acquire(Bead.self, 7) === beads[7])
            beads[49].next = beads[0]
            #expect(try context.count(Request<Bead>()) == 50)
            try save()
        }
    }

    @Test("may be stored ones that lost what they need: queries see all but that")
    func stored() throws {
        let storage = try office()
        try storage.unit { context in
            let (bill, ann): (Waybill, Trader) = (try context.acquire("W"), try context.acquire("Ann"))
            (bill.sender, bill.receiver) = (ann, ann)
        }
        try storage.perform(ephemeral: true) { context, save in
            let ann: Trader = try context.acquire("Ann")
            let bill: Waybill = try context.acquire("W")
            ann.received = []
            (bill.number, bill.weight) = ("V", 7)
            #expect(try context.acquire(Waybill.self, "V") === bill)
            #expect(try context.fetch(Request<Waybill>().filter(\.weight == 7)).first === bill)
            #expect(ann.received.isEmpty && ann.sent.first === bill && bill.receiver.isDeleted)
            #expect(throws: KernelError.self) { try save() }
            bill.receiver = try context.acquire("Bob")
            #expect(try context.fetch(Request<Waybill>().filter(\.weight == 7)).first === bill)
            try save()
        }
        #expect(try storage.read { try $0.fetch(Request<Waybill>()).map { $0.receiver.name } } == ["Bob"])
    }

    @Test("may be stored ones that swap unique values with others, and need a new object that is not complete")
    func swaps() throws {
        let storage = try office()
        try storage.unit { context in
            let ann: Trader = try context.acquire("Ann")
            for bill in try context.acquire(Waybill.self, all: ["V", "W"]) { (bill.sender, bill.receiver) = (ann, ann) }
            let stamp: Stamp = try context.acquire("paid")
            stamp.waybill = try context.acquire("V")
        }
        try storage.perform(ephemeral: true) { context, save in
            let ann: Trader = try context.acquire("Ann")
            let bills = try context.acquire(Waybill.self, all: ["V", "W"])
            ann.received = [bills[1]]
            (bills[0].number, bills[1].number) = ("W", "V")
            let stamp: Stamp = try context.acquire("paid")
            let new: Waybill = try context.acquire("new")
            stamp.waybill = new
            stamp.text = "unpaid"
            #expect(try context.acquire(Waybill.self, "W") === bills[0])
            #expect(try context.acquire(Stamp.self, "unpaid") === stamp)
            #expect(stamp.waybill === new && bills[0].stamps.isEmpty && new.stamps.first === stamp)
            try context.perform { child, _ in
                let stamp: Stamp = try child.acquire("unpaid")
                #expect(stamp.waybill.number == "W")
            }
            bills[0].receiver = ann
            (new.sender, new.receiver) = (ann, ann)
            #expect(try context.count(Request<Stamp>().filter(\.waybill == new)) == 1)
            try save()
        }
        #expect(try storage.read { try $0.fetch(Request<Stamp>()).map { $0.waybill.number } } == ["new"])
    }

    @Test("may hold a value that cannot be stored, of which only the save complains")
    func unstorable() throws {
        let storage = try office()
        try storage.perform(ephemeral: true) { context, save in
            let ann: Trader = try context.acquire("Ann")
            for number in 0..<3 {
                let bill: Waybill = try context.acquire("\(number)")
                (bill.sender, bill.receiver) = (ann, ann)
                bill.weight = number == 1 ? .nan : 2
            }
            #expect(try context.values(Request<Waybill>().sort(\.number), \.number) == ["0", "2"])
            let bill: Waybill = try context.acquire("1")
            #expect(ann.sent.count == 3 && ann.sent.contains { $0 === bill })
            do {
                try save()
                Issue.record("NaN was saved")
            } catch KernelError.invalidValue(let entity, let attribute, _) {
                #expect(entity == "Waybill" && attribute == "weight")
            }
            bill.weight = 3
            try save()
            bill.weight = .nan
            #expect(try context.acquire(Waybill.self, "1") === bill)
            #expect(try context.count(Request<Waybill>().filter(\.weight == 3)) == 1)
            bill.weight = 4
            #expect(try context.count(Request<Waybill>().filter(\.weight == 4)) == 1)
            try save()
        }
    }

    @Test("need not be valid before the save")
    func validation() throws {
        let storage = try office()
        try storage.perform(ephemeral: true) { context, save in
            let bill: Waybill = try context.acquire("W")
            bill.weight = 5000
            bill.sender = try context.acquire("Ann")
            #expect(try context.acquire(Waybill.self, "W") === bill)
            bill.receiver = bill.sender
            do {
                try save()
                Issue.record("What is not valid was saved")
            } catch KernelError.validationFailed(let issues) {
                #expect(issues.count == 1)
            }
            bill.weight = 10
            try save()
        }
    }

    @Test("are removed, wiped, taken along and rolled back like others")
    func removals() throws {
        let storage = try office()
        try storage.perform(ephemeral: true) { context, save in
            func bill(_ number: String) throws -> Waybill {
                let bill: Waybill = try context.acquire(number)
                bill.sender = try context.acquire("Ann")
                _ = try context.count(Request<Waybill>())
                return bill
            }
            let removed = try bill("removed")
            try context.remove(removed)
            #expect(removed.isDeleted)
            #expect(try context.acquire(Waybill.self, "removed") !== removed)
            let along = try bill("along")
            try context.remove(along.sender)
            #expect(try context.count(Request<Trader>()) == 0)
            #expect(along.isDeleted)
            let wiped = try bill("wiped")
            try context.wipe(Waybill.self)
            #expect(wiped.isDeleted)
            #expect(try context.acquire(Waybill.self, "wiped") !== wiped)
            let back = try bill("back")
            try context.rollback()
            #expect(!context.hasChanges && !back.isInserted && back.objectID.row == 0)
            #expect(try context.acquire(Waybill.self, "back") !== back)
            try context.rollback()
            try save()
        }
        #expect(try storage.read { try $0.count(Request<Waybill>()) } == 0)
    }

    @Test("are not seen by a nested unit, and are there when it has ended; its save is theirs, too")
    func nested() throws {
        let storage = try office()
        try storage.perform(ephemeral: true) { context, save in
            let bill: Waybill = try context.acquire("W")
            bill.sender = try context.acquire("Ann")
            let id = bill.objectID
            try context.perform { child, save in
                #expect(try child.object(with: id, as: Waybill.self) == nil)
                #expect(try child.count(Request<Waybill>()) == 0)
                let own: Waybill = try child.acquire("own")
                own.sender = try child.acquire("Ann")
                #expect(try child.acquire(Waybill.self, "own") === own)
                own.receiver = own.sender
                #expect(try child.count(Request<Waybill>()) == 1)
                #expect(throws: KernelError.self) { try save() }
            }
            #expect(try context.acquire(Waybill.self, "W") === bill)
            #expect(try context.count(Request<Waybill>()) == 0)
            bill.receiver = bill.sender
            try context.perform { child, save in
                #expect(try child.object(with: id, as: Waybill.self)?.sender.name == "Ann")
                try save()
            }
            #expect(!bill.isInserted)
        }
        #expect(try storage.read { try $0.count(Request<Waybill>()) } == 1)
    }

    @Test("wait in the save context from one unit to the next")
    func saveContext() throws {
        let storage = try office()
        try storage.perform(ephemeral: false) { context, _ in
            let bill: Waybill = try context.acquire("W")
            bill.sender = try context.acquire("Ann")
            #expect(try context.count(Request<Waybill>()) == 0)
        }
        try storage.unit { try $0.acquire(Trader.self, "Bob").name = "Bob" }
        try storage.perform(ephemeral: false) { context, save in
            let bill: Waybill = try context.acquire("W")
            #expect(bill.isInserted && bill.sender.name == "Ann")
            bill.receiver = try context.acquire("Bob")
            try save()
        }
        #expect(try storage.read { try $0.fetch(Request<Waybill>()).map { $0.receiver.name } } == ["Bob"])
    }

    @Test("keep their place in an order and their pairs")
    func ordersAndPairs() throws {
        let storage = try office()
        try storage.perform(ephemeral: true) { context, save in
            let ann: Trader = try context.acquire("Ann")
            let bills = try (0..<4).map { try context.acquire(Waybill.self, "\($0)") }
            ann.received = [bills[2], bills[0], bills[3], bills[1]]
            let scribe: Scribe = try context.acquire("Cid")
            scribe.waybills = bills
            for bill in bills {
                _ = try context.count(Request<Trader>())
                bill.sender = ann
            }
            #expect(try context.count(Request<Waybill>()) == 4)
            try save()
        }
        #expect(try storage.read { try $0.fetch(Request<Trader>())[0].received.map(\.number) } == ["2", "0", "3", "1"])
        #expect(try storage.read { try $0.fetch(Request<Scribe>())[0].waybills.count } == 4)
    }
}
