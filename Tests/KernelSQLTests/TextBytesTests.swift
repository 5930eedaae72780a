import Foundation
import Testing

@testable import KernelSQL

@Suite("Texts as the store sees them")
struct TextBytesTests {
    private static let long = String(repeating: "a rather long text ", count: 4)

    @Test(
        "are equal when their bytes are, however they lie in memory",
        arguments: ["", "a", "fifteen bytes!!", "sixteen bytes!!!", "Åse", "e\u{301}", "日本", long])
    func equal(text: String) {
        let other = String(decoding: Array(text.utf8), as: UTF8.self)
        var grown = text
        grown.reserveCapacity(200)
        #expect(text.isStored(equalTo: text) && text.isStored(equalTo: other))
        #expect(text.isStored(equalTo: grown) && grown.isStored(equalTo: other))
        #expect(!text.isStored(equalTo: text + "x") && !(text + "x").isStored(equalTo: text))
        #expect(!(text + "x").isStored(equalTo: text + "y"))
        #expect(StoredValue.text(text).hashValue == StoredValue.text(grown).hashValue)
    }

    @Test("are different when Swift takes two spellings for the same text")
    func spellings() {
        let (one, two) = ("caf\u{E9}", "cafe\u{301}")
        #expect(one == two && !one.isStored(equalTo: two))
        // The same length in bytes, the same text for Swift: two marks in either order.
        let (left, right) = ("a\u{323}\u{301}", "a\u{301}\u{323}")
        #expect(left == right && left.utf8.count == right.utf8.count && !left.isStored(equalTo: right))
        #expect(StoredValue.text(one) != StoredValue.text(two))
        #expect(Set([StoredValue.text(left), .text(right), .text(left)]).count == 2)
    }

    @Test("that were bridged are compared by their bytes too")
    func bridged() {
        let text = "Grüße aus " + TextBytesTests.long
        let bridged = NSString(string: text) as String
        #expect(text.isStored(equalTo: bridged) && bridged.isStored(equalTo: text))
        #expect(StoredValue.text(text).hashValue == StoredValue.text(bridged).hashValue)
    }
}

@Suite("Key paths by their identity")
struct KnownPathsTests {
    private final class Thing {
        var a = 0
        var b = ""
    }

    private static let thing = EntityDescription(Thing.self, name: "Thing") { entity in
        entity.attribute("a", \Thing.a)
        entity.attribute("b", \Thing.b)
    }

    @Test("a literal is found each time it is asked for, from any thread")
    func literals() async {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<1000).allSatisfy { _ in
                        KnownPathsTests.thing.position(of: \Thing.a) == 0
                            && KnownPathsTests.thing.position(of: \Thing.b) == 1
                            && KnownPathsTests.thing.position(of: \Thing.b.count) == nil
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("more key paths than are kept by their identity are still found")
    func many() {
        // Each append makes a key path of its own, equal to the literal and not identical with it.
        let paths = (0..<100).map { _ in (\Thing.self as KeyPath<Thing, Thing>).appending(path: \Thing.b) }
        for path in paths + paths { #expect(KnownPathsTests.thing.position(of: path) == 1) }
    }
}
