public import Foundation

/// A value as the store holds it: what a query binds, and what two attributes are compared by.
///
/// Text is equal, ordered and hashed byte by byte (UTF-8), exactly as the store does it; Swift's own `==` on
/// `String` would call two spellings of "é" equal that the store keeps apart.
public enum StoredValue: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

extension StoredValue: Hashable {
    public static func == (left: StoredValue, right: StoredValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.text(let a), .text(let b)): a.isStored(equalTo: b)
        case (.blob(let a), .blob(let b)): a.isStored(equalTo: b)
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value):
            hasher.combine(1)
            hasher.combine(value)
        case .real(let value):
            hasher.combine(2)
            hasher.combine(value)
        case .text(let value):
            hasher.combine(3)
            value.withBytes { hasher.combine(bytes: $0) }
        case .blob(let value):
            hasher.combine(4)
            hasher.combine(value)
        }
    }
}

extension StoredValue {
    /// The stored form of an attribute's value. Throws ``ValueIssue`` for what the store cannot hold (NaN, a
    /// `UInt64` above `Int64.max`).
    public init<V: AttributeValue>(_ value: V) throws {
        let binder = ValueBinder()
        try value.bind(to: binder)
        self = binder.values.first ?? .null
    }

    /// Whether this is SQL NULL.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// What kind of value this is, in words fit for an error message. Never the value itself.
    public var kindName: String {
        switch self {
        case .null: "nil"
        case .integer: "an integer"
        case .real: "a real number"
        case .text: "text"
        case .blob: "data"
        }
    }
}

/// A binder that keeps what it is given: how values get from an entity to a place that is no statement.
public final class ValueBinder: Binder {
    public private(set) var values: [StoredValue] = []

    override public func bindNull() { values.append(.null) }
    override public func bind(integer value: Int64) { values.append(.integer(value)) }
    override public func bind(real value: Double) { values.append(.real(value)) }
    override public func bind(text value: String) { values.append(.text(value)) }
    override public func bind(blob value: Data) { values.append(.blob(value)) }
}

/// Why the store cannot hold, or the program cannot read, one value. The kernel turns it into a ``KernelError``
/// that names entity and attribute; it never carries the value.
public struct ValueIssue: Error, Sendable, CustomStringConvertible {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
    public var description: String { reason }
}
