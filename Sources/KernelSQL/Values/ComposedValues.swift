import Foundation

// Enums (anything RawRepresentable) are stored as their raw value.

extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
    @inlinable
    public static var storageClass: StorageClass { RawValue.storageClass }

    @inlinable
    public init(row: Row, attribute: Int) throws {
        let raw = try RawValue(row: row, attribute: attribute)
        guard let value = Self(rawValue: raw) else { throw ValueIssue.noCase(of: Self.self) }
        self = value
    }

    @inlinable
    public func bind(to binder: Binder) throws { try rawValue.bind(to: binder) }

    @inlinable
    public func isStored(equalTo other: Self) -> Bool { rawValue.isStored(equalTo: other.rawValue) }
}

// Any other Codable type is stored as JSON with sorted keys: equal values have equal text.

extension AttributeValue where Self: Codable {
    public static var storageClass: StorageClass { .json }
    public init(row: Row, attribute: Int) throws { self = try JSONText.decode(Self.self, row.text(attribute)) }
    public func bind(to binder: Binder) throws { binder.bind(text: try JSONText.encode(self)) }
}

// An enum that is Codable as well is still stored as its raw value.

extension AttributeValue where Self: Codable & RawRepresentable, RawValue: AttributeValue {
    public static var storageClass: StorageClass { RawValue.storageClass }
    public init(row: Row, attribute: Int) throws {
        let raw = try RawValue(row: row, attribute: attribute)
        guard let value = Self(rawValue: raw) else { throw ValueIssue.noCase(of: Self.self) }
        self = value
    }
    public func bind(to binder: Binder) throws { try rawValue.bind(to: binder) }
    public func isStored(equalTo other: Self) -> Bool { rawValue.isStored(equalTo: other.rawValue) }
}

extension Array: Queryable where Element: Codable { public typealias Comparand = Self }
extension Array: AttributeValue where Element: Codable {}
extension Set: Queryable where Element: Codable { public typealias Comparand = Self }
extension Set: AttributeValue where Element: Codable {
    /// A set has no order of its own: its elements are written in the order of their texts, so that equal sets have
    /// equal text. (A set inside another Codable value is written in whatever order it has.)
    public func bind(to binder: Binder) throws {
        let texts = try map { try JSONText.encode($0) }
        binder.bind(text: JSONText.array(order(of: texts, by: JSONText.precedes).map { texts[$0] }))
    }
}
extension Dictionary: Queryable where Key: Codable, Value: Codable { public typealias Comparand = Self }
extension Dictionary: AttributeValue where Key: Codable, Value: Codable {
    /// Keys that JSON cannot have as names make JSONEncoder write an array of keys and values, in whatever order the
    /// dictionary has; here it is that of the keys' texts.
    public func bind(to binder: Binder) throws {
        if Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type {
            return binder.bind(text: try JSONText.encode(self))
        }
        let keys = try keys.map { try JSONText.encode($0) }
        let values = try values.map { try JSONText.encode($0) }
        let order = order(of: keys, by: JSONText.precedes)
        binder.bind(text: JSONText.array(order.map { keys[$0] + "," + values[$0] }))
    }
}

extension ValueIssue {
    public static func noCase(of type: Any.Type) -> ValueIssue {
        ValueIssue("holds a raw value that no case of \(type) has")
    }
}

extension JSONEncoder.OutputFormatting {
    /// Of the bits: a set made of a list of options would bring all that sets can do.
    fileprivate static var sortedUnescaped: Self {
        Self(rawValue: sortedKeys.rawValue | withoutEscapingSlashes.rawValue)
    }
}

/// JSON text of Codable attributes. JSONEncoder's own rules apply: a Date inside is a number of seconds.
///
/// Between String and Data by Foundation's conversions, which are not compiled into this module, as Data(text.utf8) is.
enum JSONText {
    static func encode<V: Encodable>(_ value: V) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedUnescaped
        do {
            return String(data: try encoder.encode(value), encoding: .utf8) ?? ""
        } catch let error as KernelError {
            // The value's own code asked the kernel for something.
            throw error
        } catch {
            throw ValueIssue("cannot be written as JSON: \(JSONText.reason(error))")
        }
    }

    static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

    /// Byte by byte, the same on every machine.
    static func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

    static func decode<V: Decodable>(_ type: V.Type, _ text: String) throws -> V {
        do {
            return try JSONDecoder().decode(type, from: text.data(using: .utf8) ?? Data())
        } catch let error as KernelError {
            throw error
        } catch {
            throw ValueIssue("holds JSON that is no \(type): \(JSONText.reason(error))")
        }
    }

    /// What went wrong, without the value: a coding error's own description may quote it.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "key \(key.stringValue) is missing"
        case DecodingError.typeMismatch(let type, let context): "\(path(context.codingPath)) is no \(type)"
        case DecodingError.valueNotFound(let type, let context): "\(path(context.codingPath)) is null, not \(type)"
        case DecodingError.dataCorrupted: "the text is damaged"
        case EncodingError.invalidValue(_, let context): "\(path(context.codingPath)) has a value that JSON cannot hold"
        default: "\(type(of: error))"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "the value" : keys.map(\.stringValue).joined(separator: ".")
    }
}
