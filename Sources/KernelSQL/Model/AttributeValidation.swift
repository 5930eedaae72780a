/// What a declared validation says of an attribute's values. nil is always valid; a required attribute cannot be nil.
public enum AttributeValidation: Sendable, Equatable {
    /// Numbers (and dates, in seconds since 2001) from `low` to `high`, both included.
    case range(low: Double?, high: Double?)
    /// Texts of at most so many characters, data of at most so many bytes.
    case maxLength(Int)
    /// Texts that the regular expression matches as a whole. Swift's `Regex` syntax.
    case pattern(String)
}

extension AttributeOption {
    /// Values in the range only, both ends included: of numbers, and of dates in seconds since 2001. nil is always
    /// valid. A save with another value throws ``KernelError/validationFailed(_:)``.
    ///
    /// ```swift
    /// @Attribute(.range(1886...2100)) var year = 2000
    /// ```
    public static func range(_ range: ClosedRange<Double>) -> AttributeOption {
        AttributeOption(kind: .validation(.range(low: range.lowerBound, high: range.upperBound)))
    }

    /// Values from this one on.
    public static func range(_ range: PartialRangeFrom<Double>) -> AttributeOption {
        AttributeOption(kind: .validation(.range(low: range.lowerBound, high: nil)))
    }

    /// Values up to this one.
    public static func range(_ range: PartialRangeThrough<Double>) -> AttributeOption {
        AttributeOption(kind: .validation(.range(low: nil, high: range.upperBound)))
    }

    // The same for bounds that are Ints by their type. A literal's bounds are Doubles: of two overloads that fit, the
    // compiler leaves the disfavoured one.

    /// Values in the range only. A save with another one throws ``KernelError/validationFailed(_:)``.
    @_disfavoredOverload
    public static func range(_ range: ClosedRange<Int>) -> AttributeOption {
        .range(Double(range.lowerBound)...Double(range.upperBound))
    }

    /// Values from this one on.
    @_disfavoredOverload
    public static func range(_ range: PartialRangeFrom<Int>) -> AttributeOption {
        .range(Double(range.lowerBound)...)
    }

    /// Values up to this one.
    @_disfavoredOverload
    public static func range(_ range: PartialRangeThrough<Int>) -> AttributeOption {
        .range(...Double(range.upperBound))
    }

    /// Texts of at most so many characters (as `count` has them), data of at most so many bytes.
    ///
    /// ```swift
    /// @Attribute(.maxLength(40)) var name = ""
    /// ```
    public static func maxLength(_ count: Int) -> AttributeOption {
        AttributeOption(kind: .validation(.maxLength(count)))
    }

    /// Texts that the regular expression matches as a whole. One that is none is ``KernelError/invalidModel(_:)`` when
    /// the storage opens.
    ///
    /// ```swift
    /// @Attribute(.pattern("[A-Z]{2}-[0-9]+")) var code: String?
    /// ```
    public static func pattern(_ pattern: String) -> AttributeOption {
        AttributeOption(kind: .validation(.pattern(pattern)))
    }
}

/// A validation, ready to be asked.
package struct AttributeValidator {
    private let validation: AttributeValidation
    private let regex: Regex<AnyRegexOutput>?

    package init(_ validation: AttributeValidation) {
        self.validation = validation
        if case .pattern(let pattern) = validation { regex = try? Regex(pattern) } else { regex = nil }
    }

    /// What is wrong with the value, in words that follow the attribute's name. Never the value itself.
    package func issue(_ value: StoredValue) -> String? {
        switch (validation, value) {
        case (_, .null): nil
        case (.range(let low, let high), .integer(let number)): AttributeValidator.range(low, high, Double(number))
        case (.range(let low, let high), .real(let number)): AttributeValidator.range(low, high, number)
        case (.range(let low, let high), .text(let text)):
            Double(text).map { AttributeValidator.range(low, high, $0) } ?? "is no number, and has a range"
        case (.maxLength(let limit), .text(let text)):
            text.count > limit ? "has \(text.count) characters; at most \(limit) are allowed" : nil
        case (.maxLength(let limit), .blob(let data)):
            data.count > limit ? "has \(data.count) bytes; at most \(limit) are allowed" : nil
        case (.pattern(let pattern), .text(let text)):
            (try? regex?.wholeMatch(in: text)) == nil ? "does not match the pattern \(pattern)" : nil
        default: "cannot be checked: \(validation) does not fit \(value.kindName)"
        }
    }

    private static func range(_ low: Double?, _ high: Double?, _ number: Double) -> String? {
        if let low, number < low { return "is less than \(low)" }
        if let high, number > high { return "is greater than \(high)" }
        return nil
    }
}

extension AttributeValidation {
    /// What is wrong with the declaration itself.
    func issue(_ attribute: AttributeDescription) -> String? {
        switch self {
        case .range:
            switch attribute.storageClass {
            case .integer, .real, .decimal: nil
            case .text, .blob, .json: "has a range, and is no number"
            }
        case .maxLength(let count):
            count < 0
                ? "has a negative maxLength"
                : attribute.isText || attribute.storageClass == .blob ? nil : "has a maxLength, and is no text or data"
        case .pattern(let pattern):
            !attribute.isText
                ? "has a pattern, and is no text"
                : (try? Regex(pattern)) == nil ? "has a pattern that is no regular expression" : nil
        }
    }
}
