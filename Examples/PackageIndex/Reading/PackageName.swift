/// A package's name as Debian allows it: letters, digits, `+`, `-`, `.` (and `_`, which other archives use).
struct PackageName: Equatable {
    let text: String

    init?(_ text: some StringProtocol) {
        guard let first = text.utf8.first, PackageName.isLetterOrDigit(first),
            text.utf8.allSatisfy(PackageName.isInName)
        else { return nil }
        self.text = String(text)
    }

    static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: isLetterOrDigit(byte)
        }
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}
