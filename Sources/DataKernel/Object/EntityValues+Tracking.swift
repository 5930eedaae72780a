public import KernelSQL

// The parts of a conformance that are the same for every entity whose attributes are kept in a struct. What
// `@Entity` writes into the class calls these.
extension EntityValues {
    /// Reads a new object's values into their place, which must be nil.
    // Proof: nil needs no end, so nothing is lost when the values go over it. An assignment would look whether anything
    // is to end, value by value: a seventieth of a fetch.
    @inlinable
    public static func kernelFill(_ values: inout Self?, from row: Row) throws {
        assert(values == nil, "kernelFill is for a new object, which has no values yet")
        try withUnsafeMutablePointer(to: &values) { $0.initialize(to: try kernelRead(row)) }
    }

    /// The history that a first edit keeps.
    @inlinable
    public static func kernelHistory(_ values: Self?, _ history: KernelHistory?) -> KernelHistory {
        history ?? KernelOriginal(values ?? Self())
    }

    /// The history of these values. Nil where nothing was edited.
    @inlinable
    public static func kernelOriginal(_ history: KernelHistory?) -> KernelOriginal<Self>? {
        history?.original(Self.self)
    }

    /// The attributes that differ from the history. Copies all values twice: what `@Entity` writes compares one after the
    /// other in their places instead.
    @inlinable
    public static func kernelChanges(_ values: Self?, _ history: KernelHistory?) -> AttributeSet {
        var changes = AttributeSet()
        if let values, let original = history?.original(Self.self) {
            kernelCompare(original.values, values, into: &changes)
        }
        return changes
    }

    /// Takes a row's values; attributes that differ from the history keep theirs.
    @inlinable
    public static func kernelLoad(_ row: Row, into values: inout Self?, _ history: KernelHistory?) throws {
        let fresh = try kernelRead(row)
        if let original = history?.original(Self.self), values != nil {
            let edited = kernelChanges(values, history)
            values?.kernelMerge(fresh, keeping: edited)
            // Where the open transaction has unsaved values, the row shows those and not what the store has.
            original.values.kernelMerge(fresh, keeping: original.flushed)
        } else {
            values = fresh
        }
    }

    /// Goes back to the history.
    @inlinable
    public static func kernelRevert(_ values: inout Self?, _ history: KernelHistory?) {
        if let original = history?.original(Self.self) { values = original.values }
    }
}
