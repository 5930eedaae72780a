import Foundation

extension StorageClass {
    /// Whether an attribute of this class can hold the value as it is, without conversion. nil is not asked of the
    /// class but of the attribute, so `.null` is false.
    package func canHold(_ value: StoredValue) -> Bool {
        switch (self, value) {
        case (.integer, .integer), (.real, .real), (.text, .text), (.json, .text), (.blob, .blob): true
        case (.decimal, .text(let text)): DecimalText.value(text) != nil
        default: false
        }
    }

    /// What the class holds, in words fit for an error message.
    package var kindName: String {
        switch self {
        case .integer: "an integer"
        case .real: "a real number"
        case .text: "text"
        case .blob: "data"
        case .decimal: "a decimal number"
        case .json: "JSON"
        }
    }

    /// The value in this class's own form, if that changes nothing about it: an integer is a real number too, and
    /// both are decimal numbers; text that spells a decimal number gets the one spelling that is stored.
    package func converting(_ value: StoredValue, of origin: StorageClass) -> StoredValue? {
        switch (self, value) {
        case (_, .null): return .null
        case (.real, .integer(let number)): return Double(exactly: number).map { .real($0) }
        case (.decimal, .integer(let number)): return .text(String(number))
        // The shortest text that gives the number again is what the programmer wrote: 0.1, not its 55 digits.
        case (.decimal, .real(let number)): return DecimalText.respelt("\(number)").map { .text($0) }
        case (.decimal, .text(let text)): return DecimalText.respelt(text).map { .text($0) }
        case (.json, .text), (.text, .text): return self == origin ? value : nil
        default: return canHold(value) ? value : nil
        }
    }
}
