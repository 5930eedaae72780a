import Testing

@testable import DataKernelMacros

@Suite("The scanner of declarations")
struct ScannerTests {
    /// Each text is what stands between the braces of a class; the names are its stored properties.
    static let bodies: [(String, [String])] = [
        ("var a = 1\n var b: Int?\n let c = 2", ["a", "b", "c"]),
        ("var a = 1, b: String?, c = [1, 2], d: (Int, Int) = (1, 2)", ["a", "b", "c", "d"]),
        ("/* var x = 1 /* nested */ var y = 1 */ var a = 1 // var z = 1", ["a"]),
        ("var a = \"} var x = 1\"\n var b = 1", ["a", "b"]),
        ("var a = \"\\(f(\"}\") { $0 }) var x\"\n var b = 1", ["a", "b"]),
        ("var a = #\"\\(\"} \"# ; var b = ##\"\"# }\"##; var c = #\"\\#(\"}\")\"#", ["a", "b", "c"]),
        ("var a = \"\"\"\n  } \"quoted\" \\(\"\"\"\n in \"\"\") var x\n  \"\"\"\n var b = 1", ["a", "b"]),
        ("var a = #\"\"\"#\n var b = 1", ["a", "b"]),
        ("var a = \"\"\"\n four \"\"\"\"\n var b = 1", ["a", "b"]),
        ("var a = /}\\/ var x/\n var b = 8 / 2 / 1\n var c = #/ } /#\n var d = #/\n } \n/#", ["a", "b", "c", "d"]),
        ("static func / (l: Int, r: Int) -> Int { l } // /\n var a = 1", ["a"]),
        ("static func <<T>(l: T, r: T) -> T { l }\n static prefix func -(_ a: Int) {}\n var a = 1", ["a"]),
        ("var `class` = 1\n var `two words` = 2", ["`class`", "`two words`"]),
        ("@A(x: \"var y = 1\", .b { }) @C.D<Int> var a = 1\n @E\n var b: Int", ["a", "b"]),
        (
            "private(set) var a = 1; nonisolated(unsafe) var b = 1; weak var c: A?; lazy var d = 1",
            ["a", "b", "c", "d"]
        ),
        ("static var a = 1; class var b: Int { 1 }; static let c = 1; var d = 1", ["d"]),
        ("var a: Int { 1 }\n var b: Int { get { 1 } set {} }\n var c: Int { @inline(never) get { 1 } }", []),
        (
            "var a = 1 { didSet {} }\n var b: Int { willSet(x) {} }\n var c: [Int] = f() { didSet { } }",
            ["a", "b", "c"]
        ),
        ("var a: Int { mutating get { 1 } }\n var b: Int { get async throws { 1 } }\n var c: Int\n { 1 }", []),
        (
            "var a = f { $0 }\n var b = f { x in x } done: { var y = 1 }\n var c = { var z = 1; return z }()",
            ["a", "b", "c"]
        ),
        ("var a = g\n { 1 }\n var b = 1", ["a", "b"]),
        ("var a = b < c, d = e > f", ["a", "d"]),
        ("var a = G<B, C>(), d = G<[B: C], (D) -> E>.f, e = x as? G<A, B>, f = 1", ["a", "d", "e", "f"]),
        ("var a: G<A, B>.C<D>? = nil, b: [A: B] = [:], c: [G<A, [B]>]? = nil, d: G<G<A>>=1", ["a", "b", "c", "d"]),
        ("var a: (A, B) -> (C, D) = { _, _ in x }, b: @Sendable (A) async throws(E) -> B", ["a", "b"]),
        (
            "var a: any P & Q, b: some P, c: (any P)?, d: G<each T, repeat each U>, e: ~Copyable",
            ["a", "b", "c", "d", "e"]
        ),
        ("var a = x ? y : z, b = x\n ? y\n : z\n var c = 1", ["a", "b", "c"]),
        ("var a =\n 1\n var b\n : Int\n = 2\n var c = 1\n + 2\n var d = x\n .y\n .z { }", ["a", "b", "c", "d"]),
        (
            "var a = if x { 1 } else if y { 2 } else { 3 }\n var b = switch x { case .a: 1 default: 2 }\n var c = 1",
            ["a", "b", "c"]
        ),
        ("var a = try? f()\n var b = try! g(), c = x!\n var d = -x\n var e = x as Int?", ["a", "b", "c", "d", "e"]),
        ("var a = \\A.b.c, b = \\.self, c = \\A[0]?.d", ["a", "b", "c"]),
        ("var a = x\n #if X\n .y\n #endif\n var b = 1", ["a", "b"]),
        (
            "#if X\n var a = 1\n #elseif Y && (Z)\n var b = 1\n #else\n var c = 1\n #endif\n var d = 1",
            ["a", "b", "c", "d"]
        ),
        ("#macro(var: 1) { var x = 1 }\n var a = #line, b = #selector(c), d = #m { }", ["a", "b", "d"]),
        (
            "class B { var x = 1 }\n struct C: D { var y = 1 }\n enum E { case f(var: Int); var z: Int { 1 } }\n var a = 1",
            ["a"]
        ),
        ("func f() -> Int\n where A: B\n { var x = 1; return x }\n func g()\n var a = 1", ["a"]),
        (
            "init() {}\n init?(a: Int) {}\n deinit { var x = 1 }\n subscript(i: Int) -> Int { get { 1 } }\n var a = 1",
            ["a"]
        ),
        ("typealias A = (Int)\n -> Int\n typealias B =\n @Sendable () -> ()\n var a = 1", ["a"]),
        (
            "var actor = 1\n var open = 2\n var prefix = actor\n var macro = open\n var async = 3\n let final = 4",
            ["actor", "open", "prefix", "macro", "async", "final"]
        ),
        ("var a: Int = 1 { @storageRestrictions(initializes: b) init(x) { } get { 1 } }\n var b = 1", ["b"]),
        ("var (a, b) = (1, 2)\n var _ = 1", ["(a, b)", "_"]),
        ("var a: Int? = nil;var b:Int!=nil;var c:[Int]?=nil;var d:Int=1", ["a", "b", "c", "d"]),
        ("var a = await x, b = try await y { }, c = consume z", ["a", "b", "c"]),
        ("let a = 0x1F.p-3, b = 1e-5, c = 1_000.5, d = 1.max, e = 1...2", ["a", "b", "c", "d", "e"]),
        ("var a: [3 of Int] = x, b: A.Type = B.self, c: A.B.C?, d: A??", ["a", "b", "c", "d"]),
        ("nonisolated var a = 1\n public private(set) final var b = 1\n package var c = 1", ["a", "b", "c"]),
        ("func f(_ a: Int = { var x = 1; return x }(), b: String = \")\") {}\n var a = 1", ["a"]),
        ("var a = \"tab\\t \\\\\"\n var b = \"\\u{7D}\"\r\n var c = \"é}\"\r\n", ["a", "b", "c"]),
        ("deinit\n var a = 1\n init\n ()\n let b: Int", ["a", "b"]),
        ("indirect enum E { case a }\n @A @B actor C { var x = 1 }\n var a = 1", ["a"]),
    ]

    @Test("finds exactly the stored properties", arguments: bodies)
    func storedProperties(body: String, names: [String]) {
        #expect(storedNames("final class A {\n \(body)\n}\nclass After { var no = 1 }") == names)
    }

    @Test("finds the same in an unclosed class", arguments: bodies.filter { !$0.0.hasSuffix("}") })
    func unclosed(body: String, names: [String]) {
        #expect(storedNames("@M(1) public final class A: B where C == D {\n \(body)\n") == names)
    }

    @Test("reads the head of a class")
    func head() {
        var lexer = Lexer("/// Doc {\n@A @B(x) public final class `C`<T: D<E>, each U>: F<G>, H where T == I<J> { }")
        let type = lexer.readType()
        #expect(type.attributes.map(\.name) == ["A", "B"])
        #expect(type.modifiers.map(\.name) == ["public", "final"])
        #expect(type.keyword == "class")
        #expect(type.name == "`C`")
        let generics = type.generics.map { lexer.text($0) }
        let inheritance = type.inheritance.map { lexer.text($0).trimmed }
        #expect(generics == "<T: D<E>, each U>")
        #expect(inheritance == "F<G>, H")
    }

    @Test(
        "tells the shapes of types apart",
        arguments: [
            ("Int", TypeShape.plain), ("Int?", .optional), ("[Int]?", .optional), ("(Int)?", .optional),
            ("Int!", .optional), ("A.B<C>?", .optional), ("Optional<Int>", .plain), ("(Int)", .plain),
            ("(Int, Int)", .tuple), ("(a: Int, Int)?", .tuple), ("()", .tuple), ("(Int) -> Int", .function),
            ("((Int) -> Int)?", .function), ("() async throws(E) -> Int?", .function),
            ("@Sendable () -> ()", .function),
            ("any P", .existential), ("(any P)?", .existential), ("Any", .existential), ("Any?", .existential),
            ("AnyObject", .existential), ("any P & Q", .existential), ("some P", .opaque), ("anyone", .plain),
            ("A.Type", .plain), ("[String: any P]", .plain),
        ])
    func shapes(text: String, shape: TypeShape) {
        var lexer = Lexer(text)
        var found = TypeShape.plain
        let isType = lexer.skipType(&found)
        #expect(isType)
        #expect(lexer.position == text.utf8.count)
        #expect(found == shape)
    }

    @Test("an initial value ends where the value ends, without the comment behind it")
    func ranges() {
        let text = "class A { var a: Int = f(1) /* x */ // y\n  var b = [1,\n 2] ; var c: [Int: String] }"
        var lexer = Lexer(text)
        let bindings = lexer.readType().properties.flatMap(\.bindings)
        let whole = bindings.map { lexer.text($0.range) }
        let values = bindings.map { $0.value.map { lexer.text($0) } }
        #expect(whole == ["a: Int = f(1)", "b = [1,\n 2]", "c: [Int: String]"])
        #expect(values == ["f(1)", "[1,\n 2]", nil])
    }

    @Test("interpolations and brackets nested without end do not exhaust the stack")
    func depth() {
        let interpolations = "class A { var a = " + String(repeating: "\"\\(", count: 100_000)
        #expect(storedNames(interpolations) == ["a"])
        #expect(storedNames("class A { var a = " + String(repeating: "(", count: 100_000)) == ["a"])
        #expect(storedNames("class A { var a: " + String(repeating: "G<", count: 20_000)).first == "a")
        #expect(storedNames("class A { var a = " + String(repeating: "open ", count: 5_000)) == ["a"])
    }
}
