import KernelSQL

extension Lookup {
    /// What a name stands for: an attribute, or a way through relationships written with dots. `wheels.count` is the
    /// number of a to-many relationship's objects.
    static func meaning(_ name: String, in entity: EntityDescription) -> Result<HopTable.Meaning, QueryFailure> {
        // Names may hold dots themselves, so the whole is looked for first.
        if let position = entity.position(of: name) {
            return .success((AttributePath(position), entity.attributes[position]))
        }
        return way(name, in: entity).map { ($0, entity.attribute(at: $0)) }
    }

    /// What stands between the dots of a name: the one way in which filters, sorts and prefetches read it.
    static func steps(_ name: String) -> Result<[String], QueryFailure> {
        if name.isEmpty { return .failure(.invalid("a name in it is empty")) }
        if !name.utf8.contains(UInt8(ascii: ".")) { return .success([name]) }
        var steps = [""]
        for character in name {
            if character != "." {
                steps[steps.count - 1].append(character)
            } else if steps.count > QueryFailure.farthest {
                return .failure(.tooFar)
            } else {
                steps.append("")
            }
        }
        if !steps.contains("") { return .success(steps) }
        return .failure(.invalid("the name \(name.shown) has a dot without a name on both sides"))
    }

    private static func way(_ name: String, in root: EntityDescription) -> Result<AttributePath, QueryFailure> {
        switch steps(name) {
        case .success(let names): way(names, of: name, in: root)
        case .failure(let failure): .failure(failure)
        }
    }

    private static func way(
        _ names: [String], of name: String, in root: EntityDescription
    ) -> Result<AttributePath, QueryFailure> {
        let end = names.count - 1
        let last = names[end]
        var entity = root
        var hops: [Int] = []
        for index in 0..<end {
            let step = names[index]
            guard let hop = entity.relationship(named: step) else {
                if entity.position(of: step) == nil { return .failure(.unknownStep(step, in: entity)) }
                return .failure(
                    .invalid("\(step.shown) is an attribute of \(entity.name), so \(name.shown) leads nowhere"))
            }
            if entity.relationships[hop].isToMany {
                guard index == end - 1, last == "count" else { return .failure(toMany(step)) }
                return .success(AttributePath(hops: hops, leaf: .count, hop))
            }
            hops.append(hop)
            entity = entity.relationships[hop].target()
        }
        if let position = entity.position(of: last) { return .success(AttributePath(hops: hops, position)) }
        if entity.relationship(named: last) != nil { return .failure(toMany(last)) }
        if last == ModelCheck.idName { return .success(AttributePath(hops: hops, leaf: .id)) }
        return .failure(hops.isEmpty ? .unknownAttribute(last) : .unknownStep(last, in: entity))
    }

    private static func toMany(_ name: String) -> QueryFailure {
        .invalid(
            "\(name) is a to-many relationship: compare \(name).count, or write "
                + "filter(where: { $0.\(name).contains { … } })")
    }

    // MARK: Conditions on a name. (Not generic in the entity, and not inlined: each is called by several filters.)

    @inline(never)
    static func compare(
        _ name: String, in entity: EntityDescription, _ comparison: Comparison, _ value: (any AttributeValue)?,
        _ comparing: TextComparison
    ) -> QueryPredicate {
        on(name, in: entity) { found in
            let stored = if let value { try stored(value, for: found, in: entity) } else { StoredValue.null }
            if comparison.isOrdering {
                try found.attribute.requireOrder()
                if stored.isNull { throw RequestFault("nil has no order, so \(name) cannot be compared with it") }
            }
            if comparing == .insensitive { try found.attribute.requireText() }
            return .compare(found.path, comparison, stored, comparing)
        }
    }

    static func compare(
        _ name: String, in entity: EntityDescription, _ comparison: Comparison, _ object: any Entity
    ) -> QueryPredicate {
        on(name, in: entity) { found in
            .compare(found.path, comparison, try row(of: object, for: found, in: entity), .exact)
        }
    }

    static func between<V: AttributeValue>(
        _ name: String, in entity: EntityDescription, _ range: ConditionBounds<V>, _ comparing: TextComparison
    ) -> QueryPredicate {
        on(name, in: entity) { found in
            try found.attribute.requireOrder()
            if comparing == .insensitive { try found.attribute.requireText() }
            return range.predicate(
                found.path, try range.lower.map { try stored($0, for: found, in: entity) },
                try range.upper.map { try stored($0, for: found, in: entity) }, comparing)
        }
    }

    static func oneOf(
        _ name: String, in entity: EntityDescription, _ values: some Sequence<some AttributeValue>,
        _ comparing: TextComparison
    ) -> QueryPredicate {
        on(name, in: entity) { found in
            if comparing == .insensitive { try found.attribute.requireText() }
            var all: [StoredValue] = []
            for value in values { all.append(try stored(value, for: found, in: entity)) }
            return .oneOf(found.path, all, comparing)
        }
    }

    @inline(never)
    static func match(
        _ name: String, in entity: EntityDescription, _ match: TextMatch, _ text: String, _ comparing: TextComparison
    ) -> QueryPredicate {
        on(name, in: entity) { found in
            try found.attribute.require(match, text)
            return .match(found.path, match, text, comparing)
        }
    }

    @inline(never)
    private static func on(
        _ name: String, in entity: EntityDescription, _ body: (HopTable.Meaning) throws -> QueryPredicate
    ) -> QueryPredicate {
        do {
            return try body(try meaning(name, in: entity).get())
        } catch {
            return .failure(RequestFault.failure(error))
        }
    }

    /// The stored form of a value whose type is not known to fit, converted if that changes nothing about it.
    private static func stored<V: AttributeValue>(
        _ value: V, for meaning: HopTable.Meaning, in entity: EntityDescription
    ) throws(RequestFault) -> StoredValue {
        let attribute = meaning.attribute
        let stored = try attribute.stored(value)
        if let target = entity.target(of: meaning.path), !stored.isNull {
            guard let id = value as? ObjectID else {
                throw RequestFault(
                    "\(attribute.kindOfObject(target)); it was compared with "
                        + "\(V.storageClass.kindName): give a \(target.name) or its objectID")
            }
            try attribute.require(id.entityName, to: target)
            return stored
        }
        if let converted = attribute.storageClass.converting(stored, of: V.storageClass) { return converted }
        throw RequestFault(
            "\(attribute.name) is \(attribute.storageClass.kindName); it was compared with \(V.storageClass.kindName)")
    }

    /// The id of an object whose entity is not known to fit.
    private static func row(
        of object: some Entity, for meaning: HopTable.Meaning, in entity: EntityDescription
    ) throws(RequestFault) -> StoredValue {
        let name = Swift.type(of: object).entity.name
        guard let target = entity.target(of: meaning.path) else {
            throw RequestFault("\(meaning.attribute.name) is no relationship; it was compared with a \(name)")
        }
        try meaning.attribute.require(name, to: target)
        return .integer(object.row)
    }
}
