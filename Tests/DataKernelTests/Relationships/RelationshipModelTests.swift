import DataKernel
import DataKernelTesting
import Foundation
import KernelSQLite
import Testing

// Relationships that do not fit one another. The properties are computed: only the descriptions are looked at.
private protocol Sketch: Entity {}
extension Sketch {
    init(row: Row) throws { self.init() }
    static var pk: String? { nil }
    func kernelLoad(_ row: Row) throws {}
    func kernelBind(_ attribute: Int, to binder: Binder) throws { binder.bindNull() }
    func kernelChanges() -> AttributeSet { AttributeSet() }
    func kernelRevert() {}
}

private final class Left: Sketch {
    let kernelState = KernelState()
    init() {}
    var one: Right? {
        get { nil }
        set {}
    }
    var two: Right? {
        get { nil }
        set {}
    }
    var rights: [Right] {
        get { [] }
        set {}
    }
    var stray: Outside? {
        get { nil }
        set {}
    }
    static let entity = EntityDescription(Left.self, name: "Left", unique: [["rights"]]) { entity in
        entity.relationship("one", \Left.one, inverse: \Right.left)
        entity.relationship("two", \Left.two, inverse: \Right.left)
        entity.relationship("rights", \Left.rights, inverse: \Right.number)
        entity.relationship("stray", \Left.stray)
    }
}

private final class Right: Sketch {
    let kernelState = KernelState()
    init() {}
    var number = 0
    var left: Left? {
        get { nil }
        set {}
    }
    var other: Right? {
        get { nil }
        set {}
    }
    static let entity = EntityDescription(Right.self, name: "Right") { entity in
        entity.attribute("number", \Right.number)
        entity.relationship("left", \Right.left, inverse: \Left.rights)
        entity.relationship("other", \Right.other, inverse: \Right.left)
    }
}

private final class Outside: Sketch {
    let kernelState = KernelState()
    init() {}
    static let entity = EntityDescription(Outside.self, name: "Outside") { _ in }
}

@Suite("A model with relationships")
struct RelationshipModelTests {
    private func issues(_ model: [any Entity.Type]) -> [String] {
        let error = #expect(throws: KernelError.self) { try SQLiteStorage(store: .memory, model: model) }
        guard case .invalidModel(let issues)? = error else {
            Issue.record("\(String(describing: error))")
            return []
        }
        return issues
    }

    @Test("says all that does not match at once, in the model's words")
    func mismatches() {
        #expect(
            issues([Left.self, Right.self, Outside.self]) == [
                "entity Left: an index names rights, which is no attribute of it",
                "Left.one: its inverse Right.left names Left.rights as its inverse",
                "Left.two: its inverse Right.left names Left.rights as its inverse",
                "Left.rights: its inverse is no relationship of Right",
                "Right.left: its inverse Left.rights names another relationship as its inverse",
                "Right.other: its inverse Right.left leads to Left, not to Right",
            ])
        #expect(
            issues([Left.self, Right.self]).contains("Left.stray: it leads to Outside, which is not in the model"))
    }

    @Test("has one ordered end of a many-to-many, and indexes keys where they are kept")
    func ends() {
        #expect(
            issues([OrderedA.self, OrderedB.self]) == [
                "OrderedA.all and its inverse OrderedB.all are both ordered; one end of a relationship can be",
                "OrderedA: an index names match, whose key is kept at the other end",
            ])
    }

    @Test("makes tables that a person can read, with every key indexed and deferred")
    func schema() throws {
        let folder = try Folder()
        let file = folder.file()
        do { _ = try SQLiteStorage(store: .url(file), model: graphModel) }
        let schema = try ask(
            file,
            "SELECT sql FROM sqlite_schema WHERE tbl_name IN ('Vehicle', 'Tyre', 'Vehicle_extras', 'Label_vehicles') ORDER BY name"
        )
        #expect(
            schema.contains(
                #"CREATE TABLE "Tyre" ("_id" INTEGER PRIMARY KEY, "serial" INTEGER NOT NULL, "vehicle" INTEGER REFERENCES "#
                    + #""Vehicle" ("_id") DEFERRABLE INITIALLY DEFERRED, "vehicle_position" INTEGER)"#))
        #expect(schema.contains(#"CREATE INDEX "kernel_index.Tyre.vehicle" ON "Tyre" ("vehicle")"#))
        #expect(
            schema.contains(
                #"CREATE TABLE "Vehicle_extras" ("Vehicle" INTEGER NOT NULL REFERENCES "Vehicle" ("_id") DEFERRABLE "#
                    + #"INITIALLY DEFERRED, "extras" INTEGER NOT NULL REFERENCES "Maker" ("_id") DEFERRABLE INITIALLY "#
                    + #"DEFERRED, PRIMARY KEY ("Vehicle", "extras")) WITHOUT ROWID"#))
        let keys = try ask(
            file,
            """
            SELECT m.name || '.' || f."from" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
            WHERE m.type = 'table' AND NOT EXISTS (SELECT 1 FROM pragma_index_list(m.name) l, pragma_index_info(l.name) i
            WHERE i.seqno = 0 AND i.name = f."from")
            """)
        #expect(keys == [])
    }

    @Test("added to a store that has rows: keys, orders and tables come, a required one is refused")
    func additions() throws {
        let folder = try Folder()
        let store = StoreRef.url(folder.file())
        do {
            let old = try SQLiteStorage(store: store, model: [OldShelf.self, OldBook.self])
            try old.unit { context in
                _ = try context.acquire(OldShelf.self, "A")
                _ = try context.acquire(OldBook.self, "B")
            }
        }
        do {
            let new = try SQLiteStorage(store: store, model: [Shelf.self, Book.self])
            try new.unit { context in
                let shelf = try context.acquire(Shelf.self, "A")
                shelf.books = [try context.acquire("B"), try context.acquire("C")]
                shelf.favourites = [try context.acquire("C")]
            }
        }
        let new = try SQLiteStorage(store: store, model: [Shelf.self, Book.self])
        try new.read { context in
            let shelf = try context.fetch(Request<Shelf>())[0]
            #expect(shelf.books.map(\.title) == ["B", "C"])
            #expect(shelf.favourites.map(\.title) == ["C"])
        }
        let error = #expect(throws: KernelError.self) {
            try SQLiteStorage(store: store, model: [StrictShelf.self, StrictBook.self])
        }
        guard case .modelMismatch(let differences)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(differences.contains { $0.hasPrefix("Book.owner is new and required") })
    }

    @Test("a key that leads nowhere, written by another program, is an object marked as deleted, not a trap")
    func dangling() throws {
        let folder = try Folder()
        let file = folder.file()
        let storage = try SQLiteStorage(store: .url(file), model: graphModel)
        try storage.unit { context in
            let lease: Lease = try context.create()
            lease.vehicle = try context.acquire("A")
            try context.acquire(Vehicle.self, "A").owner = try context.acquire("Ann")
        }
        let other = try Connection(path: file.path, role: .writer)
        try other.execute("PRAGMA foreign_keys = off; UPDATE Lease SET vehicle = 99; UPDATE Vehicle SET owner = 77")
        other.close()
        try storage.read { context in
            let lease = try context.fetch(Request<Lease>())[0]
            #expect(lease.vehicle.isDeleted)
            let car = try context.fetch(Request<Vehicle>())[0]
            #expect(car.owner == nil)
        }
    }

    @Test("noAction leaves it to the program: a save that would leave a key to nothing throws and names both")
    func noAction() throws {
        let storage = try SQLiteStorage(store: .memory, model: [Tree.self, Leaf.self])
        try storage.unit { context in
            let tree: Tree = try context.create()
            tree.leaves = [try context.create()]
        }
        try storage.perform(ephemeral: true) { context, save in
            let tree = try context.fetch(Request<Tree>())[0]
            let leaf = tree.leaves[0]
            try context.remove(tree)
            let error = #expect(throws: KernelError.self) { try save() }
            guard case .deleteDenied("Tree/1", heldBy: "Leaf/1", relationship: "Leaf.tree")? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            leaf.tree = nil
            try save()
        }
        #expect(try storage.read { try $0.count(Request<Leaf>()) } == 1)
    }

    @Test("two that need one another are saved together; one that lacks what it needs is named")
    func cyclicRequired() throws {
        let storage = try SQLiteStorage(store: .memory, model: [Head.self, Body.self])
        try storage.perform(ephemeral: true) { context, save in
            let (head, body): (Head, Body) = (try context.create(), try context.create())
            #expect(head.body.isDeleted)
            // Swift reads before it writes through a key path.
            head[keyPath: \.body] = body
            #expect(throws: KernelError.self) { try save() }
            // A query before it is whole does not fail, and does not find what needs the other.
            #expect(try context.count(Request<Head>()) == 0)
            body.first = head
            #expect(try context.count(Request<Head>()) == 1)
            try save()
        }
        try storage.read { context in
            let head = try context.fetch(Request<Head>())[0]
            #expect(head.body.first === head)
        }
    }
}

/// What is in a file, asked by a connection of its own.
private func ask(_ file: URL, _ sql: String) throws -> [String] {
    let connection = try Connection(path: file.path, role: .writer)
    defer { connection.close() }
    var found: [String] = []
    try connection.rows(SQLText(sql)) { row in
        row.base = 0
        found.append(try row.text(0))
    }
    return found
}

@Entity(indexes: [["match"]])
final class OrderedA {
    @Relationship(inverse: "all", ordered: true) var all: [OrderedB]
    @Relationship(inverse: "match") var match: OrderedB?
}

@Entity
final class OrderedB {
    @Relationship(inverse: "all", ordered: true) var all: [OrderedA]
    @Relationship(inverse: "match") var match: OrderedA
}

@Entity("Shelf")
final class OldShelf {
    @Attribute(.primaryKey) var name = ""
}

@Entity("Book")
final class OldBook {
    @Attribute(.primaryKey) var title = ""
}

@Entity
final class Shelf {
    @Attribute(.primaryKey) var name = ""
    @Relationship(inverse: "shelf", ordered: true) var books: [Book]
    @Relationship var favourites: [Book]
}

@Entity
final class Book {
    @Attribute(.primaryKey) var title = ""
    @Relationship(inverse: "books") var shelf: Shelf?
}

@Entity("Shelf")
final class StrictShelf {
    @Attribute(.primaryKey) var name = ""
    @Relationship(inverse: "shelf", ordered: true) var books: [StrictBook]
    @Relationship var favourites: [StrictBook]
}

@Entity("Book")
final class StrictBook {
    @Attribute(.primaryKey) var title = ""
    @Relationship(inverse: "books") var shelf: StrictShelf?
    @Relationship var owner: StrictShelf
}

@Entity
final class Tree {
    @Relationship(.noAction, inverse: "tree") var leaves: [Leaf]
}

@Entity
final class Leaf {
    @Relationship(inverse: "leaves") var tree: Tree?
}

@Entity
final class Head {
    @Relationship(inverse: "heads") var body: Body
    @Relationship(inverse: "first") var leads: [Body]
}

@Entity
final class Body {
    @Relationship(inverse: "leads") var first: Head
    @Relationship(inverse: "body") var heads: [Head]
}
