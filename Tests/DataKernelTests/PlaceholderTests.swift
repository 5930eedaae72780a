import DataKernel
import Testing

@Test("a hand-written entity describes itself")
func handWrittenEntity() {
    #expect(HandWrittenCar.entity.attributes.map(\.name) == ["model", "mark", "year"])
    #expect(HandWrittenCar.entity.position(of: \HandWrittenCar.year) == 2)
    #expect(HandWrittenCar().model == "")
}
