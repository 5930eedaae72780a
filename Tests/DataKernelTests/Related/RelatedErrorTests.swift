import DataKernel
import KernelSQL
import Testing

@Suite("What is wrong with a request through relationships is thrown when it is used")
struct RelatedErrorTests {
    /// The message of the error that the request throws, or nil when it throws none.
    private func fault<E: Entity>(_ request: Request<E>) -> String? {
        do {
            _ = try request.checked()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private let autos = Request<Auto>()

    @Test("a misspelt step names the entity that it was looked for in")
    func misspelt() {
        #expect(fault(autos.filter("ownr.name", equalTo: "")) == "Auto has no attribute ownr; did you mean owner?")
        #expect(fault(autos.filter("owner.nam", equalTo: "")) == "Human has no attribute nam; did you mean name?")
        #expect(fault(autos.sort("owner.twon.name")) == "Human has no attribute twon; did you mean town?")
        #expect(fault(autos.filter("tyre.count", equalTo: 1)) == "Auto has no attribute tyre; did you mean tyres?")
        #expect(fault(autos.filter("xyz", equalTo: 1)) == "Auto has no attribute xyz")
        #expect(fault(autos.prefetch("owner.twon")) == "Human has no attribute twon; did you mean town?")
    }

    @Test("a name that leads on from an attribute, or into many objects")
    func ways() throws {
        #expect(
            fault(autos.sort("year.name")) == "Request<Auto>: year is an attribute of Auto, so year.name leads nowhere")
        for name in ["tyres", "tyres.worn", "owner.autos", "owner.autos.name", "tyres.count.x"] {
            let message = try #require(fault(autos.filter(name, equalTo: 1)))
            #expect(message.contains("to-many relationship: compare"), "\(name): \(message)")
        }
        #expect(
            fault(autos.prefetch("owner.name"))
                == "Request<Auto>: name is an attribute of Human; only relationships are prefetched")
        #expect(fault(autos.prefetch("")) != nil)
    }

    @Test("a relationship compared with what it cannot lead to")
    func wrongEntity() {
        #expect(
            fault(autos.filter("owner", equalTo: Town()))
                == "Request<Auto>: owner is a relationship to Human; it was compared with a Town")
        #expect(
            fault(autos.filter("owner.town", notEqualTo: Human().objectID))
                == "Request<Auto>: owner.town is a relationship to Town; it was compared with a Human")
        #expect(
            fault(autos.filter("owner", equalTo: 3))
                == "Request<Auto>: owner is a relationship to Human; it was compared with an integer: give a Human or its objectID"
        )
        #expect(
            fault(autos.filter("year", equalTo: Human()))
                == "Request<Auto>: year is no relationship; it was compared with a Human")
        #expect(fault(autos.filter("owner", oneOf: [Tag().objectID])) != nil)
        #expect(
            fault(autos.filter(.equal(\.owner, \.maker)))
                == "Request<Auto>: objects of Human are compared with those of Firm")
        #expect(fault(autos.filter("owner", equalTo: Human().objectID).filter("owner", notEqualTo: Human())) == nil)
    }

    @Test("what has no order, and what is no text")
    func kinds() {
        #expect(
            fault(autos.sort(\.owner))
                == "Request<Auto>: owner is a relationship, which has no order; name an attribute of what it leads to")
        #expect(fault(autos.sort(by: { $0.owner.town })) != nil)
        #expect(fault(autos.filter("owner", lessThan: Human().objectID)) != nil)
        #expect(
            fault(autos.filter("owner.age", contains: "1"))
                == "Request<Auto>: owner.age is an integer; only text can be searched as text")
        #expect(
            fault(autos.filter("owner", contains: "1"))
                == "Request<Auto>: owner is a relationship; only text can be searched as text")
        #expect(
            fault(autos.filter("tyres.count", equalTo: "1"))
                == "Request<Auto>: tyres.count is an integer; it was compared with text")
    }

    @Test("key paths through optionals, and properties that are no relationships")
    func keyPaths() throws {
        for message in [
            fault(autos.filter(\.owner?.name == "Ann")), fault(autos.filter(\.tyres.count == 3)),
            fault(autos.filter(where: { $0.borrower.name == "Ann" })), fault(autos.filter(\.borrower == nil)),
            fault(autos.filter(where: { $0.borrower.town.name == "Ann" })),
            fault(autos.filter(where: { $0.borrowers.count > 3 })),
        ] {
            #expect(try #require(message).contains("filter(where:"))
        }
        for message in [
            fault(autos.filter(.any(\.borrowers, \.age > 3))), fault(autos.prefetch(\.borrower)),
            fault(autos.prefetch(\.borrower.town)), fault(Auto().request(\.borrowers)),
            fault(autos.filter(where: { $0.borrowers.isEmpty || $0.borrower.autos.contains { $0.year > 3 } })),
        ] {
            #expect(try #require(message).contains("no relationship"))
        }
    }

    @Test("what is wrong inside a sub-query is wrong with the whole")
    func inner() {
        let wrong: Condition<Rim> = .oneOf(\.worn, [true]) && \.auto?.year == 3
        #expect(fault(autos.filter(!.all(\.tyres, !wrong) || \.year == 3)) != nil)
    }
}

@Suite("Prefetches")
struct PrefetchTests {
    private let owner = Auto.entity.relationship(named: "owner") ?? -1
    private let tyres = Auto.entity.relationship(named: "tyres") ?? -1
    private let town = Human.entity.relationship(named: "town") ?? -1
    private let friends = Human.entity.relationship(named: "friends") ?? -1

    @Test("are kept as ways, by key path and by name")
    func ways() {
        let request = Request<Auto>().prefetch(\.owner.town, \.tyres, \.owner.friends.town, \.maker)
        let maker = Auto.entity.relationship(named: "maker") ?? -1
        #expect(request.prefetches == [[owner, town], [tyres], [owner, friends, town], [maker]])
        #expect(
            Request<Auto>().prefetch("owner.town", "tyres").prefetch("owner.friends.town", "maker").prefetches
                == request.prefetches)
    }

    @Test("are merged when one is another, or its beginning")
    func merged() {
        #expect(Request<Auto>().prefetch(\.owner, \.owner.town).prefetches == [[owner, town]])
        #expect(Request<Auto>().prefetch(\.owner.town).prefetch(\.owner, \.owner.town).prefetches == [[owner, town]])
        #expect(
            Request<Auto>().prefetch("owner", "owner.town", "owner.friends").prefetches == [
                [owner, town], [owner, friends],
            ])
    }

    @Test("change nothing about the statement")
    func statement() throws {
        let plain = Request<Auto>().filter(\.year > 3)
        #expect(try sql(plain.prefetch(\.owner)) == sql(plain))
    }
}
