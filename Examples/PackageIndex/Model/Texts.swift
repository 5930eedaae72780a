// How the index writes things, made anew from what is stored.

extension DependencyField.Alternative {
    /// What is stored of it, so that it can be compared with what the index says now.
    init(_ stored: Alternative) {
        name = stored.name
        architecture = stored.architecture
        relation = stored.relation
        version = stored.version
        restriction = stored.restriction
    }

    /// `python3:any (>= 3.9) [amd64]`
    var text: String {
        var parts = [architecture.map { "\(name):\($0)" } ?? name]
        if let relation, let version { parts.append("(\(relation.rawValue) \(version))") }
        if let restriction { parts.append(restriction) }
        return parts.joined(separator: " ")
    }
}

extension Alternative {
    func fill(_ written: DependencyField.Alternative) {
        name = written.name
        architecture = written.architecture
        relation = written.relation
        version = written.version
        restriction = written.restriction
    }

    var text: String { DependencyField.Alternative(self).text }
}

extension Maintainer {
    var text: String { mail.isEmpty || name == mail ? name : "\(name) <\(mail)>" }
}
