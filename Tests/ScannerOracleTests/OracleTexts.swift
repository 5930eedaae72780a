/// Texts in which it is hard to see where a property ends.
enum OracleTexts {
    static let all = [
        ###"""
        struct A {
            var a = 1, b: String?, c = [1, 2], d: (Int, Int) = (1, 2)
            var e = "\(f("}") { $0 }) var x", g = #"\("} "#, h = #"\#("}")"#
            var i = b < c, j = d > e
            var k = G<B, C>(), l = G<[B: C], (D) -> E>.f, m = x as? G<A, B>, n = 1
            var o: G<A, B>.C<D>? = nil; var p: [A: B] = [:], q: [G<A, [B]>]? = nil
            var r: (A, B) -> (C, D) = { _, _ in x }, s: @Sendable (A) async throws(E) -> B
            var t: any P & Q, u: (any P)?, v: G<each T>, w: ~Copyable
            var x = y ? z : 1, y = x
                ? y
                : z
            var z = x
                .y
                .z { }
        }
        """###,
        ###"""
        public final class B<T: P<Q>>: C<D>, @unchecked Sendable where T == E {
            var a = /}\/ var x/
            var b = 8 / 2 / 1
            var c = #/ } /#
            static func / (l: Int, r: Int) -> Int { l }
            static func <<T>(l: T, r: T) -> T { l }
            @A(x: "var y = 1", .b { }) @C.D<Int> var d = 1
            private(set) var e = 1; nonisolated(unsafe) var f = 1; weak var g: A?; lazy var h = 1
            var i: Int { 1 }
            var j: Int { mutating get { 1 } }
            var k: Int { get async throws { 1 } }
            var l = 1 { didSet {} }
            var m: [Int] = f() { didSet { } }
            var n: Int { willSet(x) {} }
            var o = f { x in x } done: { var y = 1 }
            var p = if x { 1 } else if y { 2 } else { 3 }
            var q = switch x { case .a: 1 default: 2 }
            var r = try? f()
            var s = -x, t = x as Int?, u = x!
            var v = \A.b.c, w = \.self
            #if X && (Y || canImport(Z))
                var cond = 1
            #elseif Y
                let other: Int
            #else
                init() {}
            #endif
            var actor = 1
            var open = 2
            var prefix = actor
            init() {}
            init?(a: Int) {}
            convenience init<U>(b: U) {}
            subscript(i: Int) -> Int { get { 1 } set { } }
            typealias F = (Int)
                -> Int
            deinit { var no = 1 }
        }
        """###,
        ###"""
        actor C {
            let a = """
                } "quoted" \("""
                    in
                    """) var x
                """
            let b = #"""#
            var `class` = 1, (c, d) = (1, 2), _ = 3
            var e =
                1
            var f
                : Int
                = 2
            var g = x
                #if X
                .y
                #endif
            var h = await x, i = try await y { }, j = consume z
            let k = 0x1F.0p-3, l = 1e-5, m = 1...2, n = ..<3, o = 1 ... 2
            nonisolated var p: Int { 1 }
            func f<T>() async throws -> T where T: P { var no = 1; return no }
            func g(_ a: Int = { var x = 1; return x }(), b: String = ")") {}
            isolated deinit {}
        }
        """###,
    ]
}
