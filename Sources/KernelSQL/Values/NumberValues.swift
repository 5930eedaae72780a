public import Foundation

extension Bool: AttributeValue {
    public static var storageClass: StorageClass { .integer }
    public init(row: Row, attribute: Int) throws {
        switch try row.integer(attribute) {
        case 0: self = false
        case 1: self = true
        default: throw ValueIssue("holds an integer that is neither 0 nor 1")
        }
    }
    public func bind(to binder: Binder) { binder.bind(integer: self ? 1 : 0) }
    public func queryValue() -> StoredValue { .integer(self ? 1 : 0) }
    public func isStored(equalTo other: Bool) -> Bool { self == other }
}

// Codable is named so that this outranks the JSON form that other Codable types get.
extension AttributeValue where Self: FixedWidthInteger & Codable {
    public static var storageClass: StorageClass { .integer }

    public init(row: Row, attribute: Int) throws {
        let stored = try row.integer(attribute)
        guard let value = Self(exactly: stored) else {
            throw ValueIssue("holds an integer that does not fit into \(Self.self)")
        }
        self = value
    }

    public func bind(to binder: Binder) throws {
        guard let value = Int64(exactly: self) else {
            throw ValueIssue("is above Int64.max, the largest integer the store can hold")
        }
        binder.bind(integer: value)
    }

    public func isStored(equalTo other: Self) -> Bool { self == other }
}

extension Int: AttributeValue {
    public init(row: Row, attribute: Int) throws {
        let stored = try row.integer(attribute)
        guard let value = Int(exactly: stored) else { throw ValueIssue("holds an integer that does not fit into Int") }
        self = value
    }
    public static func kernelOptional(row: Row, attribute: Int) throws -> Int? {
        guard let stored = try row.integerIfAny(attribute) else { return nil }
        guard let value = Int(exactly: stored) else { throw ValueIssue("holds an integer that does not fit into Int") }
        return value
    }
    public func bind(to binder: Binder) { binder.bind(integer: Int64(self)) }
    public func queryValue() -> StoredValue { .integer(Int64(self)) }
    public func isStored(equalTo other: Int) -> Bool { self == other }
}
extension Int8: AttributeValue {}
extension Int16: AttributeValue {}
extension Int32: AttributeValue {}
extension Int64: AttributeValue {
    public init(row: Row, attribute: Int) throws { self = try row.integer(attribute) }
    public static func kernelOptional(row: Row, attribute: Int) throws -> Int64? { try row.integerIfAny(attribute) }
    public func bind(to binder: Binder) { binder.bind(integer: self) }
    public func queryValue() -> StoredValue { .integer(self) }
    public func isStored(equalTo other: Int64) -> Bool { self == other }
}
extension UInt: AttributeValue {}
extension UInt8: AttributeValue {}
extension UInt16: AttributeValue {}
extension UInt32: AttributeValue {}
extension UInt64: AttributeValue {}

extension Double: AttributeValue {
    public static var storageClass: StorageClass { .real }
    public init(row: Row, attribute: Int) throws { self = try row.real(attribute) }
    public static func kernelOptional(row: Row, attribute: Int) throws -> Double? { try row.realIfAny(attribute) }
    public func bind(to binder: Binder) throws {
        if isNaN { throw ValueIssue("is NaN, which the store cannot hold") }
        binder.bind(real: self)
    }
    public func queryValue() throws -> StoredValue {
        if isNaN { throw ValueIssue("is NaN, which the store cannot hold") }
        return .real(self)
    }
    public func isStored(equalTo other: Double) -> Bool { self == other || (isNaN && other.isNaN) }
}

extension Float: AttributeValue {
    public static var storageClass: StorageClass { .real }
    public init(row: Row, attribute: Int) throws {
        let stored = try row.real(attribute)
        self = Float(stored)
        if isInfinite, stored.isFinite { throw ValueIssue("holds a number that does not fit into Float") }
    }
    public func bind(to binder: Binder) throws { try Double(self).bind(to: binder) }
    public func isStored(equalTo other: Float) -> Bool { self == other || (isNaN && other.isNaN) }
}

extension Decimal: AttributeValue {
    public static var storageClass: StorageClass { .decimal }

    public init(row: Row, attribute: Int) throws {
        let text = try row.text(attribute)
        guard let value = DecimalText.value(text) else { throw ValueIssue("holds text that is no decimal number") }
        self = value
    }

    public func bind(to binder: Binder) throws {
        if isNaN { throw ValueIssue("is NaN, which the store cannot hold") }
        binder.bind(text: DecimalText.canonical(self))
    }

    public func isStored(equalTo other: Decimal) -> Bool { self == other || (isNaN && other.isNaN) }
}
