internal import DataKernel

/// What a check works with: a storage, and units of the colour that is being tested.
struct ConformanceBench: Sendable {
    let storage: any Storage
    let colour: UnitColour

    /// A unit of work. One body for both colours; a blocking one runs where the caller runs.
    @discardableResult
    func perform<R>(
        ephemeral: Bool = true, _ unit: sending (any Context, Save) throws -> sending R,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> sending R {
        switch colour {
        case .blocking: try block(ephemeral, unit)
        case .async: try await storage.perform(ephemeral: ephemeral, unit)
        }
    }

    /// A read unit.
    @discardableResult
    func read<R>(
        _ unit: sending (any ReadContext) throws -> sending R, isolation: isolated (any Actor)? = #isolation
    ) async throws -> sending R {
        switch colour {
        case .blocking: try block(unit)
        case .async: try await storage.read(unit)
        }
    }

    // In an async function the async forms are picked; these are not async.
    private func block<R>(
        _ ephemeral: Bool, _ unit: sending (any Context, Save) throws -> sending R
    ) throws -> sending R {
        try storage.perform(ephemeral: ephemeral, unit)
    }

    private func block<R>(_ unit: sending (any ReadContext) throws -> sending R) throws -> sending R {
        try storage.read(unit)
    }
}

// MARK: What checks start from and look at

extension ConformanceBench {
    /// Saves books of these titles.
    func save(_ titles: String..., isolation: isolated (any Actor)? = #isolation) async throws {
        try await perform { context, save in
            for title in titles { try context.create(ConformanceBook.self).title = title }
            try save()
        }
    }

    /// The titles in the store.
    func titles(isolation: isolated (any Actor)? = #isolation) async throws -> [String] {
        try await read { try $0.fetch(Request<ConformanceBook>().sort("title")).map(\.title) }
    }
}

// MARK: Expectations

/// Throws when the condition does not hold.
func expect(
    _ condition: Bool, _ promise: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws {
    if !condition { throw ConformanceFailure("not so: " + promise(), file, line) }
}

/// Throws when the values differ.
func expect<V: Equatable>(
    _ found: V, is expected: V, _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws {
    guard found == expected else {
        throw ConformanceFailure("\(what()): expected \(expected), found \(found)", file, line)
    }
}

/// Returns the object, or throws when there is none.
func need<V>(
    _ value: V?, _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws -> V {
    guard let value else { throw ConformanceFailure("missing: " + what(), file, line) }
    return value
}

/// Throws when `body` does not throw a ``KernelError`` that `matches` knows.
func expectError(
    _ name: String, file: StaticString = #fileID, line: UInt = #line, from body: () throws -> Void,
    matches: (KernelError) -> Bool
) throws {
    do {
        try body()
    } catch let error as KernelError where matches(error) {
        return
    } catch {
        throw ConformanceFailure("expected the error \(name), found \(error)", file, line)
    }
    throw ConformanceFailure("expected the error \(name), nothing was thrown", file, line)
}

/// What the checks throw from inside a unit.
struct ConformanceMishap: Error, Equatable {}
