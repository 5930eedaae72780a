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
        let olds = firstPositions(of: old.entities.map(\.name))
        let described = firstPositions(of: model.map(\.name))
        for entity in new.entities {
            if let before = olds[entity.name] {
                compare(old.entities[before], entity, described[entity.name].map { model[$0] })
            } else {
                add(.entity(entity.name))
                for join in entity.joins ?? [] { add(.join(join)) }
            }
        }
        let names = firstPositions(of: new.entities.map(\.name))
        for entity in old.entities where names[entity.name] == nil {
            refusals.note("entity \(entity.name) is in the store and not in the model")
        }
    }

    // Not inlined, see `note`.
    @inline(never)
    private mutating func add(_ addition: Addition) { additions.append(addition) }

    private mutating func compare(_ old: StoredEntity, _ new: StoredEntity, _ described: EntityDescription?) {
        let olds = firstPositions(of: old.attributes.map(\.name))
        let news = firstPositions(of: new.attributes.map(\.name))
        var renamed: [String] = []
        for attribute in new.attributes {
            let title = new.name + "." + attribute.name
            let original = described?.originalName(of: attribute.name)
            if let before = olds[attribute.name] {
                compare(old.attributes[before], attribute, title)
            } else if let original, olds[original] != nil, news[original] == nil {
                renamed.append(original)
                refusals.note("\(title) is called \(original) in the store")
            } else if let target = attribute.references, !attribute.isOptional {
                refusals.note(
                    "\(title) is new and required: the objects that are there have no \(target) for it; make it "
                        + "optional")
            } else {
                add(.attribute(entity: new.name, attribute: attribute.name))
            }
        }
        for attribute in old.attributes where news[attribute.name] == nil && !renamed.contains(attribute.name) {
            refusals.note("\(new.name).\(attribute.name) is in the store and not in the model")
        }
        compareTables(old, new)
        for index in new.indexes where !old.indexes.contains(index) {
            add(.index(entity: new.name, index))
        }
        for index in old.indexes where !new.indexes.contains(index) {
            refusals.note("\(new.name): the store has \(index.title), the model has not")
        }
    }

    private mutating func compareTables(_ old: StoredEntity, _ new: StoredEntity) {
        let (oldOrders, newOrders) = (old.orders ?? [], new.orders ?? [])
        for order in newOrders where !oldOrders.contains(order) { add(.order(entity: new.name, column: order)) }
        for order in oldOrders where !newOrders.contains(order) {
            refusals.note("\(new.name): the store keeps an order in \(order), the model does not")
        }
        let (oldJoins, newJoins) = (old.joins ?? [], new.joins ?? [])
        for join in newJoins {
            if let before = oldJoins.first(where: { $0.name == join.name }) {
                if before != join {
                    refusals.note("\(join.name): the relationship's table is another one in the store")
                }
            } else {
                add(.join(join))
            }
        }
        for join in oldJoins where !newJoins.contains(where: { $0.name == join.name }) {
            refusals.note("the table \(join.name) of a relationship is in the store and not in the model")
        }
    }

    private mutating func compare(_ old: StoredAttribute, _ new: StoredAttribute, _ title: String) {
        if old.storage != new.storage {
            refusals.note("\(title) is stored as \(old.storage.rawValue), the model says \(new.storage.rawValue)")
        }
        if old.references != new.references {
            let (before, after) = (old.references ?? "no entity", new.references ?? "no entity")
            refusals.note("\(title) leads to \(before) in the store, to \(after) in the model")
        }
        if old.isOptional != new.isOptional {
            refusals.note(
                "\(title) is \(old.isOptional ? "optional" : "required") in the store, "
                    + "\(new.isOptional ? "optional" : "required") in the model")
        }
    }
}

extension EntityDescription {
    fileprivate func originalName(of attribute: String) -> String? {
        position(of: attribute).flatMap { attributes[$0].originalName }
    }
}
