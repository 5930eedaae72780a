/// Whether bytes are all ASCII, eight at a time: text that is needs no other check of its encoding.
enum ASCII {
    @inline(__always)
    static func holdsOnly(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Proof: every load lies within the buffer; those at its end overlap the ones before instead of going past it.
        let raw = UnsafeRawBufferPointer(bytes)
        let count = raw.count
        if count >= 8 {
            var bits = raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            var place = 0
            while place + 8 < count {
                bits |= raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                place += 8
            }
            return bits & 0x8080_8080_8080_8080 == 0
        }
        if count >= 4 {
            let bits =
                raw.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
                | raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            return bits & 0x8080_8080 == 0
        }
        // Three bytes at most: the first, the middle and the last are all of them.
        return count == 0 || (raw[0] | raw[count / 2] | raw[count - 1]) & 0x80 == 0
    }
}
