import DataKernel
import Foundation
import Observation
import Synchronization
import Testing

@Suite("@Entity")
struct EntityMacroTests {
    private let hondaRow: [StoredValue] = [.text("CRZ"), .text("Honda"), .integer(2010)]

    @Test("writes the description from the class")
    func description() {
        let entity = MacroCar.entity
        #expect(entity.name == "MacroCar")
        #expect(entity.attributes.map(\.name) == ["model", "mark", "year"])
        #expect(entity.attributes.map(\.isPrimaryKey) == [true, false, false])
        #expect(entity.attributes.map(\.isIndexed) == [false, true, false])
        #expect(entity.attributes.map(\.originalName) == [nil, "brand", nil])
        #expect(entity.unique == [["mark", "year"]])
        #expect(entity.indexes == [["year", "mark"]])
        #expect(entity.issues.isEmpty)
        #expect(!entity.isObservable)
        #expect(MacroCar.pk == "model")
        #expect(MacroInits.pk == nil)
        #expect(entity.position(of: \MacroCar.year) == 2)
        #expect(entity.position(of: \MacroCar.badge) == nil)
        #expect(MacroCar.made == 7)
    }

    @Test("a new object has its initial values and can be changed")
    func newObject() throws {
        let car = MacroCar()
        #expect(try boundValues(car) == [.text(""), .null, .integer(0)])
        car.model = "CRZ"
        car.mark = "Honda"
        car.year += 2010
        car.badge = "old"
        #expect(car.title == "Honda CRZ")
        #expect(try boundValues(car) == hondaRow)
    }

    @Test("an object made from a row has the row's values, and @Transient ones their own")
    func fromRow() throws {
        let car = try MacroCar(row: TestRow(hondaRow))
        #expect((car.model, car.mark, car.year) == ("CRZ", "Honda", 2010))
        #expect(car.badge == "new")
        #expect(throws: ValueIssue.self) { try MacroCar(row: TestRow([.text("a"), .null, .text("1")])) }
    }

    @Test("loading replaces what is not edited")
    func load() throws {
        let car = try MacroCar(row: TestRow(hondaRow))
        try car.kernelLoad(TestRow([.text("CRX"), .null, .integer(1990)]))
        #expect((car.model, car.mark, car.year) == ("CRX", nil, 1990))
        #expect(car.kernelChanges().isEmpty)
    }

    @Test("the first key attribute is taken from a row with nothing else in it")
    func takeKey() throws {
        let car = MacroCar()
        try car.kernelTakeKey(TestRow([.text("NSX")]))
        #expect(car.model == "NSX")
        #expect(throws: ValueIssue.self) { try car.kernelTakeKey(TestRow([.integer(1)])) }
        #expect(car.model == "NSX")
    }

    @Test("every type of value goes to the store and comes back")
    func everyType() throws {
        let object = MacroEverything()
        object.data = Data([0, 255])
        object.names = ["x"]
        let bound = try boundValues(object)
        #expect(bound.count == MacroEverything.entity.attributes.count)
        let copy = try MacroEverything(row: TestRow(of: object))
        #expect(try boundValues(copy) == bound)
        #expect(copy.uuid == object.uuid)
        #expect(copy.fuel == .electric)
        #expect(copy.address == MacroAddress(street: "A", city: "B"))
        #expect(copy.decimal == 12.5)
        #expect(copy.implicit == nil)
        #expect(MacroEverything.entity.name == "Everything")
        #expect(
            MacroEverything.entity.attributes.filter(\.isOptional).map(\.name) == [
                "url", "address", "implicit", "none",
            ])
        object.implicit = "now"
        object.uint64 = .max
        #expect(object.implicit.count == 3)
        #expect(throws: ValueIssue.self) { try boundValues(object) }
    }

    @Test("initial values are evaluated for new objects only, once")
    func initialValues() throws {
        try MacroCounter.$current.withValue(MacroCounter()) {
            let counter = MacroCounter.current
            let fetched = try MacroInits(row: TestRow([.integer(9), .text("n"), .integer(0)]))
            fetched.number += 1
            #expect(fetched.number == 10)
            #expect(counter.count == 0)
            let new = MacroInits(name: "own")
            #expect((new.number, new.number, new.name, new.fromInit) == (1, 1, "own", false))
            #expect(counter.count == 1)
        }
    }

    @Test("the class's own initialisers stay")
    func initialisers() {
        #expect(MacroInits().fromInit)
        #expect(MacroInits().name == "standard")
        let made = MacroInits(number: 3)
        #expect((made.number, made.name) == (3, "3"))
    }

    @Test("names of the generated code and names in backticks are attributes like others")
    func names() throws {
        let object = MacroOuter.Inner()
        object.hide()
        object.binder = "b"
        object.`self` = "s"
        object.`in` = .first
        #expect(
            MacroOuter.Inner.entity.attributes.map(\.name) == [
                "row", "binder", "attribute", "old", "class", "init", "self", "in", "hidden", "text",
            ])
        let copy = try MacroOuter.Inner(row: TestRow(of: object))
        #expect((copy.hidden, copy.description, copy.`self`, copy.`in`) == (6, "b", "s", .first))
        #expect((copy.`class`, copy.`init`, copy.text) == ("c", 1, "a }\" 1 {"))
        #expect(Set([object, copy, object]).count == 2)
        #expect(MacroOuter.Inner.entity.name == "Inner")
    }

    @Test("a private class with attributes of private types is an entity")
    func privateClass() throws {
        let (word, attributes) = try wordOfPrivateEntity(setting: "y")
        #expect(word == "y")
        #expect(attributes == ["secret"])
    }

    @Test("an observable object tells of a write to what was read, and of no other")
    func observation() {
        let object = MacroObserved()
        let told = Mutex(0)
        let observe = {
            withObservationTracking {
                _ = object.name
            } onChange: {
                told.withLock { $0 += 1 }
            }
        }
        observe()
        object.count = 1
        object.note = "x"
        #expect(told.withLock { $0 } == 0)
        object.name = "y"
        #expect(told.withLock { $0 } == 1)
        #expect(object.name == "y")
        #expect(MacroObserved.entity.isObservable)
        #expect(object as any ObservableEntity === object)
    }

    @Test("an observable object tells of values that come from the store")
    func observedLoad() throws {
        let object = MacroObserved()
        let told = Mutex(0)
        withObservationTracking {
            _ = object.count
        } onChange: {
            told.withLock { $0 += 1 }
        }
        var changed = AttributeSet()
        changed.insert(0)
        object.kernelWillChange(changed)
        object.kernelDidChange(changed)
        #expect(told.withLock { $0 } == 0)
        changed.insert(1)
        object.kernelWillChange(changed)
        try object.kernelLoad(TestRow([.text("z"), .integer(5)]))
        object.kernelDidChange(changed)
        #expect(told.withLock { $0 } == 1)
        #expect((object.name, object.count) == ("z", 5))
    }
}
