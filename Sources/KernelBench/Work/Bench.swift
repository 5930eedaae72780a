import DataKernel
import Foundation

/// The files that the workloads run on: each side has a copy of its own of the same store.
struct Bench {
    let rows: Int
    let folder: URL

    init(rows: Int) throws {
        self.rows = rows
        folder = FileManager.default.temporaryDirectory.appending(path: "KernelBench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    func storage(_ name: String) throws -> SQLiteStorage { try storage(at: path(name), BenchCar.self) }

    func storage(at path: String, _ model: any Entity.Type...) throws -> SQLiteStorage {
        try SQLiteStorage(
            store: .url(URL(filePath: path)), model: model, options: StorageOptions(durability: .normal))
    }

    func removeStore(_ path: String) throws {
        for suffix in ["", "-wal", "-shm", "-next"] where exists(path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    /// Makes a store with that many rows, once for each number, through the kernel.
    private func template(_ count: Int) throws -> String {
        let name = "template-\(count).db"
        guard !exists(path(name)) else { return name }
        let storage = try storage(name)
        try storage.perform(ephemeral: true) { context, save in
            for n in 0..<count { try context.create(BenchCar.self).fill(PlainCar(n)) }
            try save()
        }
        return name
    }

    /// A fresh copy of a store with that many rows. The template's storage is closed, so it is one file.
    func copy(_ count: Int, to name: String) throws {
        let source = try template(count)
        try removeStore(path(name))
        try FileManager.default.copyItem(atPath: path(source), toPath: path(name))
    }

    func kernelStore(_ count: Int) throws -> SQLiteStorage {
        try copy(count, to: "kernel.db")
        return try storage("kernel.db")
    }

    func controlStore(_ count: Int) throws -> RawStore {
        try copy(count, to: "control.db")
        return try RawStore(path: path("control.db"))
    }
}
