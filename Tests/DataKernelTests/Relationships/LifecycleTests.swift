import DataKernel
import Foundation
import Testing

@Entity
final class Member {
    @Attribute(.primaryKey, .maxLength(10)) var name = ""
    @Attribute(.range(18...120)) var age = 20
    @Attribute(.pattern("[A-Z]{2}-[0-9]+")) var code: String?
    var saves = 0
    var isBad = false
    @Transient var events: [String] = []

    func awakeFromInsert() { events.append("inserted") }
    func awakeFromFetch() { events.append("fetched") }
    func willSave() { saves += 1 }
    func prepareForDeletion() { events.append("removed") }
    func validate() throws {
        if isBad { throw ValidationIssue("isBad", "is set") }
        if name == "twice" { throw ValidationIssues([.init("name", "is one"), .init(nil, "is two")]) }
        if name == "other" { throw Mishap() }
    }
}

@Suite("The life of an object")
struct LifecycleTests {
    private func storage() throws -> SQLiteStorage { try SQLiteStorage(store: .memory, model: [Member.self]) }

    @Test("created, fetched and removed objects are told; willSave may change what is saved")
    func events() throws {
        let storage = try storage()
        try storage.unit { context in
            let member = try context.acquire(Member.self, "Ann")
            #expect(member.events == ["inserted"])
        }
        try storage.perform(ephemeral: true) { context, save in
            let member = try context.fetch(Request<Member>())[0]
            #expect(member.events == ["fetched"])
            #expect(member.saves == 1)
            try save()
            #expect(member.saves == 1)
            member.age = 30
            try save()
            #expect(member.saves == 2)
            try context.remove(member)
            #expect(member.events == ["fetched", "removed"])
        }
    }

    @Test("a save says all that is wrong, with entity and attribute, and writes nothing")
    func validation() throws {
        let storage = try storage()
        try storage.perform(ephemeral: true) { context, save in
            let young = try context.acquire(Member.self, "young")
            young.age = 3
            young.code = "x"
            try context.acquire(Member.self, "far too long a name").isBad = true
            _ = try context.acquire(Member.self, "twice")
            _ = try context.acquire(Member.self, "other")
            let error = #expect(throws: KernelError.self) { try save() }
            guard case .validationFailed(let issues)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(
                issues.map(\.description) == [
                    "Member/\(young.objectID.row).age is less than 18.0",
                    "Member/\(young.objectID.row).code does not match the pattern [A-Z]{2}-[0-9]+",
                    "Member/\(young.objectID.row + 1).name has 19 characters; at most 10 are allowed",
                    "Member/\(young.objectID.row + 1).isBad is set",
                    "Member/\(young.objectID.row + 2).name is one",
                    "Member/\(young.objectID.row + 2) is two",
                    "Member/\(young.objectID.row + 3) Mishap()",
                ])
            #expect(issues.last?.underlying is Mishap)
            young.age = 18
            young.code = "AB-12"
            for name in ["far too long a name", "twice", "other"] {
                try context.remove(try context.acquire(Member.self, name))
            }
            try save()
        }
        #expect(try storage.read { try $0.fetch(Request<Member>()).map(\.name) } == ["young"])
    }

    @Test("a validation that fits no attribute is a fault of the model, said when the storage opens")
    func declarations() {
        let error = #expect(throws: KernelError.self) { try SQLiteStorage(store: .memory, model: [Misdeclared.self]) }
        guard case .invalidModel(let issues)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            issues == [
                "Misdeclared.text: it has a range, and is no number",
                "Misdeclared.number: it has a maxLength, and is no text or data",
                "Misdeclared.other: it has a pattern that is no regular expression",
            ])
    }
}

@Entity
final class Misdeclared {
    @Attribute(.range(1...2)) var text = ""
    @Attribute(.maxLength(3)) var number = 0
    @Attribute(.pattern("(")) var other = ""
}

@Suite("An ObjectID")
struct ObjectIDTravelTests {
    @Test("goes round through JSON and a URL, whatever the entity is called", arguments: ["Car", "a/b ü%#?", "Größe"])
    func roundTrip(_ name: String) throws {
        let id = ObjectID(entityName: name, row: 42)
        #expect(try JSONDecoder().decode(ObjectID.self, from: JSONEncoder().encode(id)) == id)
        #expect(ObjectID(url: id.url) == id)
        let text = id.url.absoluteString
        #expect(try ObjectID(url: #require(URL(string: text))) == id)
    }

    @Test(
        "is not made of other URLs",
        arguments: [
            "https://a/Car/1", "datakernel:/Car", "datakernel:/Car/x", "datakernel:/Car/0", "datakernel:/Car/1/2",
            "datakernel:/Car/1?x", "datakernel://host/Car/1", "datakernel:/Car/01",
        ])
    func others(_ text: String) throws {
        #expect(try ObjectID(url: #require(URL(string: text))) == nil)
    }

    @Test("finds its object in another context, another task and after reopening")
    func launches() async throws {
        let folder = try Folder()
        let store = StoreRef.url(folder.file())
        let id = try SQLiteStorage(store: store, model: [Member.self]).unit {
            try $0.acquire(Member.self, "Ann").objectID
        }
        let storage = try SQLiteStorage(store: store, model: [Member.self])
        let name = try await storage.perform(ephemeral: true) { context, _ in
            let member: Member? = try context.object(with: id)
            return member?.name
        }
        #expect(name == "Ann")
    }
}
