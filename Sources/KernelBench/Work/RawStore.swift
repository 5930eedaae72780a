import CKernelSQLite

/// The control: the C library called directly, statements prepared once, as a careful program would by hand.
final class RawStore {
    private let database: OpaquePointer

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The same settings as the kernel's writer.
    init(path: String) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else { throw Failure(description: "cannot open \(path): \(code)") }
        database = handle
        try execute("PRAGMA journal_mode = wal; PRAGMA synchronous = normal; PRAGMA cache_size = -16000")
        try execute("PRAGMA foreign_keys = on")
    }

    deinit { sqlite3_close_v2(database) }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    func prepare(_ sql: String) throws -> RawStatement {
        var handle: OpaquePointer?
        guard sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil) == SQLITE_OK,
            let handle
        else { throw failure() }
        return RawStatement(handle, self)
    }

    func transaction(_ body: () throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        try body()
        try execute("COMMIT")
    }

    func reading<R>(_ body: () throws -> R) throws -> R {
        try execute("BEGIN")
        let result = try body()
        try execute("COMMIT")
        return result
    }

    func failure() -> Failure { Failure(description: String(cString: sqlite3_errmsg(database))) }
}

/// A prepared statement.
final class RawStatement {
    private let handle: OpaquePointer
    private let store: RawStore

    init(_ handle: OpaquePointer, _ store: RawStore) {
        self.handle = handle
        self.store = store
    }

    deinit { sqlite3_finalize(handle) }

    // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    func bind(_ place: Int32, _ value: Int) { sqlite3_bind_int64(handle, place, Int64(value)) }
    func bind(_ place: Int32, _ value: Int64) { sqlite3_bind_int64(handle, place, value) }
    func bind(_ place: Int32, _ value: Double) { sqlite3_bind_double(handle, place, value) }
    func bind(_ place: Int32, _ value: String) {
        var value = value
        value.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(handle, place, $0.baseAddress, Int32($0.count), RawStatement.transient)
            }
        }
    }
    func bind(_ place: Int32, _ value: String?) {
        if let value { bind(place, value) } else { sqlite3_bind_null(handle, place) }
    }

    /// Binds all ten columns.
    func bind(_ car: PlainCar) {
        bind(1, car.id)
        bind(2, car.model)
        bind(3, car.mark)
        bind(4, car.year)
        bind(5, car.price)
        bind(6, car.builtAt)
        bind(7, car.notes)
        bind(8, car.doors)
        bind(9, car.seats)
        bind(10, car.code)
    }

    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw store.failure()
        }
    }

    func reset() { sqlite3_reset(handle) }

    func run() throws {
        _ = try step()
        reset()
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The row as a struct.
    func car() -> PlainCar {
        var car = PlainCar()
        car.id = integer(0)
        car.model = text(1)
        car.mark = text(2)
        car.year = Int(integer(3))
        car.price = sqlite3_column_double(handle, 4)
        car.builtAt = sqlite3_column_double(handle, 5)
        car.notes = sqlite3_column_type(handle, 6) == SQLITE_NULL ? nil : text(6)
        car.doors = Int(integer(7))
        car.seats = Int(integer(8))
        car.code = text(9)
        return car
    }
}

enum RawSQL {
    static let columns = "_id, model, mark, year, price, builtAt, notes, doors, seats, code"
    static let insert = "INSERT INTO BenchCar (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    static let all = "SELECT \(columns) FROM BenchCar ORDER BY _id"
    static let byID = "SELECT \(columns) FROM BenchCar WHERE _id = ?"
    static let three = "SELECT model, year, price FROM BenchCar ORDER BY _id"
    static let one = "SELECT \(columns) FROM BenchCar WHERE model = ?"
    static let upsert = """
        INSERT INTO BenchCar (model, mark, year, price, builtAt, notes, doors, seats, code)
        VALUES (?, ?, ?, ?, 0, NULL, 0, 0, '')
        ON CONFLICT (model) DO UPDATE SET mark = excluded.mark, year = excluded.year, price = excluded.price
        """
    static let page = """
        SELECT \(columns) FROM BenchCar WHERE mark = ? AND year > ? ORDER BY price, _id LIMIT ?
        """
    static let update = "UPDATE BenchCar SET doors = ? WHERE _id = ?"
    static let wipe = "DELETE FROM BenchCar"
    static let count = "SELECT count(*) FROM BenchCar WHERE mark = ? AND price > ?"
}
