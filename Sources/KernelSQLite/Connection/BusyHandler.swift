internal import CKernelSQLite
internal import Foundation

/// Waiting for another connection's lock: short random sleeps until a deadline.
///
/// SQLite's own time-out sleeps up to 100 ms at a time, while the gap between another's units is 20 µs: one of
/// two busy writers then never gets through.
enum BusyHandler {
    static func install(on handle: Handle) {
        // The handle outlives the database's use of the pointer: its deinit is what closes the database.
        let context = Unmanaged.passUnretained(handle).toOpaque()
        sqlite3_busy_handler(
            handle.database,
            { context, count in
                guard let context else { return 0 }
                let handle = Unmanaged<Handle>.fromOpaque(context).takeUnretainedValue()
                let now = ContinuousClock.now
                if count == 0 { handle.waitsUntil = handle.deadline ?? now + handle.busyTimeout }
                guard now < handle.waitsUntil else { return 0 }
                BusyHandler.pause()
                return 1
            }, context)
    }

    /// Sleeps for 0.1 to 0.5 ms, at random so that two who wait do not keep in step.
    static func pause() {
        var microseconds: UInt32 = 100
        for part: UInt32 in [200, 100, 50, 25, 25] where Bool.random() { microseconds += part }
        usleep(microseconds)
    }
}
