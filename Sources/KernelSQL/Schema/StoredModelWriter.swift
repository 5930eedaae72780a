/// Writes a model as JSON with sorted keys and without blanks.
struct StoredModelWriter {
    private var text = JSONBytes()

    var json: String { String(decoding: text.bytes, as: UTF8.self) }

    mutating func write(_ model: StoredModel) {
        text += #"{"entities":"#
        list(model.entities.count) { $0.write(model.entities[$1]) }
        text += "}"
    }

    private mutating func write(_ entity: StoredEntity) {
        text += #"{"attributes":"#
        list(entity.attributes.count) { $0.write(entity.attributes[$1]) }
        text += #","indexes":"#
        list(entity.indexes.count) { $0.write(entity.indexes[$1]) }
        if let joins = entity.joins {
            text += #","joins":"#
            list(joins.count) { $0.write(joins[$1]) }
        }
        text += #","name":"#
        string(entity.name)
        if let orders = entity.orders {
            text += #","orders":"#
            list(orders)
        }
        text += "}"
    }

    private mutating func write(_ attribute: StoredAttribute) {
        text += attribute.isOptional ? #"{"isOptional":true,"name":"# : #"{"isOptional":false,"name":"#
        string(attribute.name)
        if let references = attribute.references {
            text += #","references":"#
            string(references)
        }
        text += #","storage":""#
        text += attribute.storage.rawValue
        text += #""}"#
    }

    private mutating func write(_ index: StoredIndex) {
        text += #"{"attributes":"#
        list(index.attributes)
        text += index.isUnique ? #","isUnique":true}"# : #","isUnique":false}"#
    }

    private mutating func write(_ join: StoredJoin) {
        text += #"{"name":"#
        string(join.name)
        if let order = join.order {
            text += #","order":"#
            string(order)
        }
        text += #","otherColumn":"#
        string(join.otherColumn)
        text += #","otherEntity":"#
        string(join.otherEntity)
        text += #","ownColumn":"#
        string(join.ownColumn)
        text += #","ownEntity":"#
        string(join.ownEntity)
        text += "}"
    }

    private mutating func list(_ strings: [String]) {
        list(strings.count) { $0.string(strings[$1]) }
    }

    /// `element` writes the element that stands there. Not inlined: positions are all that it needs to be compiled once.
    @inline(never)
    private mutating func list(_ count: Int, _ element: (inout Self, Int) -> Void) {
        text += UInt8(ascii: "[")
        for index in 0..<count {
            if index > 0 { text += UInt8(ascii: ",") }
            element(&self, index)
        }
        text += UInt8(ascii: "]")
    }

    // Not inlined: there are many.
    @inline(never)
    private mutating func string(_ value: String) {
        text += UInt8(ascii: "\"")
        let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x2F }
        if isPlain { text += value } else { escape(value) }
        text += UInt8(ascii: "\"")
    }

    private mutating func escape(_ value: String) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\", "/": text += "\\\(scalar)"
            case "\u{8}": text += "\\b"
            case "\u{C}": text += "\\f"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u"
                text += String(repeating: "0", count: 4 - digits.count)
                text += digits
            default: text += String(scalar)
            }
        }
    }
}

/// Text as it is being put together. (A String that grows looks at its own form again with every piece: three times as
/// slow, for many small ones.)
private struct JSONBytes {
    private(set) var bytes: [UInt8] = []

    // Not inlined: it stands in too many places to be compiled in each.
    @inline(never)
    static func += (text: inout JSONBytes, piece: String) { text.bytes.append(contentsOf: piece.utf8) }

    static func += (text: inout JSONBytes, byte: UInt8) { text.bytes.append(byte) }
}
