/// What is bound to one `?`.
package enum QueryArgument: Sendable, Equatable {
    case value(StoredValue)
    /// Any number of values, for `kernel_values(?)`.
    case list([StoredValue])
}

extension Query {
    /// Calls `body` with what is bound to each `?` of the query's statement, in their order. It is the order in which
    /// ``SelectWriter`` writes them.
    package func eachArgument(_ body: (QueryArgument) -> Void) {
        if let members { body(.value(.integer(members.row))) }
        predicate?.eachArgument(body)
        if let limit { body(.value(.integer(Int64(limit)))) }
        if let offset { body(.value(.integer(Int64(offset)))) }
    }
}

extension QueryPredicate {
    fileprivate func eachArgument(_ body: (QueryArgument) -> Void) {
        switch self {
        case .compare(_, _, .null, _), .sameValue, .failure: break
        case .compare(_, _, let value, _): body(.value(value))
        case .between(_, let low, let high, _):
            body(.value(low))
            body(.value(high))
        case .oneOf(_, let values, _):
            let form = OneOf(values)
            let present = form.hasNull ? values.filter { !$0.isNull } : values
            if form.places == .list { body(.list(present)) } else { for value in present { body(.value(value)) } }
        case .match(_, let match, let text, let comparing):
            body(.value(.text(text)))
            // Compared as well, so that an index is used.
            if match == .beginsWith, comparing == .exact { body(.value(.text(text))) }
        case .any(_, let inner): inner?.eachArgument(body)
        case .not(let inner): inner.eachArgument(body)
        case .junction(let junction): junction.forEachTerm { $0.eachArgument(body) }
        }
    }
}
