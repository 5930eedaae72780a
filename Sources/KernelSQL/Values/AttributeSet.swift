/// A set of attributes of one entity, by their position in its description. No allocation up to 64 attributes (32 where
/// an Int has no more bits).
public struct AttributeSet: Sendable, Hashable {
    @usableFromInline var low: UInt = 0
    @usableFromInline var high: [UInt] = []

    @inlinable
    public init() {}

    @inlinable
    public var isEmpty: Bool { low == 0 && high.isEmpty }

    @inlinable
    public func contains(_ attribute: Int) -> Bool {
        if attribute < UInt.bitWidth { return low & AttributeSet.bit(attribute) != 0 }
        let word = attribute / UInt.bitWidth - 1
        return word < high.count && high[word] & AttributeSet.bit(attribute) != 0
    }

    @inlinable
    public mutating func insert(_ attribute: Int) {
        if attribute < UInt.bitWidth {
            low |= AttributeSet.bit(attribute)
        } else {
            insertHigh(attribute)
        }
    }

    @usableFromInline
    mutating func insertHigh(_ attribute: Int) {
        let word = attribute / UInt.bitWidth - 1
        while high.count <= word { high.append(0) }
        high[word] |= AttributeSet.bit(attribute)
    }

    /// The attribute's bit in its word. The shift takes the remainder by itself.
    @inlinable
    static func bit(_ attribute: Int) -> UInt { 1 &<< UInt(bitPattern: attribute) }

    public mutating func formUnion(_ other: AttributeSet) {
        low |= other.low
        while high.count < other.high.count { high.append(0) }
        for word in other.high.indices { high[word] |= other.high[word] }
    }

    package mutating func subtract(_ other: AttributeSet) {
        low &= ~other.low
        for word in high.indices where word < other.high.count { high[word] &= ~other.high[word] }
        // Sets of the same attributes are equal.
        while high.last == 0 { high.remove(at: high.count - 1) }
    }

    public func union(_ other: AttributeSet) -> AttributeSet {
        var result = self
        result.formUnion(other)
        return result
    }

    /// Adds `attribute` when the stored forms of the two values differ.
    @inlinable
    public mutating func compare<V: AttributeValue>(_ attribute: Int, _ old: V, _ new: V) {
        if !old.isStored(equalTo: new) { insert(attribute) }
    }

    /// The attributes in the set, in ascending order.
    public var positions: [Int] {
        var result: [Int] = []
        forEach { result.append($0) }
        return result
    }

    /// Calls `body` with each attribute in ascending order.
    @inlinable
    public func forEach(_ body: (Int) throws -> Void) rethrows {
        var bits = low
        while bits != 0 {
            try body(bits.trailingZeroBitCount)
            bits &= bits - 1
        }
        var base = UInt.bitWidth
        for word in high {
            var bits = word
            while bits != 0 {
                try body(base + bits.trailingZeroBitCount)
                bits &= bits - 1
            }
            base += UInt.bitWidth
        }
    }
}
