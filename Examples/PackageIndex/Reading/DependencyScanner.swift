/// Walks through the text of a dependency field. Used by `DependencyField`.
struct DependencyScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        skipBlanks()
    }

    var isAtEnd: Bool { position == bytes.count }

    func fault(_ reason: String) -> DependencyField.Fault { DependencyField.Fault(reason: reason, offset: position) }

    /// Goes past the byte, and the blanks behind it, if it stands here.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard !isAtEnd, bytes[position] == byte else { return false }
        position += 1
        skipBlanks()
        return true
    }

    /// `name[:architecture] [(relation version)] [\[architectures\]] [<profiles>]…`
    mutating func alternative() throws -> DependencyField.Alternative {
        guard let name = PackageName(word(PackageName.isInName)) else { throw fault("expected a package's name") }
        var result = DependencyField.Alternative(name: name.text)
        if !isAtEnd, bytes[position] == UInt8(ascii: ":") {
            position += 1
            let architecture = word(PackageName.isInName)
            guard !architecture.isEmpty else { throw fault("expected an architecture") }
            result.architecture = architecture
        }
        skipBlanks()
        if skip(UInt8(ascii: "(")) { (result.relation, result.version) = try version() }
        result.restriction = try restriction()
        return result
    }

    private mutating func version() throws -> (VersionRelation, String) {
        let written = word { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") }
        guard let relation = VersionRelation(written: written) else {
            throw fault("expected <<, <=, =, >= or >>")
        }
        skipBlanks()
        let version = word(DependencyScanner.isInVersion)
        guard !version.isEmpty else { throw fault("expected a version") }
        skipBlanks()
        guard skip(UInt8(ascii: ")")) else { throw fault("expected a closing parenthesis") }
        return (relation, version)
    }

    /// All `[…]` and `<…>` that stand here, as written.
    private mutating func restriction() throws -> String? {
        var parts: [String] = []
        while !isAtEnd, bytes[position] == UInt8(ascii: "[") || bytes[position] == UInt8(ascii: "<") {
            let closing = bytes[position] == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: ">")
            let start = position
            guard let end = bytes[start...].firstIndex(of: closing) else { throw fault("nothing closes this") }
            position = end + 1
            parts.append(String(decoding: bytes[start...end], as: UTF8.self))
            skipBlanks()
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private mutating func word(_ isInWord: (UInt8) -> Bool) -> String {
        let end = bytes[position...].firstIndex { !isInWord($0) } ?? bytes.count
        defer { position = end }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    private mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x09, 0x0A].contains(bytes[position]) { position += 1 }
    }

    private static func isInVersion(_ byte: UInt8) -> Bool {
        PackageName.isInName(byte) || byte == UInt8(ascii: "~") || byte == UInt8(ascii: ":")
    }
}
