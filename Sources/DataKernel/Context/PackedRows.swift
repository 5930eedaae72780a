/// Row ids in their order, packed: each as its distance from the one before, zigzag and seven bits a byte (the variable
/// length integers of Protocol Buffers). Rows in the order of their ids mostly take one byte each instead of eight, in
/// any other order three or so; so the ids of millions of rows can wait for their turn.
struct PackedRows {
    private var bytes: [UInt8] = []
    private var last: Int64 = 0

    mutating func append(_ row: Int64) {
        let distance = row &- last
        last = row
        var rest = UInt64(bitPattern: (distance << 1) ^ (distance >> 63))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    var byteCount: Int { bytes.count }

    var reader: Reader { Reader(bytes: bytes) }

    struct Reader {
        fileprivate let bytes: [UInt8]
        private var place = 0
        private var last: Int64 = 0

        fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

        /// The next rows, `count` of them or as many as there are. None at the end.
        mutating func next(_ count: Int) -> [Int64] {
            var rows: [Int64] = []
            while rows.count < count, place < bytes.count { rows.append(next()) }
            return rows
        }

        private mutating func next() -> Int64 {
            var packed: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                let byte = bytes[place]
                place += 1
                packed |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { break }
                shift += 7
            }
            last = last &+ (Int64(bitPattern: packed >> 1) ^ -Int64(bitPattern: packed & 1))
            return last
        }
    }
}
