import DataKernel
import Foundation
import Testing

@Suite("@Entity")
struct EntityMacroTests {
    @Test("writes the description from the class")
    func description() {
        let entity = MacroCar.entity
        #expect(entity.name == "MacroCar")
        #expect(entity.attributes.map(\.name) == ["model", "mark", "year"])
        #expect(entity.attributes.map(\.isPrimaryKey) == [true, false, false])
        #expect(entity.attributes.map(\.originalName) == [nil, "brand", nil])
        #expect(entity.unique == [["mark", "year"]])
        #expect(entity.indexes == [["year", "mark"]])
        #expect(entity.issues.isEmpty)
        #expect(MacroCar.pk == "model")
        #expect(entity.position(of: \MacroCar.year) == 2)
    }
}
