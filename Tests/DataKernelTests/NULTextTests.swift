import DataKernel
import Testing

@Suite("Text that holds a NUL")
struct NULTextTests {
    private static let text = "ab\0Çd"

    @Test("is found by every text condition, as any other text is")
    func found() throws {
        let storage = try garage()
        try storage.perform(ephemeral: true) { context, save in
            for (model, mark) in [("A", Self.text), ("B", "ab"), ("C", "ab\0çX"), ("D", "\0")] {
                let car: Car = try context.acquire(model)
                car.mark = mark
            }
            try save()
        }
        func models(_ condition: Condition<Car>) throws -> [String] {
            try storage.read { try $0.fetch(Request<Car>().filter(condition).sort(\.model)).map(\.model) }
        }
        #expect(try models(\.mark == Self.text) == ["A"])
        #expect(try models(\.mark != Self.text) == ["B", "C", "D"])
        #expect(try models(\.mark == "ab") == ["B"])
        #expect(try models(\.mark > "ab") == ["A", "C"])
        #expect(try models(.oneOf(\.mark, [Self.text, "\0"])) == ["A", "D"])
        #expect(try models(.oneOf(\.mark, ["1", "2", "3", "4", Self.text])) == ["A"])
        #expect(try models(.contains(\.mark, "\0Ç")) == ["A"])
        #expect(try models(.contains(\.mark, "\0")) == ["A", "C", "D"])
        #expect(try models(.beginsWith(\.mark, "ab\0")) == ["A", "C"])
        #expect(try models(.endsWith(\.mark, "\0Çd")) == ["A"])
        #expect(try models(.like(\.mark, "ab%d")) == ["A"])
        #expect(try models(.like(\.mark, "%\0%")) == ["A", "C", "D"])
        #expect(try models(.like(\.mark, "__\0__")) == ["A", "C"])
        #expect(try models(.like(\.mark, "ab")) == ["B"])
        for condition: Condition<Car> in [
            .contains(\.mark, "\0CD", comparing: .insensitive), .endsWith(\.mark, "B\0cd", comparing: .insensitive),
            .equal(\.mark, to: "AB\0cD", comparing: .insensitive),
            .like(\.mark, "%c_", comparing: .insensitive) && \.model == "A",
            .oneOf(\.mark, ["AB\0CD"], comparing: .insensitive), .beginsWith(\.mark, "AB\0CD", comparing: .insensitive),
        ] {
            #expect(try models(condition) == ["A"])
        }
    }
}
