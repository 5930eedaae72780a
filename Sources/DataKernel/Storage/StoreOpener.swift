internal import KernelSQL
internal import KernelSQLite
internal import Synchronization

/// Opens a store's connections, and brings the store to the model. A failure leaves the file as it was.
final class StoreOpener: Sendable {
    private let path: String
    private let isMemory: Bool
    private let options: StorageOptions
    private let isRemoved = Atomic(false)

    init(path: String, isMemory: Bool, options: StorageOptions) {
        self.path = path
        self.isMemory = isMemory
        self.options = options
    }

    func connect(_ role: ConnectionRole) throws -> Connection {
        var settings = ConnectionOptions()
        settings.busyTimeout = options.busyTimeout
        settings.synchronous = isMemory ? .off : options.durability == .full ? .full : .normal
        do {
            let connection = try Connection(path: path, role: role, options: settings)
            if let trace = options.trace {
                connection.tracesValues = options.tracesValues
                connection.trace = { event in
                    trace(SQLTrace(sql: event.sql, duration: event.duration, expandedSQL: event.expandedSQL))
                }
            }
            connection.fault = options.fault
            return connection
        } catch {
            throw explained(error)
        }
    }

    /// A connection to the file that the store's writer has. Throws ``KernelError/storeMoved(path:)`` when another file, or
    /// none, stands at the path by now.
    func openReader(of file: OpenFile?) throws -> Connection {
        guard let file, file.isStill(at: path) else { throw KernelError.storeMoved(path: path) }
        do {
            let connection = try connect(.reader)
            if connection.isOn(file) { return connection }
            connection.close()
        } catch {
            if file.isStill(at: path) { throw error }
        }
        throw KernelError.storeMoved(path: path)
    }

    /// From now on connections leave the log alone when they are closed.
    func willRemoveStore() { isRemoved.store(true, ordering: .releasing) }

    func close(_ connection: Connection) {
        if isRemoved.load(ordering: .acquiring) { connection.closeRemoved() } else { connection.close() }
    }

    /// The connection that writes, with a store that fits the model.
    func openWriter(_ model: StoreModel) throws -> Channel {
        if !isMemory {
            _ = try StoreFile.inspect(path: path)
            try StoreFile.checkRights(path: path)
            try StoreFile.checkLog(path: path)
        }
        let connection = try connect(.writer)
        do {
            // A -wal may hold a newer header than the file.
            _ = try StoreFile.verify(connection)
            try SchemaUpdate(connection: connection, model: model, version: options.modelVersion).run()
            connection.marksLogs = !isMemory
            return Channel(connection, entities: model.plans.count)
        } catch {
            connection.close()
            throw explained(error)
        }
    }

    func explained(_ error: any Error) -> any Error {
        if let issue = error as? ValueIssue {
            return KernelError.storeDamaged(
                path: path, DatabaseFailure(code: .corrupt, message: "a kernel table \(issue.reason)"))
        }
        return (error as? DatabaseFailure).map { ErrorMapper.error($0, nil, path: path) } ?? error
    }
}
