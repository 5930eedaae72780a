import Testing

@testable import DataKernelMacros

/// One refusal: the source, what stands at the offset that the error points at, and what it says to write.
struct Refusal: CustomTestStringConvertible, Sendable {
    let source: String
    let token: String
    let advice: String
    var context: [String] = []

    init(_ source: String, at token: String, _ advice: String, in context: [String] = []) {
        self.source = source
        self.token = token
        self.advice = advice
        self.context = context
    }

    /// A refusal of something between the braces of a class that is fine in itself.
    static func member(_ body: String, at token: String, _ advice: String) -> Refusal {
        Refusal("\n/// Ünïcode é }\n@Entity final class A {\n    \(body)\n}", at: token, advice)
    }

    static func argument(_ arguments: String, at token: String, _ advice: String) -> Refusal {
        Refusal("\n\n@Entity(\(arguments))\nfinal class A { var a = 1; var b = 2 }", at: token, advice)
    }

    var testDescription: String { "\(token.prefix(30)) in \(source)" }
}

@Suite("What @Entity refuses")
struct DiagnosticTests {
    static let classes: [Refusal] = [
        Refusal("\n@Entity struct A { var a = 1 }", at: "struct A", "write final class A"),
        Refusal("@Entity public enum A { case a }", at: "enum A", "write final class A"),
        Refusal("@Entity actor A { var a = 1 }", at: "actor A", "write final class A"),
        Refusal("@Entity class A { var a = 1 }", at: "class A", "write final class A"),
        Refusal("@Entity open class A { var a = 1 }", at: "open class", "write public final class A"),
        Refusal("@Entity final class A<T> { var a = 1 }", at: "<T>", "write final class A without <>"),
        Refusal("@Entity @MainActor final class A {}", at: "@MainActor", "remove @MainActor"),
        Refusal("@Entity @My.OwnActor final class A {}", at: "@My.OwnActor", "remove @My.OwnActor"),
        Refusal("@Entity @Observable final class A {}", at: "@Observable", "write @Entity(observable: true)"),
        Refusal("@Entity final class A: P, @unchecked Sendable {}", at: "@unchecked", "hand on its objectID"),
        Refusal("@Entity final class A: Sendable {}", at: "Sendable", "hand on its objectID"),
        Refusal("@Entity private final class A {}", at: "private", "write fileprivate", in: ["struct O {}"]),
        Refusal("@Entity final class A {}", at: "A {", "write it outside", in: ["enum O {}", "struct G<T> {}"]),
        Refusal(
            "@Entity final class A {}", at: "A {", "write fileprivate struct P",
            in: ["private struct P {}", "enum O {}"]),
    ]

    static let properties: [Refusal] = [
        .member("var a: Int", at: "a: Int", "write an initial value, or Int?"),
        .member("var a: Optional<Int>", at: "a: Opt", "write an initial value"),
        .member("var ok = 1; let a = 1", at: "let a", "write var, or private(set) var, or @Transient let"),
        .member("var a = 1 { didSet {} }", at: "didSet", "write a computed property"),
        .member("var a = f() { willSet {} }", at: "willSet", "or @Transient"),
        .member("private lazy var a = 1", at: "lazy", "write @Transient lazy var"),
        .member("weak var a: B?", at: "weak", "write @Transient weak var"),
        .member("unowned(unsafe) var a: B", at: "unowned", "@Transient unowned var"),
        .member("@Wrapped(1) var a = 1", at: "@Wrapped", "write @Transient @Wrapped"),
        .member("@Attribute @SwiftUI.State<Int> var a = 1", at: "@SwiftUI", "write @Transient @SwiftUI.State"),
        .member("var a = 1, b = 2", at: "b = 2", "write var b on its own"),
        .member("var (a, b) = (1, 2)", at: "(a, b)", "write a var for each value"),
        .member("#if DEBUG\n var a = 1\n#endif", at: "var a", "move the property out of it"),
        .member("var a = (1, 2), ok: (Int, Int) = (1, 2)", at: "ok", "write var ok on its own"),
        .member("var a: (Int, Int) = (1, 2)", at: "(Int", "write a struct"),
        .member("var a: ((Int) -> Int)?", at: "((Int)", "write @Transient"),
        .member("var a: Any = 1", at: "Any", "write a struct or enum"),
        .member("var a: any P = x", at: "any P", "write a struct or enum"),
        .member("var a: (any P)?", at: "(any P)?", "write a struct or enum"),
        .member("var a: some P = x", at: "some P", "write a struct or enum"),
        .member("var entity = 1", at: "entity", "choose another"),
        .member("var pk = 1", at: "pk", "choose another"),
        .member("var objectID = 1", at: "objectID", "choose another"),
        .member("var isDeleted = 1", at: "isDeleted", "choose another"),
        .member("var isInserted = 1", at: "isInserted", "choose another"),
        .member("var hasChanges = 1", at: "hasChanges", "choose another"),
        .member("var changedAttributes = 1", at: "changedAttributes", "choose another"),
        .member("var queryValue = 1", at: "queryValue", "choose another"),
        .member("var validate = 1", at: "validate", "choose another"),
        .member("var willSave = 1", at: "willSave", "choose another"),
        .member("var awakeFromInsert = 1", at: "awakeFromInsert", "choose another"),
        .member("var awakeFromFetch = 1", at: "awakeFromFetch", "choose another"),
        .member("var prepareForDeletion = 1", at: "prepareForDeletion", "choose another"),
        .member("var kernelThing = 1", at: "kernelThing", "choose another"),
        .member("var `_ID` = 1", at: "`_ID`", "choose another"),
        .member("var year = 1\n var Year = 2", at: "Year = 2", "choose another name"),
        .member(
            "@Attribute(.primaryKey) var a = 1\n @DataKernel.Attribute(.unique, .primaryKey) var b = 1",
            at: "@DataKernel", "write @Attribute(.unique)"),
        .member("@Attribute(myOption) var a = 1", at: "myOption", "write .primaryKey, .unique, .indexed, .range(…)"),
        .member("@Attribute(.range) var a = 1", at: ".range", "write .primaryKey, .unique"),
        .member("@Attribute(.unique(1)) var a = 1", at: ".unique(1)", "or .pattern(…)"),
        .member("@Attribute(.range(1...2).twice) var a = 1", at: ".range(1...2).twice", ".maxLength(…)"),
        .member("@Attribute(.unique, originalName: old) var a = 1", at: "old)", "write originalName: \"name\""),
    ]

    static let arguments: [Refusal] = [
        .argument("\"A\\(1)\"", at: "\"A\\(1)\"", "write \"Name\""),
        .argument("name", at: "name)", "write \"Name\""),
        .argument("unique: groups", at: "groups", "write [[\"a\", \"b\"]]"),
        .argument("unique: [group]", at: "group]", "write [[\"a\", \"b\"]]"),
        .argument("indexes: [[\"a\", b]]", at: "b]", "write [[\"a\", \"b\"]]"),
        .argument("unique: [[\"a\", \"c\"]]", at: "\"c\"", "write the name of an attribute"),
        .argument("indexes: [[\"c\"], [\"a\"]]", at: "\"c\"", "write the name of an attribute"),
        .argument("\"B\", observable: flag", at: "flag", "write true or false"),
    ]

    @Test("is said at the token, with what to write instead", arguments: classes + properties + arguments)
    func refusals(refusal: Refusal) throws {
        let asking = Asking(source: refusal.source, context: refusal.context)
        let found = asking.diagnostics(of: asking.members)
        try #require(found.count == 1, "\(found.map(\.message))")
        #expect(found[0].rest.hasPrefix(refusal.token), "\(found[0].rest)")
        #expect(found[0].message.contains(refusal.advice), "\(found[0].message)")
    }

    @Test("a class that cannot be an entity gets no code at all", arguments: classes)
    func nothingExpanded(refusal: Refusal) {
        let asking = Asking(source: refusal.source, context: refusal.context)
        #expect(asking.members.source == "")
        #expect(asking.extensions(missing: ["Entity", "ObservableEntity"]) == Expansion())
        #expect(asking.memberAttribute("var a = 1") == "")
    }

    @Test("a property that cannot be an attribute is left alone, and the others are not")
    func otherPropertiesStay() {
        let asking = Asking(source: "@Entity(unique: [[\"a\", \"b\"]]) final class A { var a: Int; var b = 1 }")
        #expect(asking.members.diagnostics.count == 1)
        #expect(asking.members.source.contains("entity.attribute(\"b\", \\A.b)"))
        #expect(!asking.members.source.contains("\\A.a"))
        #expect(asking.memberAttribute("var a: Int") == "")
        #expect(asking.memberAttribute("\n  var b = 1") == "@DataKernel._KernelAttribute")
    }

    @Test(
        "@Attribute is refused where it means nothing",
        arguments: [
            Refusal("@Attribute func f() {}", at: "@Attribute", "write a var without a getter"),
            Refusal("@Attribute var a: Int { 1 }", at: "@Attribute", "write a var without a getter"),
            Refusal("@Attribute static var a = 1", at: "@Attribute", "write a var without a getter"),
            Refusal("\n @Attribute @Transient var a = 1", at: "@Transient", "write one of the two"),
            Refusal("@Relationship @Attribute var a: B?", at: "@Relationship", "write one of the two"),
        ])
    func peers(refusal: Refusal) throws {
        let asking = Asking(source: refusal.source)
        let found = asking.diagnostics(of: asking.peers())
        try #require(found.count == 1)
        #expect(found[0].rest.hasPrefix(refusal.token))
        #expect(found[0].message.contains(refusal.advice))
    }

    @Test("says nothing of what is fine")
    func nothingRefused() {
        let source = """
            /// A comment with an é.
            @Entity("Name", unique: [["a", "b"]], indexes: [["c"], ["b", "a"]], observable: true)
            public final class A: P, Q {
                @Attribute(.primaryKey, originalName: "z") public private(set) var a = ""
                @Attribute var b: Int?
                @Attribute(AttributeOption.unique, .indexed) @available(*, deprecated) var c: String!
                @Transient lazy var d = f()
                @Transient let e = 1
                @Transient weak var f: A?
                @Relationship(.cascade, inverse: "x") var g: [B]
                static let pk2 = 1
                var computed: Any { 1 }
                #if DEBUG
                    @Transient var h = 1
                    func debug() {}
                #endif
            }
            """
        #expect(Asking(source: source).members.diagnostics == [])
        #expect(Asking(source: "@Attribute(.unique) private var a = 1").peers() == Expansion())
        #expect(Asking(source: "@Entity final class A {}", context: ["private struct P {}"]).members.diagnostics == [])
    }
}
