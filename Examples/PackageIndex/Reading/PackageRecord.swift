/// A package as one stanza of the index describes it.
struct PackageRecord {
    struct Dependency: Equatable {
        var kind: DependencyKind
        var alternatives: [DependencyField.Alternative]
    }

    var name: String
    var version: String
    var architecture: String
    var section: String
    var priority: String
    /// What it takes when installed, in KiB.
    var installedSize: Int?
    /// The first line of its description.
    var summary: String
    var homepage: String?
    var maintainer: MaintainerField?
    var tags: [String]
    /// Kind by kind, in the order of `DependencyKind`, and in the index's order within each.
    var dependencies: [Dependency]
    /// The names that it answers to besides its own.
    var provides: [DependencyField.Alternative]

    /// Throws ``BrokenStanza`` when the name or the version is missing, or a field is not what it should be.
    init(_ stanza: Stanza) throws {
        guard let package = stanza["Package"] else { throw stanza.broken(.missingField("Package"), at: stanza.line) }
        guard let name = PackageName(package.value.trimmed(" \t\n")) else {
            throw stanza.broken(.badValue(field: "Package", reason: "not a package's name"), at: package.line)
        }
        guard let version = stanza.text("Version") else {
            throw stanza.broken(.missingField("Version"), at: stanza.line)
        }
        self.name = name.text
        self.version = version
        architecture = stanza.text("Architecture") ?? "all"
        section = stanza.text("Section") ?? "unknown"
        priority = stanza.text("Priority") ?? "optional"
        installedSize = try stanza.number("Installed-Size")
        summary = stanza["Description"].map { $0.value.prefix { $0 != "\n" }.trimmed(" \t") } ?? ""
        homepage = stanza.text("Homepage")
        maintainer = stanza["Maintainer"].flatMap { MaintainerField($0.value) }
        tags = TagField(stanza["Tag"]?.value ?? "").tags
        dependencies = try DependencyKind.allCases.flatMap { kind in
            try stanza.dependencies(kind.fieldName).map { Dependency(kind: kind, alternatives: $0) }
        }
        provides = try stanza.dependencies("Provides").flatMap { $0 }
    }
}

extension Stanza {
    fileprivate func text(_ name: String) -> String? {
        let text = self[name]?.value.trimmed(" \t\n")
        return text?.isEmpty == false ? text : nil
    }

    fileprivate func number(_ name: String) throws -> Int? {
        guard let field = self[name], let text = text(name) else { return nil }
        guard let number = Int(text) else {
            throw broken(.badValue(field: field.name, reason: "not a number"), at: field.line)
        }
        return number
    }

    fileprivate func dependencies(_ name: String) throws -> [[DependencyField.Alternative]] {
        guard let field = self[name] else { return [] }
        do {
            return try DependencyField(field.value).clauses
        } catch let fault as DependencyField.Fault {
            throw broken(.badValue(field: field.name, reason: fault.reason), at: field.line(at: fault.offset))
        }
    }

    fileprivate func broken(_ fault: BrokenStanza.Fault, at line: Int) -> BrokenStanza {
        BrokenStanza(line: line, package: self["Package"].flatMap { PackageName($0.value)?.text }, fault: fault)
    }
}
