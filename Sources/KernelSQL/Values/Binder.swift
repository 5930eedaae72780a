public import Foundation

/// Takes values one after another, each into the next free place: a statement's parameters, or a list.
///
/// A driver subclasses this for its statements. What an attribute's value calls is one of the five.
open class Binder {
    public init() {}

    open func bindNull() {}
    open func bind(integer value: Int64) {}
    open func bind(real value: Double) {}
    open func bind(text value: String) {}
    open func bind(blob value: Data) {}

    /// Binds one attribute's value. What the code made by `@Entity` calls. Throws ``ValueIssue`` for a value
    /// that the store cannot hold.
    @inlinable
    public final func bind<V: AttributeValue>(_ value: V) throws {
        try value.bind(to: self)
    }
}
