/// Finds what is wrong with a model before any SQL is made from it. All of it at once, in the model's words.
public enum ModelCheck {
    /// The column that holds a row's id. Entities and attributes may not take the kernel's names.
    public static var idColumn: String { "_id" }

    /// What a request calls the row's id.
    package static var idName: String { "objectID" }

    /// What a filter or a sort can name: a column each, or a relationship.
    static func names(_ attributes: [AttributeDescription], _ relationships: [RelationshipDescription]) -> [String] {
        attributes.map(\.name) + relationships.filter(\.isToMany).map(\.name)
    }

    static func issues(
        entity: String, attributes: [AttributeDescription], relationships: [RelationshipDescription],
        unique: [[String]], indexes: [[String]]
    ) -> [String] {
        var issues: [String] = []
        @inline(never)
        func note(_ issue: String) { issues.append("entity \(entity): \(issue)") }
        @inline(never)
        func note(_ name: String, _ issue: String) { issues.append("\(entity).\(name): \(issue)") }

        if let issue = nameIssue(entity) { note(issue) }
        let lowercased = entity.lowercased()
        if lowercased.hasPrefix("sqlite_") || lowercased.hasPrefix("kernel_") {
            note("names that begin with sqlite_ or kernel_ are taken")
        }
        var seen: [String: String] = [:]
        for name in names(attributes, relationships) {
            if let issue = nameIssue(name) { note(name, issue) }
            if name.lowercased() == idColumn {
                note(name, "_id is the column of the row's id; choose another name")
            }
            // Column names are compared without regard to (ASCII) case by SQLite.
            if let other = seen.updateValue(name, forKey: name.lowercased()) {
                note(name, "the store cannot tell it from " + other)
            }
        }
        for attribute in attributes {
            for validation in attribute.validations {
                if let issue = validation.issue(attribute) { note(attribute.name, "it " + issue) }
            }
        }
        if attributes.filter(\.isPrimaryKey).count > 1 {
            note("more than one primary key")
        }
        for group in unique + indexes {
            if group.isEmpty { note("an index over no attributes") }
            for name in group where !attributes.contains(where: { $0.name == name }) {
                note("an index names " + name + ", which is no attribute of it")
            }
            if Set(group).count != group.count { note("an index names an attribute twice") }
        }
        return issues
    }

    /// The store has one nil: `.some(nil)` would come back as nil.
    static func nestedOptional(entity: String, attribute: String) -> String {
        "\(entity).\(attribute): an Optional of an Optional; the store has one nil only"
    }

    /// What is wrong with a model as a whole.
    public static func issues(model: [EntityDescription]) -> [String] {
        var issues = model.flatMap(\.issues)
        var seen: [String: String] = [:]
        @inline(never)
        func owner(of name: String) -> String? { seen.updateValue(name, forKey: name.lowercased()) }

        var types: Set<ObjectIdentifier> = []
        for entity in model {
            guard types.insert(entity.typeID).inserted else {
                issues.note("entity \(entity.name) is listed twice")
                continue
            }
            if let other = owner(of: entity.name) {
                issues.note("entity \(entity.name): the store cannot tell its table from that of \(other)")
            }
        }
        for entity in model {
            let outside = entity.relationships.filter { !types.contains($0.targetID) }
            for relationship in outside {
                issues.note(
                    "\(entity.name).\(relationship.name): it leads to \(relationship.target().name), which is not in "
                        + "the model")
            }
            // The other ends are looked at only when they are all there.
            guard outside.isEmpty else { continue }
            issues += entity.links.issues
            for link in entity.links.relationships {
                guard case .join(let table) = link.storage, table.isOwner else { continue }
                if let other = owner(of: table.name) {
                    issues.note("\(table.name), the table of a relationship, has the name of \(other)")
                }
            }
        }
        return issues
    }

    private static func nameIssue(_ name: String) -> String? {
        if name.isEmpty { return "the name is empty" }
        return name.utf8.contains(0) ? "the name holds a NUL" : nil
    }
}

extension [String] {
    /// Adds what is wrong. Not inlined: `append` is much code, and there is much that can be wrong.
    @inline(never)
    mutating func note(_ issue: String) { append(issue) }
}
