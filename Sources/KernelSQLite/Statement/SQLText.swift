/// The text of one statement. A connection caches its statement by this object's identity, which is cheaper than
/// hashing the text: make one for each shape of statement and keep it.
package final class SQLText: Sendable {
    package let text: String
    /// Whether this is one of the statements that begin and end transactions, which have fault points of their own.
    let isControl: Bool
    /// Whether it gives one row at most, so that a run need not be asked whether there is another.
    let isSingle: Bool

    package init(_ text: String, isSingle: Bool = false) {
        self.text = text
        self.isSingle = isSingle
        isControl = false
    }

    init(control text: String) {
        self.text = text
        isControl = true
        isSingle = false
    }
}
