import Testing

@testable import PackageIndexCore

@Suite("Reading the cut of Debian's index")
struct CutReadingTests {
    @Test("every stanza is read, and says what splitting the text says")
    func records() throws {
        let cut = try Cut()
        let items = read(cut.text)
        #expect(items.broken.isEmpty)
        let records = try items.stanzas.map { try PackageRecord($0) }
        #expect(records.count == 202)
        try #require(records.map(\.name) == cut.packages.map { $0["Package"] })

        for (record, fields) in zip(records, cut.packages) {
            #expect(record.version == fields["Version"])
            #expect(record.architecture == fields["Architecture"])
            #expect(record.section == fields["Section"])
            #expect(record.priority == fields["Priority"])
            #expect(record.installedSize.map(String.init) == fields["Installed-Size"])
            #expect(record.homepage == fields["Homepage"])
            #expect(record.tags == Cut.list(fields["Tag"]))
            #expect(fields["Maintainer"]?.contains(try #require(record.maintainer).name) == true)
            for kind in DependencyKind.allCases {
                let expected = Cut.clauses(fields[kind.fieldName])
                let found = record.dependencies.filter { $0.kind == kind }.map(\.alternatives)
                #expect(found.map { $0.map(\.name) } == expected.map { $0.map(\.name) })
                let versions = found.map { $0.map { $0.relation.map { $0.rawValue } } }
                #expect(versions == expected.map { $0.map { $0.version?.components(separatedBy: " ")[0] } })
            }
            #expect(record.provides.map(\.name) == Cut.clauses(fields["Provides"]).flatMap { $0 }.map(\.name))
        }
    }

    @Test("how the stream is cut into chunks makes no difference", arguments: [1, 7, 100, 4096])
    func chunks(size: Int) throws {
        let text = try Cut().text
        let whole = read(text)
        let cut = read(text, chunk: size)
        #expect(whole.stanzas.map(\.line) == cut.stanzas.map(\.line))
        #expect(whole.stanzas.map { $0.fields.map(\.value) } == cut.stanzas.map { $0.fields.map(\.value) })
    }

    @Test("whatever happens to a stanza, its neighbours are kept", arguments: 0..<8)
    func fuzz(seed: UInt64) throws {
        let stanzas = try Cut().text.split(separator: "\n\n").map { Array($0.utf8) }
        var random = SeededNumbers(seed: seed)
        for _ in 0..<60 {
            let first = Int.random(in: 0..<stanzas.count - 2, using: &random)
            let (before, behind) = (stanzas[first], stanzas[first + 2])
            let mutated = mutation(of: stanzas[first + 1], with: &random)
            let text = before + Array("\n\n".utf8) + mutated + Array("\n\n".utf8) + behind
            let items = read(text, chunk: Int.random(in: 1...5000, using: &random), limit: 20_000)

            let names = items.stanzas.map { $0["Package"]?.value }
            #expect(names.first == name(of: before), "seed \(seed), stanza \(first)")
            #expect(names.last == name(of: behind), "seed \(seed), stanza \(first)")
            let lineCount = text.count { $0 == UInt8(ascii: "\n") } + 1
            #expect(items.broken.allSatisfy { (1...lineCount).contains($0.line) })
            for stanza in items.stanzas {
                do {
                    let record = try PackageRecord(stanza)
                    #expect(!record.name.isEmpty && !record.version.isEmpty)
                } catch let broken as BrokenStanza {
                    #expect(stanza.line <= broken.line && broken.line <= lineCount)
                }
            }
        }
    }

    private func name(of stanza: [UInt8]) -> String? {
        read(stanza, limit: 1 << 20).stanzas.first?["Package"]?.value
    }

    /// The stanza with some bytes changed, lost, doubled or put in, as bad disks and bad programs do.
    private func mutation(of stanza: [UInt8], with random: inout SeededNumbers) -> [UInt8] {
        let dangerous = Array("\n\r\0:,|()[]<>{} #-\t".utf8) + [0x80, 0xC3, 0xFF]
        var result = stanza
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let place = Int.random(in: 0..<max(result.count, 1), using: &random)
            let end = min(place + Int.random(in: 0...40, using: &random), result.count)
            let byte = dangerous.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where place < result.count: result[place] = byte
            case 1: result.insert(byte, at: min(place, result.count))
            case 2: result.removeSubrange(min(place, end)..<end)
            case 3: result.insert(contentsOf: result[min(place, end)..<end], at: min(place, end))
            default: result.insert(contentsOf: Array(repeating: byte, count: 3000), at: min(place, result.count))
            }
        }
        return result
    }
}

/// Numbers that are the same in every run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
