import Testing

@testable import PackageIndexCore

@Suite("Reading the fields of a package")
struct FieldTests {
    private typealias Alternative = DependencyField.Alternative

    @Test("clauses, alternatives, versions, architectures and profiles keep their order and their text")
    func dependencies() throws {
        let field = try DependencyField("a (>= 1.2) | b [amd64 !i386] <!nocheck> <x>, c:any,\n d(<<1:2.0~rc1-1+b2) , ")
        let expected: [[Alternative]] = [
            [
                Alternative(name: "a", relation: .laterOrEqual, version: "1.2"),
                Alternative(name: "b", restriction: "[amd64 !i386] <!nocheck> <x>"),
            ],
            [Alternative(name: "c", architecture: "any")],
            [Alternative(name: "d", relation: .earlier, version: "1:2.0~rc1-1+b2")],
        ]
        #expect(field.clauses == expected)
        #expect(try DependencyField("").clauses.isEmpty)
        #expect(try DependencyField(" , ,").clauses.isEmpty)
    }

    @Test(
        "every relation is read, the old ones as what they mean",
        arguments: [
            ("<<", VersionRelation.earlier), ("<=", .earlierOrEqual), ("=", .equal), (">=", .laterOrEqual),
            (">>", .later),
            ("<", .earlierOrEqual), (">", .laterOrEqual),
        ])
    func relations(written: String, relation: VersionRelation) throws {
        #expect(
            try DependencyField("a (\(written) 1)").clauses == [
                [Alternative(name: "a", relation: relation, version: "1")]
            ])
    }

    @Test(
        "what is no dependency is refused, with the place",
        arguments: [
            ("a (1.2)", 3), ("a (>= )", 6), ("a (>= 1", 7), ("a (=> 1)", 5), ("a |", 3), ("| a", 0), ("a b", 2),
            ("a:", 2),
            ("a [amd64", 2), ("a, é", 3), ("a (>= 1 2)", 8), ("a || b", 3), ("a <x", 2),
        ])
    func badDependencies(text: String, offset: Int) {
        let fault = #expect(throws: DependencyField.Fault.self) { _ = try DependencyField(text) }
        #expect(fault?.offset == offset)
    }

    @Test(
        "maintainers, as people write them",
        arguments: [
            ("Ann Lee <ann@example.org>", "Ann Lee", "ann@example.org"),
            (" \"Lee, Ann\" <Ann@Example.org>,", "Lee, Ann", "Ann@Example.org"),
            ("ann@example.org", "ann@example.org", "ann@example.org"),
            ("<ann@example.org>", "ann@example.org", "ann@example.org"),
            ("The Team", "The Team", ""),
            ("The Team <>", "The Team", ""),
            ("A < B <c@example.org>", "A < B", "c@example.org"),
        ])
    func maintainers(text: String, name: String, mail: String) throws {
        let field = try #require(MaintainerField(text))
        #expect(field.name == name)
        #expect(field.mail == mail)
        #expect(field.key == (mail.isEmpty ? name : mail.lowercased()))
    }

    @Test("a maintainer of nothing but blanks and commas is none", arguments: ["", " , \n", "<>", "\"\""])
    func noMaintainer(text: String) {
        #expect(MaintainerField(text) == nil)
    }

    @Test("tags are read once each, in their order")
    func tags() {
        #expect(
            TagField("role::program, use::editing,\n role::program, ,x11::application").tags
                == ["role::program", "use::editing", "x11::application"])
    }

    @Test("a record has what the stanza says, kind by kind")
    func record() throws {
        let record = try record(
            """
            Package: a
            Version: 1.0
            Installed-Size: 12
            Depends: b | c, d
            Pre-Depends: e
            Breaks: f
            Provides: g (= 1), h
            Description: one line
             and more
            Maintainer: Ann <ann@example.org>
            """)
        #expect(record.name == "a" && record.version == "1.0" && record.installedSize == 12)
        #expect(record.summary == "one line")
        #expect(record.maintainer?.key == "ann@example.org")
        #expect(record.dependencies.map(\.kind) == [.preDepends, .depends, .depends, .breaks])
        #expect(record.dependencies.map { $0.alternatives.map(\.name) } == [["e"], ["b", "c"], ["d"], ["f"]])
        #expect(record.provides.map(\.name) == ["g", "h"])
        #expect(record.homepage == nil && record.tags.isEmpty)
    }

    @Test("a stanza that is no package says what is missing or wrong, and in which line")
    func badRecords() {
        func fault(_ text: String) -> BrokenStanza? {
            #expect(throws: BrokenStanza.self) { _ = try self.record(text) }
        }
        #expect(fault("Version: 1") == BrokenStanza(line: 1, package: nil, fault: .missingField("Package")))
        #expect(fault("Package: a") == BrokenStanza(line: 1, package: "a", fault: .missingField("Version")))
        #expect(fault("Package: a b\nVersion: 1")?.fault == .badValue(field: "Package", reason: "not a package's name"))
        #expect(
            fault("Package: a\nVersion: 1\nInstalled-Size: big")
                == BrokenStanza(
                    line: 3, package: "a", fault: .badValue(field: "Installed-Size", reason: "not a number")))
        #expect(
            fault("Package: a\nVersion: 1\nDepends: b,\n# note\n c (1)")
                == BrokenStanza(
                    line: 5, package: "a", fault: .badValue(field: "Depends", reason: "expected <<, <=, =, >= or >>")))
    }

    private func record(_ text: String) throws -> PackageRecord {
        try PackageRecord(try #require(read(text).stanzas.first))
    }
}
