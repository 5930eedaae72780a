import DataKernel
import DataKernelTesting
import Testing

@Suite("A storage keeps every promise of the contracts")
struct ConformanceTests {
    @Test("in memory", arguments: ConformanceCheck.all, UnitColour.allCases)
    func memory(_ check: ConformanceCheck, _ colour: UnitColour) async throws {
        try await check.run(colour) { try SQLiteStorage(store: .memory, model: ConformanceCheck.model) }
    }

    @Test("in a file", arguments: ConformanceCheck.all, UnitColour.allCases)
    func file(_ check: ConformanceCheck, _ colour: UnitColour) async throws {
        let folder = try Folder()
        let url = folder.file()
        try await check.run(colour) {
            try SQLiteStorage(
                store: .url(url), model: ConformanceCheck.model, options: StorageOptions(durability: .normal))
        }
        withExtendedLifetime(folder) {}
    }
}
