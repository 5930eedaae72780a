import Foundation

// Texts as the store sees them: their bytes in UTF-8.
extension String {
    /// Whether both have the same bytes. Costs two comparisons for a text and its unchanged copy.
    func hasSameBytes(as other: String) -> Bool {
        if isSameRepresentation(as: other) { return true }
        guard utf8.count == other.utf8.count else { return false }
        return withBytes { own in other.withBytes(own.hasSameBytes(as:)) }
    }

    /// Whether both are made of the same words, the way they lie in memory.
    ///
    /// Proof: only bits are read, and equal bits mean the same small text or the same storage, so that true is never
    /// wrong. Bits that do not count may differ, which only leads to the longer way.
    private func isSameRepresentation(as other: String) -> Bool {
        withUnsafeBytes(of: self) { own in
            withUnsafeBytes(of: other, own.hasSameBytes(as:))
        }
    }

    /// Calls `body` with the bytes. On Apple systems a bridged text is copied for it.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let own = baseAddress, let other = other.baseAddress else { return true }
        return memcmp(own, other, count) == 0
    }
}
