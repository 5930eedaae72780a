import Testing

@testable import DataKernelMacros

@Suite("What @Relationship refuses")
struct RelationshipDiagnosticTests {
    static let declarations: [Refusal] = [
        .member("@Relationship let a: B?", at: "let a", "write var, or private(set) var"),
        .member("@Relationship lazy var a: B?", at: "lazy", "remove lazy"),
        .member("@Relationship weak var a: B?", at: "weak", "remove weak"),
        .member("@Relationship unowned(unsafe) var a: B", at: "unowned", "remove unowned"),
        .member("@Relationship var a: B? { didSet {} }", at: "didSet", "write a computed property"),
        .member("@Relationship var a: [B] = [] { willSet {} }", at: "willSet", "write a computed property"),
        .member("@Relationship @Wrapped(1) var a: B?", at: "@Wrapped", "remove it"),
        .member("@SwiftUI.State @Relationship var a: B?", at: "@SwiftUI", "@SwiftUI.State: remove it"),
        .member("@Relationship var a: B?, b: C?", at: "b: C?", "write @Relationship var b on its own"),
        .member("@Relationship var (a, b): (B, C)", at: "(a, b)", "write a var for each"),
        .member(
            "@Relationship(.deny) @DataKernel.Relationship var a: B?", at: "@DataKernel", "write one @Relationship"),
        .member("#if DEBUG\n @Relationship var a: B?\n#endif", at: "var a", "move the property out of it"),
        .member("@Relationship var a", at: "a\n", "write a: T? or a: [T]"),
        .member("@Relationship var a = B()", at: "a = B()", "write a: T? or a: [T]"),
        .member("@Relationship var pk: B?", at: "pk", "write @Relationship(originalName: \"pk\")"),
        .member("@Relationship var willSave: [B]", at: "willSave", "choose another"),
        .member("@Relationship var kernelThing: B?", at: "kernelThing", "choose another"),
        .member("var owner = 1\n @Relationship var Owner: [B]", at: "Owner: [B]", "choose another name"),
        .member("@Relationship var owner: [B]\n var OWNER = 1", at: "OWNER", "cannot tell OWNER from owner"),
        .member("@Relationship var owner: B?\n @Relationship var oWner: B?", at: "oWner", "choose another name"),
    ]

    static let types: [Refusal] = [
        .member("@Relationship var a: [B]?", at: "[B]?", "write [B]"),
        .member("@Relationship var a: Optional<Array<B>>", at: "Array<B>>", "empty rather than nil: write [B]"),
        .member("@Relationship var a: [B?]", at: "B?]", "has no gaps: write [B]"),
        .member("@Relationship var a: Array<G.B?>", at: "G.B?>", "has no gaps: write [G.B]"),
        .member("@Relationship var a: B??", at: "B??", "write B?"),
        .member("@Relationship var a: Set<B>", at: "Set<B>", "write [B], with ordered: true if the order matters"),
        .member("@Relationship var a: Swift.Set<B>?", at: "Swift.Set<B>?", "write [B], with ordered: true"),
        .member("@Relationship var a: [[B]]", at: "[B]]", "write B?, B or [B]"),
        .member("@Relationship var a: [String: B]", at: "[String: B]", "has no keys: write T?, T or [T]"),
        .member("@Relationship var a: Dictionary<String, B>", at: "Dictionary", "has no keys"),
        .member("@Relationship var a: (B, C)", at: "(B, C)", "write a relationship for each of its parts"),
        .member("@Relationship var a: [(B, C)]", at: "(B, C)]", "write a relationship for each of its parts"),
        .member("@Relationship var a: () -> B", at: "() -> B", "a function is no entity"),
        .member("@Relationship var a: [(() -> B)?]", at: "(() -> B)?]", "a function is no entity"),
        .member("@Relationship var a: any P", at: "any P", "one class, known to the compiler"),
        .member("@Relationship var a: (any P)?", at: "(any P)?", "one class, known to the compiler"),
        .member("@Relationship var a: [some P]", at: "some P]", "one class, known to the compiler"),
        .member("@Relationship var a: [Any]", at: "Any]", "write T?, T or [T], T being an entity"),
        .member("@Relationship var a: B & C", at: "B & C", "one class, known to the compiler"),
        .member("@Relationship var a: Box<B>", at: "Box<B>", "leads to one object or to many"),
        .member("@Relationship var a: Array<B>.Element", at: "Array<B>.Element", "leads to one object or to many"),
        .member("@Relationship var a: B.Type?", at: "B.Type?", "leads to one object or to many"),
        .member("@Relationship var a: B = B()", at: "B()", "remove it, and set the relationship"),
        .member("@Relationship var a: B? = B()", at: "B()", "write nil"),
        .member("@Relationship var a: B? = []", at: "[]", "write nil"),
        .member("@Relationship var a: [B] = [b]", at: "[b]", "write []"),
        .member("@Relationship var a: [B] = [B]()", at: "[B]()", "write []"),
        .member("@Relationship var a: [B] = nil", at: "nil", "write []"),
    ]

    static let arguments: [Refusal] = [
        .member("@Relationship(rule) var a: B?", at: "rule)", "write .nullify, .cascade, .deny or .noAction"),
        .member("@Relationship(.other) var a: B?", at: ".other", "write .nullify, .cascade, .deny or .noAction"),
        .member("@Relationship(flag ? .deny : .cascade) var a: B?", at: "flag", "the rule must be written out"),
        .member("@Relationship(inverse: name) var a: B?", at: "name)", "write inverse: \"name\", or inverse: \\B.name"),
        .member("@Relationship(inverse: \"a\\(b)\") var a: [B]", at: "\"a\\(b)", "write inverse: \"name\""),
        .member("@Relationship(inverse: nil) var a: [B]", at: "nil)", "write inverse: \"name\""),
        .member("@Relationship(inverse: \"\") var a: B", at: "\"\")", "one property of B's"),
        .member("@Relationship(inverse: \"a.b\") var a: G.B?", at: "\"a.b\"", "one property of G.B's"),
        .member("@Relationship(inverse: \"1a\") var a: B?", at: "\"1a\"", "write inverse: \"name\""),
        .member("@Relationship(inverse: \\.cars) var a: B?", at: "\\.cars", "write inverse: \\B.cars"),
        .member("@Relationship(ordered: true) var a: B?", at: "ordered", "remove ordered, or write [B]"),
        .member("@Relationship(.deny, ordered: false) var a: B", at: "ordered", "one object has no order"),
        .member("@Relationship(ordered: flag) var a: [B]", at: "flag", "write true or false"),
        .member("@Relationship(originalName: old) var a: [B]", at: "old)", "write originalName: \"name\""),
        Refusal(
            "@Entity(unique: [[\"b\"]]) final class A { @Relationship var b: [B] }", at: "\"b\"",
            "write the name of an attribute or a to-one relationship"),
    ]

    @Test("is said at the token, with what to write instead", arguments: declarations + types + arguments)
    func refusals(refusal: Refusal) throws {
        let asking = Asking(source: refusal.source)
        let found = asking.diagnostics(of: asking.members)
        try #require(found.count == 1, "\(found.map(\.message))")
        #expect(found[0].rest.hasPrefix(refusal.token), "\(found[0].rest)")
        #expect(found[0].message.contains(refusal.advice), "\(found[0].message)")
    }

    @Test(
        "@Relationship is refused where it means nothing",
        arguments: [
            Refusal("@Relationship func f() {}", at: "@Relationship", "write a var without a getter"),
            Refusal("@Relationship(.deny) var a: B? { nil }", at: "@Relationship", "write a var without a getter"),
            Refusal("@Relationship static var a: B?", at: "@Relationship", "only a stored property of an object"),
            Refusal("@Transient @Relationship var a: B?", at: "@Transient", "write one of the two"),
            Refusal("\n @Relationship @DataKernel.Transient var a: B?", at: "@DataKernel", "write one of the two"),
        ])
    func peers(refusal: Refusal) throws {
        let asking = Asking(source: refusal.source)
        let found = asking.diagnostics(of: asking.peers("Relationship"))
        try #require(found.count == 1)
        #expect(found[0].rest.hasPrefix(refusal.token))
        #expect(found[0].message.contains(refusal.advice))
    }

    @Test("beside @Attribute the refusal is said once")
    func besideAttribute() {
        let asking = Asking(source: "@Relationship @Attribute var a: B?")
        #expect(asking.peers("Relationship") == Expansion())
        #expect(asking.peers("Attribute").diagnostics.count == 1)
        #expect(Asking(source: "@Entity final class A { \(asking.source) }").members.diagnostics == [])
    }

    @Test("a property that cannot be a relationship is left alone, and the others are not")
    func othersStay() {
        let asking = Asking(source: "@Entity final class A { @Relationship var a: [B?]; @Relationship var b: B? }")
        #expect(asking.members.source.contains("    static let b = 0\n"))
        #expect(!asking.members.source.contains("\\A.a"))
        #expect(asking.memberAttribute("@Relationship var a: [B?]") == "")
        #expect(asking.memberAttribute("@Relationship var b: B?") == "@DataKernel._KernelRelationship")
    }

    @Test("says nothing of what is fine")
    func nothingRefused() {
        let source = """
            @Entity public final class A {
                @Relationship public private(set) var a: B? = nil
                @Relationship(.cascade, inverse: "a", ordered: true) @available(*, deprecated) var b: [B] = []
                @Relationship(DeleteRule.deny, inverse: \\B.c, originalName: "z") var c: Array<B> = [ ]
                @Relationship() var d: G.B
                @Transient var transient: [String: Int]?
                func validate() throws {}
                func willSave() {}
            }
            """
        #expect(Asking(source: source).members.diagnostics == [])
        #expect(Asking(source: "@Relationship(.deny) private var a: B?").peers("Relationship") == Expansion())
    }
}
