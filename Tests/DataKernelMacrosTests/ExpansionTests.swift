import Testing

@testable import DataKernelMacros

@Suite("What @Entity writes")
struct ExpansionTests {
    static let car = """
        @Entity
        final class Car {
            @Attribute(.primaryKey) var model = ""
            @Attribute(.indexed) var mark: String?
            var year = 0
        }
        """

    /// The same as HandWrittenCar in the kernel's own tests: what a conformance written by hand looks like.
    @Test("the members of a class")
    func members() {
        #expect(Asking(source: Self.car).members == Expansion(source: Self.carMembers))
    }

    static let carMembers = #"""
        private struct KernelValues: DataKernel.EntityValues {
            var model = ""
            var mark: String?
            var year = 0

            static func kernelRead(_ row: DataKernel.Row) throws -> Self {
                try Self(model: row.value(0), mark: row.value(1), year: row.value(2))
            }
            static func kernelCompare(_ old: Self, _ new: Self, into changes: inout DataKernel.AttributeSet) {
                changes.compare(0, old.model, new.model)
                changes.compare(1, old.mark, new.mark)
                changes.compare(2, old.year, new.year)
            }
            mutating func kernelMerge(_ fresh: Self, keeping kept: DataKernel.AttributeSet) {
                if !kept.contains(0) { self.model = fresh.model }
                if !kept.contains(1) { self.mark = fresh.mark }
                if !kept.contains(2) { self.year = fresh.year }
            }
        }

        @exclusivity(unchecked) private var kernelValues: KernelValues? = nil
        let kernelState = DataKernel.KernelState()

        static let entity = DataKernel.EntityDescription(Car.self, name: "Car") { entity in
            entity.attribute("model", \Car.model, .primaryKey)
            entity.attribute("mark", \Car.mark, .indexed)
            entity.attribute("year", \Car.year)
        }
        static var pk: String? { "model" }

        init() {}
        init(row: borrowing DataKernel.Row) throws {
            try KernelValues.kernelFill(&kernelValues, from: row)
            kernelState.take(row)
        }

        func kernelLoad(_ row: DataKernel.Row) throws {
            try KernelValues.kernelLoad(row, into: &kernelValues, kernelState.history)
        }
        func kernelBind(_ attribute: Int, to binder: DataKernel.Binder) throws {
            if kernelValues == nil { kernelValues = KernelValues() }
            switch attribute {
            case 0: try binder.bind(kernelValues!.model)
            case 1: try binder.bind(kernelValues!.mark)
            case 2: try binder.bind(kernelValues!.year)
            default: break
            }
        }
        func kernelChanges() -> DataKernel.AttributeSet {
            var changes = DataKernel.AttributeSet()
            guard kernelValues != nil, let old = KernelValues.kernelOriginal(kernelState.history) else {
                return changes
            }
            changes.compare(0, old.values.model, kernelValues!.model)
            changes.compare(1, old.values.mark, kernelValues!.mark)
            changes.compare(2, old.values.year, kernelValues!.year)
            return changes
        }
        func kernelRevert() { KernelValues.kernelRevert(&kernelValues, kernelState.history) }
        private func kernelTrack() {
            kernelNoteChange(KernelValues.kernelHistory(kernelValues, kernelState.history))
        }

        func kernelTakeKey(_ row: DataKernel.Row) throws { model = try row.value(0) }
        """#

    @Test("the accessors of an attribute")
    func accessors() {
        let expected = """
            {
                get {
                    if kernelValues == nil { kernelValues = KernelValues() }
                    return kernelValues!.`in`
                }
                set {
                    if kernelValues == nil { kernelValues = KernelValues() }
                    if kernelState.isClean { kernelTrack() }
                    kernelValues!.`in` = newValue
                }
            }
            """
        #expect(
            Asking(source: "\n @Attribute private(set) var `in` = 1").accessors("KernelAttribute").source == expected)
    }

    @Test("the accessors of an attribute that is observed")
    func observedAccessors() {
        let expected = #"""
            {
                get {
                    kernelObservation.access(self, \.year)
                    if kernelValues == nil { kernelValues = KernelValues() }
                    return kernelValues!.year
                }
                set {
                    if kernelValues == nil { kernelValues = KernelValues() }
                    kernelObservation.willSet(self, \.year)
                    if kernelState.isClean { kernelTrack() }
                    kernelValues!.year = newValue
                    kernelObservation.didSet(self, \.year)
                }
            }
            """#
        #expect(Asking(source: "var year = 0").accessors("KernelObservedAttribute").source == expected)
    }

    @Test("members have the access level of the class", arguments: ["public", "package"])
    func access(level: String) {
        let source = Asking(source: "@Entity \(level) final class A { @Attribute(.primaryKey) var a = 1 }").members
            .source
        for member in [
            "let kernelState", "static let entity", "static var pk", "init() {}", "init(row:", "func kernelLoad",
            "func kernelBind", "func kernelChanges", "func kernelRevert", "func kernelTakeKey",
        ] {
            #expect(source.contains("\n\(level) \(member)"), "\(member)")
        }
        #expect(source.contains("private struct KernelValues"))
        #expect(source.contains("@exclusivity(unchecked) private var kernelValues"))
        #expect(source.contains("private func kernelTrack"))
    }

    @Test(
        "a class that writes init() keeps its own",
        arguments: [
            ("init() {}", true), ("public init() { a = 1 }", true), ("@X required init ( ) {}", true),
            ("init(a: Int) { self.a = a }", false), ("init?() { nil }", false), ("convenience init(b: Int) {}", false),
        ])
    func initialisers(written: String, isPlain: Bool) {
        let source = Asking(source: "@Entity final class A { var a = 1; \(written) }").members.source
        #expect(source.contains("\ninit() {}\n") != isPlain)
        #expect(source.contains("init(row: borrowing DataKernel.Row) throws {"))
    }

    @Test("name, groups, original names and observation reach the description")
    func arguments() {
        let source = Asking(
            source: """
                @DataKernel.Entity(
                    "Auto", unique: [["a", "b"], ["c"]], // pairs
                    indexes: [["c", "a",],], observable: true)
                final class A {
                    @Attribute(.unique, originalName: "x") var a = 1
                    @Attribute() var b = 2
                    @Attribute(originalName: nil) var c = 3
                }
                """
        ).members.source
        #expect(
            source.contains(
                #"(A.self, name: "Auto", unique: [["a", "b"], ["c"]], indexes: [["c", "a"]], observable: true)"#))
        #expect(source.contains(#"entity.attribute("a", \A.a, .unique, originalName: "x")"#))
        #expect(source.contains(#"entity.attribute("b", \A.b)"#))
        #expect(source.contains("private let kernelObservation = DataKernel.KernelObservation()"))
        #expect(source.contains(#"if attributes.contains(1) { kernelObservation.willSet(self, \.b) }"#))
        #expect(source.contains(#"if attributes.contains(2) { kernelObservation.didSet(self, \.c) }"#))
    }

    @Test("declarations are copied without attributes, modifiers and comments, Self spelled out")
    func copies() {
        let source = Asking(
            source: """
                @Entity final class A {
                    @Attribute(.unique) public private(set) var `class`: Self.B = Self.make("\\(1)") // why
                    var list = [
                        1, // one
                        Self.two,
                    ]
                }
                """
        ).members.source
        #expect(source.contains("\n    var `class`: A.B = A.make(\"\\(1)\")\n"))
        #expect(source.contains("\n    var list = [\n        1, // one\n        A.two,\n    ]\n"))
        #expect(source.contains("try Self(class: row.value(0), list: row.value(1))"))
        #expect(source.contains(#"entity.attribute("class", \A.`class`, .unique)"#))
    }

    @Test(
        "accessors are put on attributes only",
        arguments: [
            ("var a = 1", "@DataKernel._KernelAttribute"), ("private(set) var b: Int?", "@DataKernel._KernelAttribute"),
            ("@Transient var c = 1", ""), ("var d: Int { 1 }", ""), ("static var a = 1", ""), ("func a() {}", ""),
            ("@Relationship var e: A?", "@DataKernel._KernelRelationship"), ("let f = 1", ""), ("init() {}", ""),
            ("class a {}", ""), ("", ""),
        ])
    func memberAttributes(member: String, expected: String) {
        let asking = Asking(
            source: """
                @Entity final class A {
                    var a = 1; private(set) var b: Int?; @Transient var c = 1; var d: Int { 1 }
                    @Relationship var e: A?; let f = 1
                }
                """)
        #expect(asking.memberAttribute(member) == expected)
    }

    @Test("the conformance is written unless it is there")
    func conformance() {
        let plain = Asking(source: "@Entity final class A { var a = 1 }")
        #expect(
            plain.extensions(missing: ["Entity", "ObservableEntity"]).source == "extension A: DataKernel.Entity {}")
        #expect(plain.extensions(missing: ["ObservableEntity"]).source == "")
        let observed = Asking(source: "@Entity(observable: true) final class A { var a = 1 }")
        #expect(
            observed.extensions(missing: ["Entity", "ObservableEntity"]).source
                == "extension A: DataKernel.Entity, DataKernel.ObservableEntity {}")
        #expect(
            observed.extensions(missing: ["ObservableEntity"]).source == "extension A: DataKernel.ObservableEntity {}")
        #expect(observed.extensions(missing: []).source == "")
        let free = Asking(source: "@Entity nonisolated final class A { var a = 1 }")
        #expect(free.extensions(missing: ["Entity"]).source == "nonisolated extension A: DataKernel.Entity {}")
    }

    @Test("a class without attributes is an entity too")
    func empty() {
        let source = Asking(source: "@Entity final class A {}").members.source
        #expect(source.contains(#"EntityDescription(A.self, name: "A") { _ in"#))
        #expect(source.contains("static var pk: String? { nil }"))
    }
}
