import DataKernel
import Foundation

// Opening a store of 300 entities.
extension Bench {
    private func openMany(_ path: String) throws {
        try MainActor.assumeIsolated {
            let storage = try SQLiteStorage(
                store: .url(URL(filePath: path)), model: ManyEntities.all, options: StorageOptions(durability: .normal))
            try check(try storage.uiContext.count(Request<Wide<Digit0, Digit0, Digit0>>()), 0)
        }
    }

    /// What the kernel makes of the model, as the control runs it.
    private func manyDDL() throws -> [String] {
        let path = path("many-template.db")
        if !exists(path) { try openMany(path) }
        let store = try RawStore(path: path)
        let all = try store.prepare("SELECT sql FROM sqlite_schema WHERE sql NOT NULL AND name NOT LIKE 'sqlite%'")
        var statements: [String] = []
        while try all.step() { statements.append(all.text(0)) }
        all.reset()
        return statements
    }

    var w14: Workload {
        Workload(name: "W14", title: "open a store of 300 entities, the first time") {
            let path = path("many-kernel.db")
            try removeStore(path)
            return try timed { try openMany(path) }
        } control: {
            let ddl = try manyDDL()
            let path = path("many-control.db")
            try removeStore(path)
            return try timed {
                let store = try RawStore(path: path)
                try store.transaction { for statement in ddl { try store.execute(statement) } }
                try check(RawTable.all(in: store).count, ddl.count)
            }
        }
    }

    /// The control reads the tables' definitions, which any program has to that wants to know whether they fit.
    var w14Again: Workload {
        Workload(name: "W14a", title: "the same again, 10 times") { isKernelFirst in
            let count = try manyDDL().count
            let path = path("many-template.db")
            return try Sides.inTurns(10, isKernelFirst: isKernelFirst) { times in
                for _ in times { try openMany(path) }
            } control: { times in
                for _ in times {
                    let store = try RawStore(path: path)
                    try check(RawTable.all(in: store).count, count)
                }
            }
        }
    }
}

/// A table or index as the store describes it.
private struct RawTable {
    let name: String
    let sql: String

    static func all(in store: RawStore) throws -> [RawTable] {
        let all = try store.prepare(
            "SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL AND name NOT LIKE 'sqlite%'")
        var tables: [RawTable] = []
        while try all.step() { tables.append(RawTable(name: all.text(0), sql: all.text(1))) }
        all.reset()
        return tables
    }
}
