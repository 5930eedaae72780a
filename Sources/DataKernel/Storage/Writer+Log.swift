internal import KernelSQLite

extension Writer {
    /// From which length of the log on a save waits for readers.
    static var firstLogBound: Int { 4 * Connection.logLimit }

    /// Empties a log that has become long, if nobody reads from it.
    ///
    /// Where readers overlap there may never be such a moment, and the log would grow as long as they do. So each time that
    /// it has grown by some limits more, a save waits for them: a thirtieth of a second at most.
    func trimLog() {
        let connection = channel.connection
        let length = connection.logLength
        guard length > Connection.logLimit else { return }
        let waits = length > logBound
        connection.emptyLog(waiting: waits ? .milliseconds(30) : .zero)
        if connection.logLength <= Connection.logLimit {
            logBound = Writer.firstLogBound
        } else if waits {
            logBound = length + Writer.firstLogBound
        }
    }
}
