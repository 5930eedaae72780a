import Testing

@testable import DataKernelMacros

@Suite("What @Entity writes for relationships")
struct RelationshipExpansionTests {
    static let car = """
        @Entity
        final class Car {
            @Attribute(.primaryKey) var model = ""
            @Relationship(.nullify, inverse: "cars") var owner: Person?
            @Relationship var maker: Maker
            var year = 0
            @Relationship(.cascade, inverse: "car", ordered: true) var wheels: [Wheel]
        }
        """

    @Test("keys of to-one relationships are attributes, numbered with the others")
    func values() {
        let source = Asking(source: Self.car).members.source
        #expect(source.hasPrefix(Self.carValues), "\(source)")
    }

    static let carValues = #"""
        private struct KernelValues: DataKernel.EntityValues {
            var model = ""
            var owner = DataKernel.KernelLink()
            var maker = DataKernel.KernelLink()
            var year = 0

            static func kernelRead(_ row: DataKernel.Row) throws -> Self {
                try Self(model: row.value(0), owner: row.value(1), maker: row.value(2), year: row.value(3))
            }
            static func kernelCompare(_ old: Self, _ new: Self, into changes: inout DataKernel.AttributeSet) {
                changes.compare(0, old.model, new.model)
                changes.compare(1, old.owner, new.owner)
                changes.compare(2, old.maker, new.maker)
                changes.compare(3, old.year, new.year)
            }
            mutating func kernelMerge(_ fresh: Self, keeping kept: DataKernel.AttributeSet) {
                if !kept.contains(0) { self.model = fresh.model }
                if !kept.contains(1) { self.owner = fresh.owner }
                if !kept.contains(2) { self.maker = fresh.maker }
                if !kept.contains(3) { self.year = fresh.year }
            }
        }

        private enum KernelRelationships {
            static let owner = 0
            static let maker = 1
            static let wheels = 2
        }

        @exclusivity(unchecked) private var kernelValues: KernelValues? = nil
        let kernelState = DataKernel.KernelState()

        static let entity = DataKernel.EntityDescription(Car.self, name: "Car") { entity in
            entity.attribute("model", \Car.model, .primaryKey)
            entity.relationship("owner", \Car.owner, .nullify, inverse: \Person.cars)
            entity.relationship("maker", \Car.maker)
            entity.attribute("year", \Car.year)
            entity.relationship("wheels", \Car.wheels, .cascade, inverse: \Wheel.car, ordered: true)
        }

        """#

    @Test("the kernel reads and writes the keys of to-one relationships")
    func links() {
        let source = Asking(source: Self.car).members.source
        let expected = """

            func kernelLink(_ attribute: Int) -> Int64 {
                switch attribute {
                case 1: kernelValues?.owner.row ?? 0
                case 2: kernelValues?.maker.row ?? 0
                default: 0
                }
            }
            func kernelSetLink(_ attribute: Int, _ row: Int64) {
                if kernelValues == nil { kernelValues = KernelValues() }
                if kernelState.isClean { kernelTrack() }
                switch attribute {
                case 1: kernelValues!.owner.row = row
                case 2: kernelValues!.maker.row = row
                default: break
                }
            }
            """
        #expect(source.contains(expected), "\(source)")
    }

    @Test("what has no relationship, or no to-one relationship, gets no code for one")
    func nothingMore() {
        let plain = Asking(source: "@Entity final class A { var a = 1 }").members.source
        #expect(!plain.contains("KernelRelationships") && !plain.contains("kernelLink"))
        let many = Asking(source: "@Entity final class A { @Relationship var b: [B] }").members.source
        #expect(many.contains("    static let b = 0\n") && !many.contains("kernelLink"))
        #expect(many.contains(#"entity.relationship("b", \A.b)"#))
        #expect(many.contains("        Self()\n"), "a class with to-many relationships only has no columns to read")
        #expect(many.contains("{\n    DataKernel.AttributeSet()\n}"), "and nothing that could change")
    }

    @Test("members for relationships have the access level of the class", arguments: ["public", "package"])
    func access(level: String) {
        let source = Asking(source: "@Entity \(level) final class A { @Relationship var b: B? }").members.source
        #expect(source.contains("\n\(level) func kernelLink("))
        #expect(source.contains("\n\(level) func kernelSetLink("))
        #expect(source.contains("\nprivate enum KernelRelationships {"))
    }

    @Test(
        "the type says how many are at the other end, however it is written",
        arguments: [
            ("Person?", "kernelToOne", "kernelSetToOne"), ("Optional<Person>", "kernelToOne", "kernelSetToOne"),
            ("Swift.Optional< Person >", "kernelToOne", "kernelSetToOne"), ("Person!", "kernelToOne", "kernelSetToOne"),
            ("(Person)?", "kernelToOne", "kernelSetToOne"), ("Person", "kernelRequired", "kernelSetToOne"),
            ("Garage.Person", "kernelRequired", "kernelSetToOne"), ("( Person )", "kernelRequired", "kernelSetToOne"),
            ("[Person]", "kernelToMany", "kernelSetToMany"), ("Array<Person>", "kernelToMany", "kernelSetToMany"),
            ("[ /* all */ Garage.Person ]", "kernelToMany", "kernelSetToMany"),
            ("Swift.Array<Self>", "kernelToMany", "kernelSetToMany"),
        ])
    func accessors(type: String, read: String, write: String) {
        let asking = Asking(source: "\n @Relationship(.deny) private(set) var `in`: \(type)")
        #expect(
            asking.accessors("KernelRelationship").source == """
                {
                    get { \(read)(KernelRelationships.`in`) }
                    set { \(write)(KernelRelationships.`in`, newValue) }
                }
                """)
    }

    @Test("a read of an observed relationship is noted; its changes are told by the kernel")
    func observedAccessors() {
        #expect(
            Asking(source: "@Relationship var wheels: [Wheel]").accessors("KernelObservedRelationship").source == #"""
                {
                    get {
                        kernelObservation.access(self, \.wheels)
                        return kernelToMany(KernelRelationships.wheels)
                    }
                    set { kernelSetToMany(KernelRelationships.wheels, newValue) }
                }
                """#)
    }

    @Test("observers of a to-one are told by its key's position, of a to-many by its number behind the attributes")
    func observation() {
        let source = Asking(source: Self.car.replacing("@Entity", with: "@Entity(observable: true)")).members.source
        for (function, method) in [("kernelWillChange", "willSet"), ("kernelDidChange", "didSet")] {
            #expect(
                source.contains(
                    #"""
                    func \#(function)(_ attributes: DataKernel.AttributeSet) {
                        if attributes.contains(0) { kernelObservation.\#(method)(self, \.model) }
                        if attributes.contains(1) { kernelObservation.\#(method)(self, \.owner) }
                        if attributes.contains(2) { kernelObservation.\#(method)(self, \.maker) }
                        if attributes.contains(3) { kernelObservation.\#(method)(self, \.year) }
                        if attributes.contains(6) { kernelObservation.\#(method)(self, \.wheels) }
                    }
                    """#))
        }
    }

    @Test(
        "an inverse's name becomes a key path of the class at the other end; a key path stays",
        arguments: [
            (#"inverse: "cars""#, "Person?", #"inverse: \Person.cars"#),
            (#"inverse: "cars""#, "Garage.Person", #"inverse: \Garage.Person.cars"#),
            (#"inverse: "cars""#, "[Garage . Person]", #"inverse: \Garage.Person.cars"#),
            (#"inverse: "in""#, "Optional<Person>", #"inverse: \Person.in"#),
            (#"inverse: "cars""#, "Array<Self>", #"inverse: \A.cars"#),
            (#"inverse: "cars""#, "Self.Person?", #"inverse: \A.Person.cars"#),
            (#"inverse: \Person.cars"#, "Person", #"inverse: \Person.cars"#),
            (#"inverse: \Self.parent"#, "[A]", #"inverse: \A.parent"#),
            (
                #".deny, inverse: "cars", originalName: "o""#, "Person?",
                #".deny, inverse: \Person.cars, originalName: "o""#
            ),
            ("DataKernel.DeleteRule.noAction", "Person?", "DataKernel.DeleteRule.noAction"),
            ("DeleteRule.cascade, ordered: false", "[Person]", "DeleteRule.cascade, ordered: false"),
            ("originalName: nil", "[Person]", "originalName: nil"),
        ])
    func arguments(written: String, type: String, expected: String) {
        let asking = Asking(source: "@Entity final class A { @DataKernel.Relationship(\(written)) var a: \(type) }")
        #expect(asking.members.source.contains(#"entity.relationship("a", \A.a, "# + expected + ")\n"))
        #expect(asking.members.diagnostics == [])
    }

    @Test("unique groups and indexes may name a to-one relationship")
    func groups() {
        let asking = Asking(
            source: """
                @Entity(unique: [["owner", "number"]], indexes: [["owner"]]) final class A {
                    @Relationship var owner: B?
                    var number = 1
                }
                """)
        #expect(asking.members.diagnostics == [])
    }

    @Test(
        "accessors of relationships are put on relationships",
        arguments: [
            ("@Relationship var a: B?", "Relationship"), ("@Relationship var b: [B]", "Relationship"),
            ("var c = 1", "Attribute"),
        ])
    func memberAttributes(member: String, kind: String) {
        let body = "final class A { @Relationship var a: B?; @Relationship var b: [B]; var c = 1 }"
        #expect(Asking(source: "@Entity \(body)").memberAttribute(member) == "@DataKernel._Kernel\(kind)")
        #expect(
            Asking(source: "@Entity(observable: true) \(body)").memberAttribute(member)
                == "@DataKernel._KernelObserved\(kind)")
    }

    @Test("options of an attribute that have arguments are handed on")
    func attributeOptions() {
        let source = Asking(
            source: #"""
                @Entity final class A {
                    @Attribute(.range(1...Self.most), .indexed) var a = 1
                    @Attribute(AttributeOption.maxLength(10), DataKernel.AttributeOption.pattern("^(a|b),$")) var b = ""
                }
                """#
        ).members
        #expect(source.diagnostics == [])
        #expect(source.source.contains(#"entity.attribute("a", \A.a, .range(1...A.most), .indexed)"#))
        #expect(
            source.source.contains(
                #"\A.b, AttributeOption.maxLength(10), DataKernel.AttributeOption.pattern("^(a|b),$"))"#))
    }
}
