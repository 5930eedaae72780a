extension UnitContext {
    @discardableResult
    func perform<R>(_ unit: (any Context, Save) throws -> sending R) throws -> sending R {
        try check()
        try channel.requireNoHook("perform")
        // What the child's savepoint must not undo has to be in the transaction before it.
        try flush()
        let child = UnitContext(model: model, writer: writer, level: level + 1)
        writer.chain.append(child)
        isSuspended = true
        defer { end(child) }
        let result = try unit(child) { [writer] in try writer.save(child) }
        try child.throwFailure()
        return result
    }

    private func end(_ child: UnitContext) {
        writer.undo(child.level)
        writer.leave(child.level)
        child.close()
        isSuspended = false
        // This context's objects show what the child saved. Should the read fail, the next one meets it again.
        if inbox.hasMail { _ = try? writer.begin(level) }
    }
}
