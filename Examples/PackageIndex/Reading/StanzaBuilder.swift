/// Makes a stanza of its lines. After the first fault it only looks for the package's name, so that the report can
/// say which package was left out. Used by `StanzaReader`.
struct StanzaBuilder {
    private var stanza: Stanza
    private var fault: BrokenStanza?
    /// The field that lines are being added to.
    private var name: String?
    private var value: [UInt8] = []
    private var line = 0
    private var continuations: [Int] = []

    init(line: Int) { stanza = Stanza(line: line) }

    /// Adds a line that is neither blank nor a comment.
    mutating func add(_ bytes: [UInt8], number: Int) {
        if bytes.contains(0) { return fail(.nul, at: number) }
        if bytes[0] == UInt8(ascii: " ") || bytes[0] == UInt8(ascii: "\t") {
            guard name != nil else { return fail(.nothingToContinue, at: number) }
            value.append(UInt8(ascii: "\n"))
            value.append(contentsOf: bytes.dropFirst())
            continuations.append(number)
            return
        }
        closeField()
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return fail(.noColon, at: number) }
        guard let name = StanzaBuilder.fieldName(bytes[..<colon]) else { return fail(.badFieldName, at: number) }
        if stanza[name] != nil { fail(.duplicateField(name), at: number) }
        self.name = name
        line = number
        value.append(contentsOf: bytes[(colon + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    }

    /// Notes why the stanza cannot be used. The first reason counts.
    mutating func fail(_ reason: BrokenStanza.Fault, at line: Int) {
        if fault == nil { fault = BrokenStanza(line: line, package: nil, fault: reason) }
    }

    /// What became of it.
    mutating func finish() -> StanzaReader.Item {
        closeField()
        guard var broken = fault else { return .stanza(stanza) }
        broken.package = stanza["Package"].flatMap { PackageName($0.value)?.text }
        return .broken(broken)
    }

    private mutating func closeField() {
        guard let name else { return }
        self.name = nil
        defer {
            value.removeAll(keepingCapacity: true)
            continuations = []
        }
        guard let text = String(validating: value, as: UTF8.self) else {
            return fail(.notUTF8, at: lineThatIsNotUTF8())
        }
        guard stanza[name] == nil else { return }
        stanza.fields.append(Stanza.Field(name: name, value: text, line: line, continuations: continuations))
    }

    private func lineThatIsNotUTF8() -> Int {
        let lines = value.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let index = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        return index == 0 ? line : continuations[index - 1]
    }

    /// A name of printable ASCII without colon, not beginning like a comment or an option.
    private static func fieldName(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let first = bytes.first, first != UInt8(ascii: "-"),
            bytes.allSatisfy({ (33...126).contains($0) })
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
