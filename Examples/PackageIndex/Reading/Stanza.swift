/// One paragraph of an index: fields in the order in which they were written.
struct Stanza {
    struct Field {
        var name: String
        /// The value, its lines joined by newlines. A continuation line has lost the blank that it began with.
        var value: String
        /// The number of the line with the name.
        var line: Int
        /// The numbers of the continuation lines: a comment may stand between two of them.
        var continuations: [Int] = []

        /// The number of the line that the value's byte at that offset stands in.
        func line(at offset: Int) -> Int {
            let newlines = value.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") }
            return newlines == 0 || newlines > continuations.count ? line : continuations[newlines - 1]
        }
    }

    /// The number of its first line.
    var line: Int
    var fields: [Field] = []

    /// The field of that name; case does not matter.
    subscript(name: String) -> Field? { fields.first { $0.name.isSameFieldName(as: name) } }
}

/// Why a stanza cannot be used, and where.
struct BrokenStanza: Error, Equatable, CustomStringConvertible {
    /// The number of the line at fault.
    var line: Int
    /// The package that the stanza is about, if it says so.
    var package: String?
    var fault: Fault

    enum Fault: Equatable {
        case noColon
        case nothingToContinue
        case badFieldName
        case duplicateField(String)
        case notUTF8
        case nul
        case tooLong(limit: Int)
        case missingField(String)
        case badValue(field: String, reason: String)
    }

    var description: String {
        let what =
            switch fault {
            case .noColon: "no colon in the line"
            case .nothingToContinue: "a continuation line, and nothing before it to continue"
            case .badFieldName: "not a field's name before the colon"
            case .duplicateField(let name): "\(name) is there twice"
            case .notUTF8: "bytes that are not UTF-8"
            case .nul: "a NUL byte"
            case .tooLong(let limit): "longer than \(limit) bytes"
            case .missingField(let name): "no \(name)"
            case .badValue(let field, let reason): "\(field): \(reason)"
            }
        return "line \(line): " + what + (package.map { " (package \($0))" } ?? "")
    }
}

extension String {
    /// Field names are ASCII, and case does not matter in them.
    func isSameFieldName(as other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 | 0x20 && isLetter($0) }
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
