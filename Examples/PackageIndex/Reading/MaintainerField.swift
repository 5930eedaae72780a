/// Who looks after a package: `Debian Games Team <pkg-games-devel@lists.alioth.debian.org>`.
struct MaintainerField: Equatable {
    var name: String
    /// Empty when the field has none.
    var mail: String

    /// What makes two fields the same maintainer: the mail, in small letters, since one team's name is spelt in several
    /// ways. Without a mail it is the name.
    var key: String { mail.isEmpty ? name : mail.lowercased() }

    /// Takes what people write: quotes around the name, a comma behind it all, a mail or a name alone. Nil when
    /// nothing is left.
    init?(_ text: String) {
        let written = text.trimmed(" \t\n,")
        if let open = written.lastIndex(of: "<"), written.hasSuffix(">") {
            name = written[..<open].trimmed(" \t\n\"")
            mail = written[written.index(after: open)...].dropLast().trimmed(" \t\n")
        } else if written.contains("@"), !written.contains(" ") {
            name = ""
            mail = written
        } else {
            name = written.trimmed(" \t\n\"")
            mail = ""
        }
        if name.isEmpty { name = mail }
        if name.isEmpty { return nil }
    }
}

extension StringProtocol {
    /// Without the given characters at both ends.
    func trimmed(_ characters: String) -> String {
        let rest = drop { characters.contains($0) }
        guard let last = rest.lastIndex(where: { !characters.contains($0) }) else { return "" }
        return String(rest[...last])
    }
}
