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
        if repeated > 0 { lines.append("\(repeated) stanzas of other versions or architectures left out.") }
        if broken > 0 { lines.append("\(broken) broken stanzas left out; their packages stay as they were.") }
        if keptOthers { lines.append("Nothing was removed: a broken stanza does not say which package it is about.") }
        if saves == 0 { lines.append("The store had all of this already: nothing was saved.") }
        return lines.joined(separator: "\n")
    }
}
