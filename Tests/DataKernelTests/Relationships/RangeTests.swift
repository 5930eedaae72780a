import DataKernel
import KernelSQL
import Testing

private enum Limits {
    static let least = 1
    static let most = 200
    static let heaviest = 2.5
}

@Entity
private final class Parcel {
    @Attribute(.range(Limits.least...Limits.most)) var length = 10
    @Attribute(.range(Limits.least...)) var width = 10
    @Attribute(.range(...Limits.most)) var height = 10
    @Attribute(.range(1...200)) var count = 10
    @Attribute(.range(0.5...Limits.heaviest)) var weight = 1.0
}

@Suite("The bounds of a range")
struct RangeTests {
    @Test("may be Int constants, Double constants and literals")
    func bounds() throws {
        #expect(
            Parcel.entity.attributes.map(\.validations) == [
                [.range(low: 1, high: 200)], [.range(low: 1, high: nil)], [.range(low: nil, high: 200)],
                [.range(low: 1, high: 200)], [.range(low: 0.5, high: 2.5)],
            ])
        let storage = try SQLiteStorage(store: .memory, model: [Parcel.self])
        try storage.perform(ephemeral: true) { context, save in
            let parcel: Parcel = try context.create()
            parcel.length = 200
            parcel.width = 0
            parcel.height = 201
            parcel.weight = 2.6
            let error = #expect(throws: KernelError.self) { try save() }
            guard case .validationFailed(let issues)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(issues.map(\.attribute) == ["width", "height", "weight"])
        }
    }
}
