/// A set of attributes of one entity, by their position in its description. No allocation up to 64 attributes.
public struct AttributeSet: Sendable, Hashable {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: [UInt64] = []

    @inlinable
    public init() {}

    @inlinable
    public var isEmpty: Bool { low == 0 && high.isEmpty }

    @inlinable
    public func contains(_ attribute: Int) -> Bool {
        if attribute < 64 { return low & (1 << UInt64(attribute)) != 0 }
        let word = attribute / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(attribute % 64)) != 0
    }

    @inlinable
    public mutating func insert(_ attribute: Int) {
        if attribute < 64 {
            low |= 1 << UInt64(attribute)
        } else {
            insertHigh(attribute)
        }
    }

    @usableFromInline
    mutating func insertHigh(_ attribute: Int) {
        let word = attribute / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(attribute % 64)
    }

    public mutating func formUnion(_ other: AttributeSet) {
        low |= other.low
        for (word, bits) in other.high.enumerated() {
            while high.count <= word { high.append(0) }
            high[word] |= bits
        }
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
        var base = 64
        for word in high {
            var bits = word
            while bits != 0 {
                try body(base + bits.trailingZeroBitCount)
                bits &= bits - 1
            }
            base += 64
        }
    }
}
