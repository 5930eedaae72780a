import Foundation
import TestSupport
import Testing

/// The program `StoreHelper`, for what a test cannot do in its own process.
enum Helper {
    /// Runs it and returns the lines that it printed.
    static func run(_ arguments: String...) async throws -> [String] {
        let program = try Program(built: "StoreHelper")
        let result = try await onThread { try program.run(arguments) }
        #expect(result.status == 0, "\(result.errors)")
        return result.lines
    }
}
