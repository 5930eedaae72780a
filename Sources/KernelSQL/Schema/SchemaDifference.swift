/// What has to happen to a store for a model: additions, which are applied, and everything else, which is refused.
package struct SchemaDifference: Sendable {
    package enum Addition: Sendable, Hashable {
        case entity(String)
        case attribute(entity: String, attribute: String)
        case index(entity: String, StoredIndex)
    }

    package private(set) var additions: [Addition] = []
    /// Each in a sentence.
    package private(set) var refusals: [String] = []

    package init(from old: StoredModel, to new: StoredModel, model: [EntityDescription]) {
        let olds = Dictionary(old.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let originals = SchemaDifference.originalNames(model)
        for entity in new.entities {
            if let before = olds[entity.name] {
                compare(before, entity, originals[entity.name] ?? [:])
            } else {
                additions.append(.entity(entity.name))
            }
        }
        let names = Set(new.entities.map(\.name))
        for entity in old.entities where !names.contains(entity.name) {
            refusals.append("entity \(entity.name) is in the store and not in the model")
        }
    }

    private static func originalNames(_ model: [EntityDescription]) -> [String: [String: String]] {
        var result: [String: [String: String]] = [:]
        for entity in model {
            for attribute in entity.attributes {
                result[entity.name, default: [:]][attribute.name] = attribute.originalName
            }
        }
        return result
    }

    private mutating func compare(_ old: StoredEntity, _ new: StoredEntity, _ originals: [String: String]) {
        let olds = Dictionary(old.attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let names = Set(new.attributes.map(\.name))
        var renamed: Set<String> = []
        for attribute in new.attributes {
            let title = "\(new.name).\(attribute.name)"
            if let before = olds[attribute.name] {
                compare(before, attribute, title)
            } else if let original = originals[attribute.name], olds[original] != nil, !names.contains(original) {
                renamed.insert(original)
                refusals.append("\(title) is called \(original) in the store")
            } else {
                additions.append(.attribute(entity: new.name, attribute: attribute.name))
            }
        }
        for attribute in old.attributes where !names.contains(attribute.name) && !renamed.contains(attribute.name) {
            refusals.append("\(new.name).\(attribute.name) is in the store and not in the model")
        }
        for index in new.indexes where !old.indexes.contains(index) {
            additions.append(.index(entity: new.name, index))
        }
        for index in old.indexes where !new.indexes.contains(index) {
            refusals.append("\(new.name): the store has \(index.title), the model has not")
        }
    }

    private mutating func compare(_ old: StoredAttribute, _ new: StoredAttribute, _ title: String) {
        if old.storage != new.storage {
            refusals.append("\(title) is stored as \(old.storage.rawValue), the model says \(new.storage.rawValue)")
        }
        if old.isOptional != new.isOptional {
            refusals.append(
                "\(title) is \(old.isOptional ? "optional" : "required") in the store, "
                    + "\(new.isOptional ? "optional" : "required") in the model")
        }
    }
}
