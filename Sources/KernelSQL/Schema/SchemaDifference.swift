/// What has to happen to a store for a model: additions, which are applied, and everything else, which is refused.
package struct SchemaDifference: Sendable {
    package enum Addition: Sendable, Equatable {
        case entity(String)
        case attribute(entity: String, attribute: String)
        case index(entity: String, StoredIndex)
        case order(entity: String, column: String)
        case join(StoredJoin)
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
                for join in entity.joins ?? [] { additions.append(.join(join)) }
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
            } else if let target = attribute.references, !attribute.isOptional {
                refusals.append(
                    "\(title) is new and required: the objects that are there have no \(target) for it; make it "
                        + "optional")
            } else {
                additions.append(.attribute(entity: new.name, attribute: attribute.name))
            }
        }
        for attribute in old.attributes where !names.contains(attribute.name) && !renamed.contains(attribute.name) {
            refusals.append("\(new.name).\(attribute.name) is in the store and not in the model")
        }
        compareTables(old, new)
        for index in new.indexes where !old.indexes.contains(index) {
            additions.append(.index(entity: new.name, index))
        }
        for index in old.indexes where !new.indexes.contains(index) {
            refusals.append("\(new.name): the store has \(index.title), the model has not")
        }
    }

    private mutating func compareTables(_ old: StoredEntity, _ new: StoredEntity) {
        for order in new.orders ?? [] where old.orders?.contains(order) != true {
            additions.append(.order(entity: new.name, column: order))
        }
        for order in old.orders ?? [] where new.orders?.contains(order) != true {
            refusals.append("\(new.name): the store keeps an order in \(order), the model does not")
        }
        for join in new.joins ?? [] {
            guard let before = old.joins?.first(where: { $0.name == join.name }) else {
                additions.append(.join(join))
                continue
            }
            if before != join { refusals.append("\(join.name): the relationship's table is another one in the store") }
        }
        for join in old.joins ?? [] where new.joins?.contains(where: { $0.name == join.name }) != true {
            refusals.append("the table \(join.name) of a relationship is in the store and not in the model")
        }
    }

    private mutating func compare(_ old: StoredAttribute, _ new: StoredAttribute, _ title: String) {
        if old.storage != new.storage {
            refusals.append("\(title) is stored as \(old.storage.rawValue), the model says \(new.storage.rawValue)")
        }
        if old.references != new.references {
            let (before, after) = (old.references ?? "no entity", new.references ?? "no entity")
            refusals.append("\(title) leads to \(before) in the store, to \(after) in the model")
        }
        if old.isOptional != new.isOptional {
            refusals.append(
                "\(title) is \(old.isOptional ? "optional" : "required") in the store, "
                    + "\(new.isOptional ? "optional" : "required") in the model")
        }
    }
}
