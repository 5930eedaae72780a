/// How the values of an attribute are kept in the store.
public enum StorageClass: String, Sendable, Codable, Hashable {
    case integer, real, text, blob
    /// An exact decimal number: plain text such as `12.5`, compared and sorted as a number.
    case decimal
    /// A Codable value as JSON text with sorted keys.
    case json
}

/// What can stand on the right side of a condition.
public protocol Queryable {
    /// What ordering conditions (`<`, `>=`) compare with: the type itself, or what an Optional wraps.
    associatedtype Comparand: AttributeValue = Self
    /// What the value is at the end of a way through relationships, where it may be nil: the type itself, or what an
    /// Optional wraps.
    associatedtype KernelHop: Queryable = Comparand
    /// The value as a query binds it. Throws ``ValueIssue`` for what the store cannot hold.
    func queryValue() throws -> StoredValue
}

/// A type that an entity's attribute can have.
///
/// Bool, all integers, `Float`, `Double`, `Decimal`, `String`, `Data`, `Date`, `UUID`, `URL`, arrays, sets and
/// dictionaries of Codable elements, and the Optional of each, conform. An enum with raw values and any Codable
/// type conform by saying so; nothing else has to be written:
///
/// ```swift
/// enum Fuel: String, AttributeValue { case petrol, diesel, electric }         // stored as its raw value
/// struct Address: Codable, AttributeValue { var street = ""; var city = "" }  // stored as JSON
/// ```
public protocol AttributeValue: Queryable {
    /// How the store keeps values of this type.
    static var storageClass: StorageClass { get }
    /// Whether nil is a value of this type.
    static var isOptional: Bool { get }
    /// Reads a value. Throws ``ValueIssue`` when the column holds something else.
    init(row: Row, attribute: Int) throws
    /// Reads a value, or nil where there is NULL: what an Optional of the type is read by. Need not be written; types that
    /// can tell both by one look at the column do.
    static func kernelOptional(row: Row, attribute: Int) throws -> Self?
    /// Gives the value to a statement. Throws ``ValueIssue`` when the store cannot hold it.
    func bind(to binder: Binder) throws
    /// Whether both values have the same stored form. This, not `==`, decides what a save writes.
    func isStored(equalTo other: Self) -> Bool
}

extension AttributeValue {
    @inlinable
    public static var isOptional: Bool { false }

    @inlinable
    public static func kernelOptional(row: Row, attribute: Int) throws -> Self? {
        row.isNull(attribute) ? nil : try Self(row: row, attribute: attribute)
    }

    public func queryValue() throws -> StoredValue { try StoredValue(self) }

    /// Compares by the stored form. Types with a cheaper way to the same answer override it.
    public func isStored(equalTo other: Self) -> Bool {
        guard let left = try? StoredValue(self), let right = try? StoredValue(other) else { return false }
        return left == right
    }
}

/// An attribute whose stored form is text, for which `contains`, `beginsWith` and the like make sense.
public protocol TextAttribute: AttributeValue {}

extension Optional: Queryable where Wrapped: Queryable {
    public typealias Comparand = Wrapped.Comparand
    public typealias KernelHop = Wrapped.KernelHop
    public func queryValue() throws -> StoredValue { try self?.queryValue() ?? .null }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
    @inlinable
    public static var storageClass: StorageClass { Wrapped.storageClass }
    @inlinable
    public static var isOptional: Bool { true }

    @inlinable
    public init(row: Row, attribute: Int) throws {
        self = try Wrapped.kernelOptional(row: row, attribute: attribute)
    }

    @inlinable
    public func bind(to binder: Binder) throws {
        if let self {
            try self.bind(to: binder)
        } else {
            binder.bindNull()
        }
    }

    @inlinable
    public func isStored(equalTo other: Wrapped?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let left?, let right?): left.isStored(equalTo: right)
        default: false
        }
    }
}

extension Optional: TextAttribute where Wrapped: TextAttribute {}

/// Lets a description see what an Optional wraps. `EntityBuilder` asks it.
protocol OptionalAttribute {
    static var wrapsOptional: Bool { get }
}

extension Optional: OptionalAttribute where Wrapped: AttributeValue {
    static var wrapsOptional: Bool { Wrapped.isOptional }
}
