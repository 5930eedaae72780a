/// Where a sort puts rows whose attribute is nil.
public enum NilPlacement: UInt8, Sendable, Hashable {
    case first, last
}

/// The direction of a sort.
public enum SortDirection: UInt8, Sendable, Hashable {
    case ascending, descending
}

/// One key of a sort.
package struct SortKey: Sendable {
    package let path: AttributePath
    let direction: SortDirection
    /// nil leaves it to SQLite: first when ascending, last when descending.
    let nils: NilPlacement?
    let comparing: TextComparison

    package init(
        _ path: AttributePath, _ direction: SortDirection = .ascending, nils: NilPlacement? = nil,
        comparing: TextComparison = .exact
    ) {
        self.path = path
        self.direction = direction
        self.nils = nils
        self.comparing = comparing
    }

    /// The placement, if it has to be spelt out. SQLite's own needs no words, which keeps indexes usable.
    var explicitNils: NilPlacement? {
        nils == (direction == .ascending ? .first : .last) ? nil : nils
    }
}

/// The objects of one to-many relationship of one object: all that a query looks at.
package struct Members: Sendable {
    /// The entity that has the relationship, and the relationship's index there.
    let owner: EntityDescription
    let relationship: Int
    /// The row of the object that has it.
    let row: Int64

    package init(of owner: EntityDescription, _ relationship: Int, row: Int64) {
        self.owner = owner
        self.relationship = relationship
        self.row = row
    }

    var storage: RelationshipLink.Storage { owner.links.relationships[relationship].storage }

    var joinTable: JoinTable? { if case .join(let table) = storage { table } else { nil } }
}

/// The values that a query reads of each row, where it does not read all of it.
package struct Columns: Sendable {
    package let paths: [AttributePath]
    /// Each combination of values once.
    let isDistinct: Bool

    /// `paths` must name at least one value.
    package init(_ paths: [AttributePath], isDistinct: Bool = false) {
        self.paths = paths
        self.isDistinct = isDistinct
    }
}

/// What a request asks, and, once its names and values were checked, what is compiled to SQL.
package struct Query: Sendable {
    package let entity: EntityDescription
    /// nil for all objects of the entity.
    package var members: Members? = nil
    package var predicate: QueryPredicate? = nil
    package var order: [SortKey] = []
    package var limit: Int?
    package var offset: Int?
    /// What ``QueryPurpose/fetch`` reads of each row. nil for its id and all attributes.
    package var columns: Columns?

    package init(entity: EntityDescription) { self.entity = entity }

    package init(
        entity: EntityDescription, members: Members? = nil, predicate: QueryPredicate? = nil, order: [SortKey] = [],
        limit: Int? = nil, offset: Int? = nil
    ) {
        self.entity = entity
        self.members = members
        self.predicate = predicate
        self.order = order
        self.limit = limit
        self.offset = offset
    }

    /// Only the rows for which the predicate holds as well.
    package mutating func add(_ added: consuming QueryPredicate) {
        if let first = predicate { predicate = first.and(added) } else { predicate = added }
    }
}

/// What is asked of the rows that a query finds.
package enum QueryPurpose: UInt, Sendable, CaseIterable {
    /// Id and all attributes of each row, in order.
    case fetch
    /// How many there are.
    case count
    /// Whether there is one.
    case exists
    /// The id of each row, in order.
    case ids

    var isOrdered: Bool { self == .fetch || self == .ids }
}
