import DataKernel
import KernelSQL
import KernelSQLite

/// The storage, the naive model of it, and what is random.
final class RandomWorld {
    let storage: SQLiteStorage
    private let folder: Folder
    var random: SeededGenerator
    var model = NaiveStore()
    var step = 0
    var log: [String] = []
    private var pendingOfSaveContext = NaiveChanges()
    private var keptBySaveContext: [Car] = []
    private var usedRows: Set<Int64> = []
    private var fresh = 1000

    init(seed: UInt64) throws {
        folder = try Folder()
        storage = try folder.storage(options: StorageOptions(durability: .normal))
        random = SeededGenerator(seed: seed)
    }

    func freshNumber() -> Int {
        fresh += 1
        return fresh
    }

    func noteCreated(_ row: Int64) throws {
        try agree(usedRows.insert(row).inserted, "row id \(row) was given out twice")
    }

    /// One unit of work: of its own, or of the save context.
    func unit() throws {
        let ephemeral = random.below(3) != 0
        log.append("step \(step): unit, ephemeral \(ephemeral)")
        model.layers = [ephemeral ? NaiveChanges() : pendingOfSaveContext]
        model.layers[0].normalise(model.committed)
        nonisolated(unsafe) let world = self
        do {
            try storage.perform(ephemeral: ephemeral) { context, save in
                try withoutActuallyEscaping(save) { save in
                    let unit = RandomUnit(world, context, save, level: 0)
                    if !ephemeral {
                        unit.held = world.keptBySaveContext.filter { !$0.isDeleted && $0.objectID.row != 0 }
                    }
                    try unit.run()
                    if !ephemeral { world.keptBySaveContext = unit.held.suffix(10) }
                }
                if world.random.below(8) == 0 { throw Mishap() }
            }
        } catch is Mishap {
            log.append("  thrown")
            model.layers[0] = NaiveChanges()
        }
        if !ephemeral { pendingOfSaveContext = model.layers[0] }
        model.layers = []
    }

    /// What the file says, through a connection of its own.
    func checkFile() throws {
        let faults = try folder.faults()
        try agree(faults == [], "integrity: \(faults)")
        let connection = try Connection(path: folder.file().path, role: .reader)
        defer { connection.close() }
        let count = try connection.integer(SQLText("SELECT count(*) FROM \"Car\""))
        try agree(count == Int64(model.committed.count), "the file has \(count) rows")
    }
}

extension Folder {
    /// What `PRAGMA integrity_check` and `foreign_key_check` find in the store, through a connection of its own.
    func faults() throws -> [String] {
        let connection = try Connection(path: file().path, role: .reader)
        defer { connection.close() }
        var answers: [String] = []
        try connection.rows(SQLText("PRAGMA integrity_check")) { _ in
        } each: { row in
            row.base = 0
            answers.append(try row.text(0))
        }
        try connection.rows(SQLText("PRAGMA foreign_key_check")) { _ in
        } each: { _ in
            answers.append("a foreign key")
        }
        return answers.filter { $0 != "ok" }
    }
}
