/// Finds what is wrong with a model before any SQL is made from it. All of it at once, in the model's words.
public enum ModelCheck {
    /// The column that holds a row's id. Entities and attributes may not take the kernel's names.
    public static let idColumn = "_id"
    static let reservedPrefixes = ["sqlite_", "kernel_"]

    static func issues(
        entity: String, attributes: [AttributeDescription], relationships: [RelationshipDescription],
        unique: [[String]], indexes: [[String]]
    ) -> [String] {
        var issues: [String] = []
        if let issue = nameIssue(entity) { issues.append("entity \(entity): \(issue)") }
        if reservedPrefixes.contains(where: { entity.lowercased().hasPrefix($0) }) {
            issues.append("entity \(entity): names that begin with sqlite_ or kernel_ are taken")
        }
        var seen: [String: String] = [:]
        for name in attributes.map(\.name) + relationships.filter(\.isToMany).map(\.name) {
            if let issue = nameIssue(name) { issues.append("\(entity).\(name): \(issue)") }
            if name.lowercased() == idColumn {
                issues.append("\(entity).\(name): _id is the column of the row's id; choose another name")
            }
            // Column names are compared without regard to (ASCII) case by SQLite.
            if let other = seen.updateValue(name, forKey: name.lowercased()) {
                issues.append("\(entity).\(name): the store cannot tell it from \(other)")
            }
        }
        for attribute in attributes {
            for validation in attribute.validations {
                if let issue = validation.issue(attribute) { issues.append("\(entity).\(attribute.name): it \(issue)") }
            }
        }
        if attributes.filter(\.isPrimaryKey).count > 1 {
            issues.append("entity \(entity): more than one primary key")
        }
        let names = Set(attributes.map(\.name))
        for group in unique + indexes {
            if group.isEmpty { issues.append("entity \(entity): an index over no attributes") }
            for name in group where !names.contains(name) {
                issues.append("entity \(entity): an index names \(name), which is no attribute of it")
            }
            if Set(group).count != group.count { issues.append("entity \(entity): an index names an attribute twice") }
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
        var types: Set<ObjectIdentifier> = []
        for entity in model {
            guard types.insert(entity.typeID).inserted else {
                issues.append("entity \(entity.name) is listed twice")
                continue
            }
            if let other = seen.updateValue(entity.name, forKey: entity.name.lowercased()) {
                issues.append("entity \(entity.name): the store cannot tell its table from that of \(other)")
            }
        }
        for entity in model {
            let outside = entity.relationships.filter { !types.contains($0.targetID) }
            for relationship in outside {
                issues.append(
                    "\(entity.name).\(relationship.name): it leads to \(relationship.target().name), which is not in "
                        + "the model")
            }
            // The other ends are looked at only when they are all there.
            guard outside.isEmpty else { continue }
            issues += entity.links.issues
            for case .join(let table) in entity.links.relationships.map(\.storage) where table.isOwner {
                if let other = seen.updateValue(table.name, forKey: table.name.lowercased()) {
                    issues.append("\(table.name), the table of a relationship, has the name of \(other)")
                }
            }
        }
        return issues
    }

    private static func nameIssue(_ name: String) -> String? {
        if name.isEmpty { return "the name is empty" }
        if name.unicodeScalars.contains(where: { $0.value == 0 }) { return "the name holds a NUL" }
        return nil
    }
}
