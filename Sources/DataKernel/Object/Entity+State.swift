public import KernelSQL

extension Entity {
    public func queryValue() throws -> StoredValue { .integer(kernelState.row) }
    /// To be called by the accessors before the first write after a fetch, create or save.
    public func kernelNoteChange(_ history: KernelHistory) {
        kernelState.history = history
        kernelState.isClean = false
    }
}
