/// What an import did, package by package.
struct ImportReport: Equatable {
    var added = 0
    var changed = 0
    var unchanged = 0
    var removed = 0
    /// Stanzas whose name an earlier stanza had: other versions and architectures.
    var repeated = 0
    var broken = 0
    /// How often there was something to save.
    var saves = 0
    /// Whether packages that the index no longer has were left in the store, since a broken stanza had no name.
    var keptOthers = false

    var read: Int { added + changed + unchanged }

    var text: String {
        var lines = [
            "\(read) packages read: \(added) added, \(changed) changed, \(unchanged) unchanged, \(removed) removed."
        ]
        if repeated > 0 {
            let stanzas = repeated == 1 ? "1 stanza of another version" : "\(repeated) stanzas of other versions"
            lines.append("\(stanzas) or architecture left out.")
        }
        if broken > 0 {
            let stanzas = broken == 1 ? "1 broken stanza" : "\(broken) broken stanzas"
            lines.append("\(stanzas) left out; what the store has of such a package stays as it was.")
        }
        if keptOthers { lines.append("Nothing was removed: a broken stanza does not say which package it is about.") }
        if saves == 0 { lines.append("The store had all of this already: nothing was saved.") }
        return lines.joined(separator: "\n")
    }
}
