/// What queries have in common that differ in values only: they share one SQL text and one statement.
///
/// The whole tree is written down, not a hash of it, so equal keys mean equal SQL. Small queries (16 bytes, about
/// four conditions) need no memory of their own.
package struct ShapeKey: Sendable, Hashable {
    private let entity: EntityDescription
    private var count: Int = 0
    private var first: UInt = 0
    private var second: UInt = 0
    private var rest: [UInt] = []

    init(_ entity: EntityDescription) { self.entity = entity }

    package static func == (left: ShapeKey, right: ShapeKey) -> Bool {
        left.entity === right.entity && left.first == right.first && left.second == right.second
            && left.count == right.count && left.rest == right.rest
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(entity))
        hasher.combine(first)
        hasher.combine(second)
        for word in rest { hasher.combine(word) }
    }

    /// `byte` is below 256. A number of the size that it is kept in needs no conversion.
    mutating func append(byte: UInt) {
        let size = MemoryLayout<UInt>.size
        let bits = byte &<< UInt(bitPattern: count % size * 8)
        switch count / size {
        case 0: first |= bits
        case 1: second |= bits
        case let word: appendToRest(bits, word - 2)
        }
        count += 1
    }

    // Not inlined: it stands wherever something is written down, and few queries come to it.
    @inline(never)
    private mutating func appendToRest(_ bits: UInt, _ word: Int) {
        if word == rest.count { rest.append(bits) } else { rest[word] |= bits }
    }

    /// A number of any size; below 128 it takes one byte.
    mutating func append(_ number: Int) {
        var remaining = UInt(bitPattern: number)
        while remaining >= 0x80 {
            append(byte: remaining & 0x7F | 0x80)
            remaining &>>= 7
        }
        append(byte: remaining)
    }
}
