/// Row ids in their order, packed: each as its distance from the one before, zigzag and seven bits a byte (the variable
/// length integers of Protocol Buffers). Rows in the order of their ids mostly take one byte each instead of eight, in
/// any other order three or so; so the ids of millions of rows can wait for their turn.
struct PackedRows {
    // Eight bytes in each, the first one lowest. (Bytes of their own type would have to be converted, for which the
    // compiler optimises all conformances of both types: a fiftieth of the module.)
    private var words: [Int64] = []
    /// The word that is not full yet, and how many bits it has.
    private var word: Int64 = 0
    private var bits: Int64 = 0
    private var last: Int64 = 0

    mutating func append(_ row: Int64) {
        let distance = row &- last
        last = row
        var rest = UInt64(bitPattern: (distance &<< 1) ^ (distance &>> 63))
        while rest >= 0x80 {
            append(byte: Int64(bitPattern: rest & 0x7F | 0x80))
            rest = rest &>> 7
        }
        append(byte: Int64(bitPattern: rest))
    }

    private mutating func append(byte: Int64) {
        word |= byte &<< bits
        bits &+= 8
        guard bits == 64 else { return }
        words.append(word)
        word = 0
        bits = 0
    }

    var byteCount: Int { words.count * 8 + Int(bits) / 8 }

    var reader: Reader { Reader(words: words + [word], byteCount: byteCount) }

    struct Reader {
        fileprivate let words: [Int64]
        fileprivate let byteCount: Int
        private var place = 0
        private var last: Int64 = 0

        fileprivate init(words: [Int64], byteCount: Int) {
            self.words = words
            self.byteCount = byteCount
        }

        /// The next rows, `count` of them or as many as there are. None at the end.
        mutating func next(_ count: Int) -> [Int64] {
            var rows: [Int64] = []
            while rows.count < count, place < byteCount { rows.append(next()) }
            return rows
        }

        private mutating func next() -> Int64 {
            var packed: Int64 = 0
            var shift: Int64 = 0
            while true {
                let byte = words[place &>> 3] &>> Int64((place & 7) &<< 3)
                place &+= 1
                packed |= (byte & 0x7F) &<< shift
                if byte & 0x80 == 0 { break }
                shift &+= 7
            }
            last = last &+ (Int64(bitPattern: UInt64(bitPattern: packed) &>> 1) ^ -(packed & 1))
            return last
        }
    }
}
