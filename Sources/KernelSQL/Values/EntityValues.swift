/// The struct that holds an object's attributes. `@Entity` writes one inside the class, called `KernelValues`.
public protocol EntityValues {
    /// All attributes with their initial values.
    init()
    /// Reads all attributes from a row. No initial value is evaluated.
    static func kernelRead(_ row: Row) throws -> Self
    /// Adds the attributes whose stored forms differ to `changes`.
    static func kernelCompare(_ old: Self, _ new: Self, into changes: inout AttributeSet)
    /// Takes every attribute from `fresh` but those in `kept`.
    mutating func kernelMerge(_ fresh: Self, keeping kept: AttributeSet)
}
