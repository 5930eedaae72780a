public import KernelSQL

extension Entity {
    /// Names the object across contexts, tasks and launches. An object that was never inserted has row 0.
    public var objectID: ObjectID { ObjectID(entityName: Self.entity.name, row: kernelState.row) }

    /// Whether the object was removed, here or elsewhere. True for ever, except after a rollback of the removal.
    /// Attributes keep their last values; relationships are nil or empty.
    public var isDeleted: Bool { kernelState.status == .removed }

    /// Whether the object was created and is not saved yet.
    public var isInserted: Bool { kernelState.status == .inserted }

    /// Whether the object has anything to save.
    public var hasChanges: Bool {
        switch kernelState.status {
        case .inserted: true
        case .detached, .removed: false
        case .stored: kernelState.history != nil && !kernelChanges().isEmpty
        }
    }

    /// The names of the attributes that differ from what the store has, in the order of their declaration. To-one
    /// relationships that the object has the key of are among them.
    public var changedAttributes: [String] {
        guard kernelState.status == .stored, kernelState.history != nil else { return [] }
        return kernelChanges().positions.map { Self.entity.attributes[$0].name }
    }

    public func queryValue() throws -> StoredValue { .integer(kernelState.row) }

    /// To be called by a conformance's accessors before the first write after a fetch, create or save, with the
    /// values as they were.
    public func kernelNoteChange(_ history: KernelHistory) {
        kernelState.history = history
        kernelState.isClean = false
        if kernelState.status != .removed { kernelState.session?.noteChange(self) }
    }
}
