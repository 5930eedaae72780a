import DataKernel
import Foundation
import Synchronization

/// Everything that a program does with a store, done with one that may be damaged. Each call may throw a `KernelError` and
/// nothing else.
final class DamageExercise: Sendable {
    private let url: URL
    private let found = Mutex<[String]>([])

    init(_ url: URL) { self.url = url }

    var faults: [String] { found.withLock { $0 } }

    private func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch is KernelError {
        } catch {
            let fault = "\(what) threw \(type(of: error)): \(error)"
            found.withLock { $0.append(fault) }
        }
    }

    private func open(_ model: [any Entity.Type]) throws -> SQLiteStorage {
        var options = StorageOptions(durability: .normal)
        options.busyTimeout = .seconds(2)
        return try SQLiteStorage(store: .url(url), model: model, options: options)
    }

    /// Reads in all ways. Nothing is written but what opening writes.
    @MainActor func read() {
        attempt("opening") {
            let storage = try open(DamageModel.present)
            attempt("read") { try storage.read { context in readAll(context) } }
            attempt("uiContext") { readAll(storage.uiContext) }
            attempt("a unit") { try storage.perform(ephemeral: true) { context, _ in readAll(context) } }
            attempt("the save context") { try storage.perform(ephemeral: false) { context, _ in readAll(context) } }
        }
    }

    private func readAll(_ context: any ReadContext) {
        readSpecimens(context)
        attempt("fetching shelves") {
            for shelf in try context.fetch(Request<Shelf>()) { touch(shelf) }
        }
        attempt("prefetch") {
            let request = Request<Shelf>().prefetch(\.books).prefetch(\.topics).prefetch(\.parent).prefetch(\.twin)
                .prefetch(\.lamp).prefetch(\.neighbours).prefetch(\.extras).prefetch(\.maker).prefetch(\.tickets)
            for shelf in try context.fetch(request) { touch(shelf) }
        }
        attempt("fetching books") { for book in try context.fetch(Request<Book>()) { touch(book) } }
        attempt("fetching topics") {
            for topic in try context.fetch(Request<Topic>()) { _ = topic.shelves.map(\.number) }
        }
        attempt("fetching lamps") { for lamp in try context.fetch(Request<Lamp>()) { _ = lamp.shelf?.lamp === lamp } }
        attempt("fetching tickets") { for ticket in try context.fetch(Request<Ticket>()) { _ = ticket.shelf.number } }
        attempt("forEach") { try context.forEach(Request<Shelf>().sort(\.number), batch: 2) { touch($0) } }
        query(context)
    }

    private func readSpecimens(_ context: any ReadContext) {
        attempt("fetching specimens") {
            for specimen in try context.fetch(Request<Specimen>()) { _ = "\(specimen.date) \(specimen.decimal)" }
        }
        // One bad row must not be in the way of all: each by its id.
        var ids: [ObjectID] = []
        attempt("ids") { try context.forEach(Request<Book>()) { if let id = $0.specimen?.objectID { ids.append(id) } } }
        for row in -1...9 { ids.append(ObjectID(entityName: "Specimen", row: Int64(row))) }
        for id in ids + [ObjectID(entityName: "Specimen", row: .max), ObjectID(entityName: "Specimen", row: .min)] {
            attempt("object(with:)") {
                guard let specimen: Specimen = try context.object(with: id) else { return }
                _ = specimen.tree.branches.count
                try context.refresh(specimen)
            }
        }
    }

    private func touch(_ shelf: Shelf) {
        _ = shelf.books.map(\.title)
        _ = shelf.topics.map(\.text)
        _ = shelf.lamp?.watts
        _ = shelf.twin?.twin === shelf
        _ = shelf.neighbours.map(\.number)
        _ = shelf.children.map(\.number)
        _ = shelf.parent?.number
        _ = shelf.maker?.text
        _ = shelf.extras.map(\.text)
        _ = shelf.tickets.map(\.number)
    }

    private func touch(_ book: Book) {
        _ = book.shelf?.number
        _ = book.specimen?.text
    }

    private func query(_ context: any ReadContext) {
        attempt("count") { _ = try context.count(Request<Specimen>().filter(\.decimal > 0.25)) }
        attempt("sort by a decimal") { _ = try context.values(Request<Specimen>().sort(\.decimal), \.decimal) }
        attempt("values") {
            _ = try context.values(Request<Specimen>(), \.int, \.uint8, \.date, \.tree)
            _ = try context.values(Request<Specimen>(), \.list, distinct: true)
        }
        attempt("values of a relationship") { _ = try context.values(Request<Book>(), \.shelf) }
        attempt("sort by a way") { _ = try context.fetch(Request<Book>().sort(\.shelf?.number).limit(3)) }
        attempt("any") {
            _ = try context.fetch(Request<Shelf>().filter(where: { $0.books.any { $0.title.contains("1") } }))
        }
        attempt("exists") { _ = try context.exists(Request<Shelf>().filter("number", greaterThan: 3)) }
        attempt("oneOf") { _ = try context.fetch(Request<Specimen>().filter("code", oneOf: ["S1", "S2", "é"])) }
        attempt("case") {
            _ = try context.fetch(Request<Specimen>().filter("text", equalTo: "ä", comparing: .insensitive))
        }
    }

    // MARK: Changing

    /// Changes, saves and removes, each in a unit of its own, with the main actor looking on.
    @MainActor func change() {
        attempt("opening to change") {
            let storage = try open(DamageModel.present)
            // Held by uiContext, so that what is saved is merged into it.
            var held: [Shelf] = []
            attempt("uiContext") { held = try storage.uiContext.fetch(Request<Shelf>()) }
            for ephemeral in [true, false] {
                for step in DamageStep.all { run(step, storage, ephemeral: ephemeral) }
            }
            for shelf in held where !shelf.isDeleted { touch(shelf) }
            attempt("wiping the store") { try storage.wipeStore() }
        }
    }

    private nonisolated func run(_ step: DamageStep, _ storage: SQLiteStorage, ephemeral: Bool) {
        attempt(step.name) {
            try storage.perform(ephemeral: ephemeral) { context, save in
                try step.run(context)
                try save()
            }
        }
    }

    /// Opens with a larger model, which adds tables and columns.
    func migrate() {
        attempt("migrating") {
            let storage = try open(DamageModel.later)
            attempt("a migrated store") {
                try storage.perform(ephemeral: true) { context, save in
                    for plain in try context.fetch(Request<WidePlain>()) { plain.amount += 1 }
                    _ = try context.acquire(Novelty.self, "new")
                    try save()
                }
            }
        }
    }
}

/// One change that a program makes.
struct DamageStep: Sendable {
    let name: String
    let run: @Sendable (any Context) throws -> Void

    static var all: [DamageStep] {
        [
            DamageStep("setting attributes") { context in
                for specimen in try context.fetch(Request<Specimen>()) {
                    specimen.int = 77
                    specimen.tree.name = "changed"
                    specimen.decimal = 12.5
                }
            },
            DamageStep("acquire") { context in
                _ = try context.acquire(Specimen.self, "S3")
                _ = try context.acquire(Specimen.self, all: ["S1", "S4", "new"])
                _ = try context.acquire(Shelf.self, 3)
            },
            DamageStep("creating") { context in
                let book = try context.create(Book.self)
                book.title = "another \(book.objectID.row)"
                book.shelf = try context.first(Request<Shelf>())
            },
            DamageStep("orders") { context in
                for shelf in try context.fetch(Request<Shelf>()) {
                    shelf.books = shelf.books.reversed()
                    shelf.topics = shelf.topics.reversed()
                }
            },
            DamageStep("moving") { context in
                let shelves = try context.fetch(Request<Shelf>())
                guard let first = shelves.first, let last = shelves.last else { return }
                first.books += last.books
                last.lamp = first.lamp
                first.twin = last
                first.neighbours = Array(shelves.dropFirst())
                first.extras = []
                last.maker = first.maker
                last.children = []
            },
            DamageStep("one end after the other") { context in
                for lamp in try context.fetch(Request<Lamp>()) { lamp.shelf = nil }
                for topic in try context.fetch(Request<Topic>()) { topic.shelves = topic.shelves.reversed() }
                for shelf in try context.fetch(Request<Shelf>()) { shelf.parent = nil }
            },
            DamageStep("a nested unit that is undone") { context in
                try context.perform { child, _ in
                    for shelf in try child.fetch(Request<Shelf>()) { try child.remove(shelf) }
                    _ = try child.count(Request<Book>())
                }
            },
            DamageStep("a rollback") { context in
                for book in try context.fetch(Request<Book>()) { book.shelf = nil }
                _ = try context.count(Request<Book>())
                try context.rollback()
            },
            DamageStep("removing an object") { context in
                for shelf in try context.fetch(Request<Shelf>()).suffix(2) { try context.remove(shelf) }
            },
            DamageStep("removing by a request") { context in
                try context.remove(Request<Shelf>().filter("number", lessThan: 3))
                try context.remove(Request<Specimen>().filter("code", equalTo: "S2"))
            },
            DamageStep("removing tickets") { context in try context.remove(Request<Ticket>()) },
            DamageStep("wiping") { context in
                try context.wipe(Shelf.self)
                try context.wipe(Topic.self)
                try context.wipe(Specimen.self)
            },
        ]
    }

    init(_ name: String, _ run: @escaping @Sendable (any Context) throws -> Void) {
        self.name = name
        self.run = run
    }
}
