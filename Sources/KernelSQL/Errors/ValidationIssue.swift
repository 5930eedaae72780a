/// One thing that is wrong with an object that is to be saved. An entity's `validate()` may throw one, or an array of
/// them in ``ValidationIssues``.
public struct ValidationIssue: Error, Sendable, CustomStringConvertible {
    /// The object, by entity and row: `Car/7`. Filled in by the kernel.
    public internal(set) var object = ""
    /// The attribute or relationship, if it is one's.
    public let attribute: String?
    /// What is wrong, in words that follow the name: "is before from".
    public let reason: String
    /// What `validate()` threw, when it was something else.
    public internal(set) var underlying: (any Error)?

    /// ```swift
    /// throw ValidationIssue("until", "is before from")       // Rental/3.until is before from
    /// throw ValidationIssue(nil, "has no end")               // Rental/3 has no end
    /// ```
    public init(_ attribute: String? = nil, _ reason: String) {
        self.attribute = attribute
        self.reason = reason
    }

    /// The same, said of an object.
    package init(_ issue: ValidationIssue, of object: String, underlying: (any Error)? = nil) {
        self = issue
        self.object = object
        if let underlying { self.underlying = underlying }
    }

    public var description: String {
        [object.shown, (attribute ?? "").shown].filter { !$0.isEmpty }.joined(separator: ".") + " " + reason
    }
}

/// Several issues of one object, to be thrown together by `validate()`.
public struct ValidationIssues: Error, Sendable {
    public let issues: [ValidationIssue]
    public init(_ issues: [ValidationIssue]) { self.issues = issues }
}
