public import Foundation

extension String: TextAttribute {
    public static var storageClass: StorageClass { .text }
    public init(row: Row, attribute: Int) throws { self = try row.text(attribute) }
    public static func kernelOptional(row: Row, attribute: Int) throws -> String? { try row.textIfAny(attribute) }
    public func bind(to binder: Binder) { binder.bind(text: self) }
    public func queryValue() -> StoredValue { .text(self) }
    /// Byte by byte, as the store compares: "é" as one scalar and as two are different texts.
    public func isStored(equalTo other: String) -> Bool { hasSameBytes(as: other) }
}

extension Data: AttributeValue {
    public static var storageClass: StorageClass { .blob }
    public init(row: Row, attribute: Int) throws { self = try row.blob(attribute) }
    public func bind(to binder: Binder) { binder.bind(blob: self) }
    public func isStored(equalTo other: Data) -> Bool { self == other }
}

/// Stored as seconds since 2001-01-01 00:00 UTC, the number a `Date` itself holds: equal to the bit afterwards.
extension Date: AttributeValue {
    public static var storageClass: StorageClass { .real }
    public init(row: Row, attribute: Int) throws {
        self.init(timeIntervalSinceReferenceDate: try row.real(attribute))
    }
    public static func kernelOptional(row: Row, attribute: Int) throws -> Date? {
        guard let seconds = try row.realIfAny(attribute) else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
    public func bind(to binder: Binder) throws { try timeIntervalSinceReferenceDate.bind(to: binder) }
    public func isStored(equalTo other: Date) -> Bool {
        timeIntervalSinceReferenceDate.isStored(equalTo: other.timeIntervalSinceReferenceDate)
    }
}

/// Stored as its 16 bytes. In the `sqlite3` shell: `hex(column)`.
extension UUID: AttributeValue {
    public static var storageClass: StorageClass { .blob }
    public init(row: Row, attribute: Int) throws {
        let data = try row.blob(attribute)
        guard data.count == 16 else { throw ValueIssue("holds data that is no UUID: \(data.count) bytes, not 16") }
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { _ = data.copyBytes(to: $0) }
        self.init(uuid: bytes)
    }
    public func bind(to binder: Binder) {
        binder.bind(blob: withUnsafeBytes(of: uuid) { Data($0) })
    }
    public func isStored(equalTo other: UUID) -> Bool { self == other }
}

/// Stored as its text. A URL relative to a base is refused: the base would be lost. Store its `absoluteURL`.
extension URL: TextAttribute {
    public static var storageClass: StorageClass { .text }
    public init(row: Row, attribute: Int) throws {
        let text = try row.text(attribute)
        // URL escapes what may not stand in one; a value that reading has changed is not what the store holds.
        guard let url = URL(string: text), url.absoluteString.isStored(equalTo: text) else {
            throw ValueIssue("holds text that is no URL")
        }
        self = url
    }
    public func bind(to binder: Binder) throws {
        if baseURL != nil {
            throw ValueIssue("is a URL relative to a base, which would be lost: store its absoluteURL")
        }
        binder.bind(text: absoluteString)
    }
}
