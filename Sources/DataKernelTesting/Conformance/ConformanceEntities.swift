public import DataKernel
public import Foundation

/// What the conformance checks keep: an entity with a primary key, a unique group and optional attributes.
@Entity(unique: [["shelf", "place"]])
public final class ConformanceBook {
    @Attribute(.primaryKey) public var title = ""
    @Attribute(.indexed) public var author: String?
    public var pages = 0
    public var shelf: String?
    public var place: Int?
    @Transient public var isOpen = false
}

/// One attribute of each kind of value; no primary key.
@Entity
public final class ConformanceValues {
    public var flag = false
    public var small: Int8 = 0
    public var large: Int64 = 0
    public var unsigned: UInt64 = 0
    public var ratio: Double = 0
    public var price: Decimal = 0
    public var text = ""
    public var data = Data()
    public var date = Date(timeIntervalSinceReferenceDate: 0)
    public var uuid = UUID()
    public var words: String?
    public var bytes: Data?
}
