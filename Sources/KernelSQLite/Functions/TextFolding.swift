internal import Foundation

/// Text without case and accents, whatever the process's locale: what insensitive conditions compare.
package enum TextFolding {
    /// The folded text: "É" and "e" both give "e". What `k_fold` gives in SQL.
    package static func fold(_ text: String) -> String {
        var text = text
        return text.withUTF8 { fold(utf8: UnsafeRawBufferPointer($0)) }
    }

    static func fold(utf8 bytes: UnsafeRawBufferPointer) -> String {
        // Foundation takes a microsecond and more; most text that is compared is plain ASCII.
        if bytes.allSatisfy({ $0 < 0x80 }) {
            return String(unsafeUninitializedCapacity: bytes.count) { buffer in
                for (index, byte) in bytes.enumerated() {
                    buffer[index] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
                }
                return bytes.count
            }
        }
        return String(decoding: bytes, as: UTF8.self)
            .folding(options: .insensitive, locale: nil)
    }
}

extension String.CompareOptions {
    /// Of the bits: a set made of a list of options would bring all that sets can do.
    fileprivate static var insensitive: Self {
        Self(rawValue: caseInsensitive.rawValue | diacriticInsensitive.rawValue)
    }
}
