/// Where the program reads and writes. Tests put arrays in its place.
package struct Console {
    /// The next bytes of standard input; none at its end.
    package var read: () throws -> [UInt8]
    package var write: (String) throws -> Void
    package var writeError: (String) -> Void
    /// Whether a person looks at standard error, who would like to see how far it is.
    package var showsProgress: Bool

    package init(
        read: @escaping () throws -> [UInt8], write: @escaping (String) throws -> Void,
        writeError: @escaping (String) -> Void, showsProgress: Bool
    ) {
        self.read = read
        self.write = write
        self.writeError = writeError
        self.showsProgress = showsProgress
    }
}

/// How a run ended.
package enum Outcome: Int32 {
    case done = 0
    /// The answer is no, or stanzas were left out.
    case nothingFound = 1
    case wrongUsage = 2
    case failure = 3
}
