public import DataKernel

/// One promise of the `Storage` and `Context` contracts, and how to find out whether a storage keeps it.
///
/// A storage of any kind shows that it keeps the contracts by running all of them in both colours, each on a storage
/// of its own. With Swift Testing:
///
/// ```swift
/// @Test(arguments: ConformanceCheck.all, UnitColour.allCases)
/// func conforms(_ check: ConformanceCheck, _ colour: UnitColour) async throws {
///     try await check.run(colour) { try MyStorage(model: ConformanceCheck.model) }
/// }
/// ```
public struct ConformanceCheck: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let description: String
    let body: @Sendable (ConformanceBench) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (ConformanceBench) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Every promise.
    public static let all: [ConformanceCheck] =
        units + saves + objects + removals + relationships + requests + contexts + stores

    /// The entities that a storage under test has to hold.
    public static var model: [any Entity.Type] {
        [
            ConformanceBook.self, ConformanceValues.self, ConformanceWriter.self, ConformanceWork.self,
            ConformanceChapter.self, ConformanceTopic.self,
        ]
    }

    /// Runs the check on a storage that `makeStorage` makes: empty, nobody else's, with ``model`` as its model.
    ///
    /// Throws ``ConformanceFailure`` when the storage breaks the promise, and what the storage throws where it
    /// should not.
    public func run(_ colour: UnitColour, on makeStorage: @Sendable () throws -> any Storage) async throws {
        try await body(ConformanceBench(storage: try makeStorage(), colour: colour))
    }
}

/// Which of the two forms of `perform` and `read` a check uses.
public enum UnitColour: String, Sendable, CaseIterable {
    case blocking, async
}

/// A promise of the contracts that a storage does not keep.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// What was expected, and what was found.
    public let message: String
    /// Where in the suite.
    public let line: String

    public var description: String { "\(message) (\(line))" }

    init(_ message: String, _ file: StaticString, _ line: UInt) {
        self.message = message
        self.line = "\(file):\(line)"
    }
}
