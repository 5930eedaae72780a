import DataKernel
import Foundation

// Every kind of attribute and relationship, for stores that are damaged.

enum DamageColour: String, AttributeValue { case red, green }
enum DamageSize: Int8, AttributeValue { case small, large }
struct DamageTree: Codable, AttributeValue {
    var name = ""
    var branches: [DamageTree] = []
}

@Entity
final class Specimen {
    @Attribute(.primaryKey) var code = ""
    var flag = false
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint32: UInt32 = 0
    var double = 0.0
    var float: Float = 0
    @Attribute(.indexed) var decimal: Decimal = 0
    @Attribute(.pattern(".*")) var text = ""
    @Attribute(.maxLength(1_000_000)) var data = Data()
    var date = Date(timeIntervalSinceReferenceDate: 0)
    @Attribute(.unique) var uuid = UUID()
    var url = URL(filePath: "/")
    var colour = DamageColour.red
    var size = DamageSize.small
    var tree = DamageTree()
    var list: [Int] = []
    var words: Set<String> = []
    var table: [String: Decimal] = [:]
    var maybeInt: Int?
    var maybeText: String?
    var maybeDate: Date?
    var maybeURL: URL?
    var maybeTree: DamageTree?
}

@Entity(observable: true)
final class Shelf {
    @Attribute(.primaryKey, .range(-1_000_000_000...1_000_000_000)) var number = 0
    @Relationship(.cascade, inverse: "shelf", ordered: true) var books: [Book]
    @Relationship(.nullify, inverse: "shelves", ordered: true) var topics: [Topic]
    @Relationship(.cascade, inverse: "shelf") var lamp: Lamp?
    @Relationship(.nullify, inverse: "twin") var twin: Shelf?
    @Relationship(.nullify, inverse: "neighbours") var neighbours: [Shelf]
    @Relationship(.cascade, inverse: "parent") var children: [Shelf]
    @Relationship(inverse: "children") var parent: Shelf?
    @Relationship var maker: Topic?
    @Relationship var extras: [Topic]
    @Relationship(.deny, inverse: "shelf") var tickets: [Ticket]
}

@Entity
final class Book {
    @Attribute(.unique) var title = ""
    @Relationship(inverse: "books") var shelf: Shelf?
    @Relationship var specimen: Specimen?
}

@Entity
final class Topic {
    @Attribute(.primaryKey) var text = ""
    @Relationship(.nullify, inverse: "topics") var shelves: [Shelf]
}

@Entity
final class Lamp {
    var watts = 0
    @Relationship(inverse: "lamp") var shelf: Shelf?
}

@Entity
final class Ticket {
    var number = 0
    @Relationship(.nullify, inverse: "tickets") var shelf: Shelf
}

@Entity
final class Plain {
    var name = ""
}

/// What a later version of the program has in the place of ``Plain``.
@Entity("Plain")
final class WidePlain {
    var name = ""
    var id = UUID()
    @Attribute(.indexed) var amount: Decimal = 1
}

/// An entity that only the later version has.
@Entity
final class Novelty {
    @Attribute(.primaryKey) var name = ""
}

enum DamageModel {
    static var common: [any Entity.Type] {
        [Specimen.self, Shelf.self, Book.self, Topic.self, Lamp.self, Ticket.self]
    }
    static var present: [any Entity.Type] { common + [Plain.self] }
    static var later: [any Entity.Type] { common + [WidePlain.self, Novelty.self] }
}
