internal import CKernelSQLite

/// The table-valued function `kernel_values(?)`, which gives the values of a bound ``ValueList``.
///
/// Why no pointer here outlives what it points to:
/// - Binding retains the list, and SQLite calls the destructor exactly once: when the parameter is bound anew or
///   cleared, when the statement is finalised, or at once when the bind fails. So a bound list lives at least as
///   long as its binding.
/// - A cursor retains the list that it walks, from filter until the next filter or close.
/// - Text and data are given to SQLite without a copy (`nil` destructor: static). They lie in the list's
///   `StableBytes`, which nobody changes, so their address is good while the list lives. Registers of the running statement
///   may keep such an address until the run ends; sorters, indexes and tables copy. `Statement` rebinds and clears
///   only after a reset, which empties the registers, so the list outlives every register.
/// - `StatementRow` copies what it hands out.
enum ValuesModule {
    static func register(on handle: Handle) throws {
        let code = sqlite3_create_module_v2(handle.database, "kernel_values", definition, nil, nil)
        if code != SQLITE_OK { throw handle.failure(code, sql: nil) }
    }

    /// The tag that a bound pointer must carry to be taken for a list. SQLite keeps the address: it must be static.
    static var tag: UnsafePointer<CChar> {
        UnsafeRawPointer(tagText.utf8Start).assumingMemoryBound(to: CChar.self)
    }
    private static let tagText: StaticString = "kernel.values"

    // Written once, before any connection sees it, and never freed: connections keep its address.
    nonisolated(unsafe) private static let definition: UnsafePointer<sqlite3_module> = {
        let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        module.initialize(to: sqlite3_module())
        // No xCreate: the function is there without CREATE VIRTUAL TABLE, and cannot be used with it.
        module.pointee.xConnect = connect
        module.pointee.xBestIndex = bestIndex
        module.pointee.xDisconnect = disconnect
        module.pointee.xOpen = open
        module.pointee.xClose = close
        module.pointee.xFilter = filter
        module.pointee.xNext = next
        module.pointee.xEof = eof
        module.pointee.xColumn = column
        module.pointee.xRowid = rowid
        return UnsafePointer(module)
    }()
}

// MARK: The table

private func connect(
    database: OpaquePointer?, context: UnsafeMutableRawPointer?, count: Int32,
    arguments: UnsafePointer<UnsafePointer<CChar>?>?, table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
    message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    let code = sqlite3_declare_vtab(database, "CREATE TABLE kernel_values(value, list HIDDEN)")
    guard code == SQLITE_OK else { return code }
    // Usable from schemas that are not trusted: it reads nothing but what is bound.
    guard kernel_vtab_innocuous(database) == SQLITE_OK else { return SQLITE_ERROR }
    let result = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
    result.initialize(to: sqlite3_vtab())
    table?.pointee = result
    return SQLITE_OK
}

private func disconnect(table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
    table?.deallocate()
    return SQLITE_OK
}

private func bestIndex(
    table: UnsafeMutablePointer<sqlite3_vtab>?, info: UnsafeMutablePointer<sqlite3_index_info>?
) -> Int32 {
    guard let info else { return SQLITE_ERROR }
    let listColumn: Int32 = 1
    let isEqual: UInt8 = 2  // SQLITE_INDEX_CONSTRAINT_EQ
    for index in 0..<Int(info.pointee.nConstraint) {
        let constraint = info.pointee.aConstraint[index]
        guard constraint.iColumn == listColumn, constraint.op == isEqual else { continue }
        // The argument is not known in this order of the join: ask for another order.
        guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
        info.pointee.aConstraintUsage[index].argvIndex = 1
        info.pointee.aConstraintUsage[index].omit = 1
        info.pointee.idxNum = 1
        // The length is not known here. A guess on the low side makes the planner walk the list and probe an index.
        info.pointee.estimatedRows = 100
        info.pointee.estimatedCost = 100
        return SQLITE_OK
    }
    // Without an argument there are no rows.
    info.pointee.idxNum = 0
    info.pointee.estimatedRows = 1
    info.pointee.estimatedCost = 1
    return SQLITE_OK
}

// MARK: The cursor

private typealias BaseCursor = UnsafeMutablePointer<sqlite3_vtab_cursor>

extension BaseCursor {
    /// SQLite's part stands first in ours, so both have one address.
    fileprivate var whole: UnsafeMutablePointer<kernel_values_cursor> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: kernel_values_cursor.self)
    }

    /// The list that the cursor walks; without a retain, which would cost more than the row.
    fileprivate func withList<R>(_ body: (ValueList) -> R, none: R) -> R {
        guard let list = whole.pointee.list else { return none }
        return Unmanaged<ValueList>.fromOpaque(list)._withUnsafeGuaranteedRef(body)
    }

    fileprivate func letGo() {
        guard let list = whole.pointee.list else { return }
        whole.pointee.list = nil
        Unmanaged<ValueList>.fromOpaque(list).release()
    }
}

private func open(
    table: UnsafeMutablePointer<sqlite3_vtab>?,
    cursor: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
) -> Int32 {
    let result = UnsafeMutablePointer<kernel_values_cursor>.allocate(capacity: 1)
    result.initialize(to: kernel_values_cursor())
    cursor?.pointee = UnsafeMutableRawPointer(result).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
}

private func close(cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    cursor?.letGo()
    cursor?.whole.deallocate()
    return SQLITE_OK
}

private func filter(
    cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, index: Int32, indexText: UnsafePointer<CChar>?, count: Int32,
    arguments: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let cursor else { return SQLITE_ERROR }
    cursor.letGo()
    cursor.whole.pointee.position = 0
    // NULL for anything but a pointer that was bound with our tag.
    guard count == 1, let pointer = sqlite3_value_pointer(arguments?[0], ValuesModule.tag) else { return SQLITE_OK }
    _ = Unmanaged<ValueList>.fromOpaque(pointer).retain()
    cursor.whole.pointee.list = pointer
    return SQLITE_OK
}

private func next(cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    cursor?.whole.pointee.position += 1
    return SQLITE_OK
}

private func eof(cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    guard let cursor else { return 1 }
    return cursor.withList({ Int(cursor.whole.pointee.position) < $0.count ? 0 : 1 }, none: 1)
}

private func rowid(
    cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, result: UnsafeMutablePointer<sqlite3_int64>?
) -> Int32 {
    result?.pointee = cursor?.whole.pointee.position ?? 0
    return SQLITE_OK
}

private func column(
    cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, context: OpaquePointer?, column: Int32
) -> Int32 {
    // The hidden column holds the argument, which is never shown.
    guard let cursor, column == 0 else { return SQLITE_OK }
    let position = Int(cursor.whole.pointee.position)
    cursor.withList({ $0.give(position, to: context) }, none: ())
    return SQLITE_OK
}

extension ValueList {
    /// Binds the list by pointer.
    func bind(to statement: OpaquePointer, parameter: Int32) -> Int32 {
        let retained = Unmanaged.passRetained(self).toOpaque()
        return sqlite3_bind_pointer(statement, parameter, retained, ValuesModule.tag) { pointer in
            guard let pointer else { return }
            Unmanaged<ValueList>.fromOpaque(pointer).release()
        }
    }

    fileprivate func give(_ position: Int, to context: OpaquePointer?) {
        switch storage {
        case .integers(let values): sqlite3_result_int64(context, values[position])
        case .mixed(let items, let bytes):
            switch items[position] {
            case .null: sqlite3_result_null(context)
            case .integer(let value): sqlite3_result_int64(context, value)
            case .real(let value): sqlite3_result_double(context, value)
            case .text(let start, let count):
                guard count > 0, let first = bytes.buffer.baseAddress else {
                    return sqlite3_result_text(context, "", 0, copied)
                }
                let text = first.advanced(by: start).assumingMemoryBound(to: CChar.self)
                sqlite3_result_text64(context, text, count.length, nil, utf8Encoding)
            case .blob(let start, let count):
                guard count > 0, let first = bytes.buffer.baseAddress else {
                    _ = sqlite3_result_zeroblob64(context, 0)
                    return
                }
                sqlite3_result_blob64(context, first.advanced(by: start), count.length, nil)
            }
        }
    }
}
