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

/// Has works, which stay when it goes.
@Entity
public final class ConformanceWriter {
    @Attribute(.primaryKey) public var name = ""
    @Relationship(.nullify, inverse: "writer") public var works: [ConformanceWork]
}

/// One of each kind of relationship and rule.
@Entity
public final class ConformanceWork {
    @Attribute(.primaryKey) public var title = ""
    @Relationship(.nullify, inverse: "works") public var writer: ConformanceWriter?
    @Relationship(.cascade, inverse: "work", ordered: true) public var chapters: [ConformanceChapter]
    @Relationship(.deny, inverse: "works") public var topics: [ConformanceTopic]
}

/// Goes with its work.
@Entity
public final class ConformanceChapter {
    public var heading = ""
    @Relationship(.nullify, inverse: "chapters") public var work: ConformanceWork?
}

/// Many to many.
@Entity
public final class ConformanceTopic {
    @Attribute(.primaryKey) public var name = ""
    @Relationship(.nullify, inverse: "topics") public var works: [ConformanceWork]
}
