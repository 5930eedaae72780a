internal import CKernelSQLite
internal import Foundation
package import KernelSQL

/// The values of a condition like "is one of", however many, for `kernel_values(?)`:
///
/// ```sql
/// SELECT id FROM car WHERE year IN (SELECT value FROM kernel_values(?1))
/// ```
///
/// Values are sorted and unique in SQLite's order (NULL, numbers, text, data), which makes the look-ups walk an
/// index in its own order: with 300,000 values that is worth a factor of three. Making one costs n log n.
package final class ValueList: Sendable {
    enum Storage: Sendable {
        case integers([Int64])
        /// Text and data lie one after another in `bytes`; their items say where.
        case mixed([Item], StableBytes)
    }

    enum Item: Sendable {
        case null
        case integer(Int64)
        case real(Double)
        case text(start: Int, count: Int)
        case blob(start: Int, count: Int)
    }

    let storage: Storage

    package init(_ values: [StoredValue]) {
        storage = Self.integers(values).map(Self.sorted) ?? Self.sorted(values)
    }

    package init(integers: [Int64]) {
        storage = Self.sorted(integers)
    }

    /// How many different values there are.
    package var count: Int {
        switch storage {
        case .integers(let values): values.count
        case .mixed(let items, _): items.count
        }
    }

    private static func integers(_ values: [StoredValue]) -> [Int64]? {
        var result: [Int64] = []
        result.reserveCapacity(values.count)
        for value in values {
            guard case .integer(let integer) = value else { return nil }
            result.append(integer)
        }
        return result
    }

    private static func sorted(_ values: [Int64]) -> Storage {
        var result = values.sorted()
        removeRepeats(&result) { $0 == $1 }
        return .integers(result)
    }

    private static func sorted(_ values: [StoredValue]) -> Storage {
        var bytes: [UInt8] = []
        var items = values.map { Item($0, appendingTo: &bytes) }
        let stable = StableBytes(bytes)
        items.sort { $0.compare($1, stable.buffer) < 0 }
        removeRepeats(&items) { $0.compare($1, stable.buffer) == 0 }
        return .mixed(items, stable)
    }

    private static func removeRepeats<T>(_ sorted: inout [T], _ isEqual: (T, T) -> Bool) {
        if sorted.isEmpty { return }
        var last = 0
        for index in 1..<sorted.count where !isEqual(sorted[last], sorted[index]) {
            last += 1
            sorted[last] = sorted[index]
        }
        while sorted.count > last + 1 { sorted.removeLast() }
    }
}

/// Bytes at an address that stays: an array promises one only inside a closure, SQLite keeps it for a while.
final class StableBytes: @unchecked Sendable {
    // Written in init only, which is why sharing it between threads is sound.
    let buffer: UnsafeRawBufferPointer

    init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        buffer = UnsafeRawBufferPointer(copy)
    }

    deinit { buffer.deallocate() }
}

extension ValueList.Item {
    init(_ value: StoredValue, appendingTo bytes: inout [UInt8]) {
        let start = bytes.count
        switch value {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        // SQLite has no NaN: it would become NULL on the way.
        case .real(let value): self = value.isNaN ? .null : .real(value)
        case .text(let value):
            bytes.append(contentsOf: value.utf8)
            self = .text(start: start, count: bytes.count - start)
        case .blob(let value):
            bytes.append(contentsOf: value)
            self = .blob(start: start, count: bytes.count - start)
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }

    /// Below, equal, above: -1, 0, 1, as SQLite orders with the BINARY collation.
    func compare(_ other: Self, _ bytes: UnsafeRawBufferPointer) -> Int {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): a < b ? -1 : a == b ? 0 : 1
        case (.real(let a), .real(let b)): a < b ? -1 : a == b ? 0 : 1
        case (.integer(let a), .real(let b)): Self.compare(a, b)
        case (.real(let a), .integer(let b)): -Self.compare(b, a)
        case (.text(let a, let aCount), .text(let b, let bCount)),
            (.blob(let a, let aCount), .blob(let b, let bCount)):
            Self.compare(bytes[a..<a + aCount], bytes[b..<b + bCount])
        default: (rank - other.rank).signum()
        }
    }

    private static func compare(_ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>) -> Int {
        let left = UnsafeRawBufferPointer(rebasing: left)
        let right = UnsafeRawBufferPointer(rebasing: right)
        if let a = left.baseAddress, let b = right.baseAddress {
            let order = memcmp(a, b, min(left.count, right.count))
            if order != 0 { return order < 0 ? -1 : 1 }
        }
        return (left.count - right.count).signum()
    }

    /// Exactly, where a conversion of either to the other's type would round.
    private static func compare(_ integer: Int64, _ real: Double) -> Int {
        if real >= 0x1p63 { return -1 }
        if real < -0x1p63 { return 1 }
        let whole = Int64(real)
        if integer != whole { return integer < whole ? -1 : 1 }
        let rest = real - Double(whole)
        return rest > 0 ? -1 : rest < 0 ? 1 : 0
    }
}
