import DataKernel

/// Brings a store to what an index says, in units of work of about a thousand packages with one save each. What the
/// store has already is compared, and left alone. An import that is cut off leaves whole units behind; the next one
/// goes on from there.
struct Importer {
    /// Nothing in the input looks like a package. The store stays as it is, instead of losing all it has.
    struct NothingRead: Error {}

    private let unitSize: Int
    private let storage: any Storage
    private let console: Console
    private var progress: Progress
    private var report = ImportReport()
    /// The names of the packages that the index has, broken ones among them.
    private var names: Set<String> = []
    /// The maintainers met so far. Of several spellings of a name the first counts, so that the next import of the same
    /// index finds what it would write.
    private var maintainers: Set<String> = []

    init(_ storage: any Storage, _ console: Console, unitSize: Int) {
        self.unitSize = unitSize
        self.storage = storage
        self.console = console
        progress = Progress(console)
    }

    /// Reads standard input to its end.
    ///
    /// Throws ``NothingRead``, what reading throws, and what the store says.
    mutating func run() throws -> ImportReport {
        defer { progress.clear() }
        var reader = StanzaReader(read: console.read)
        var records: [PackageRecord] = []
        while let item = try reader.next() {
            guard let record = try record(of: item) else { continue }
            records.append(record)
            if records.count == unitSize {
                try store(records)
                records = []
            }
        }
        try store(records)
        guard report.read > 0 else { throw NothingRead() }
        try removeOthers()
        return report
    }

    private mutating func record(of item: StanzaReader.Item) throws -> PackageRecord? {
        do {
            switch item {
            case .broken(let broken): throw broken
            case .stanza(let stanza):
                let record = try PackageRecord(stanza)
                guard names.insert(record.name).inserted else {
                    report.repeated += 1
                    return nil
                }
                return record
            }
        } catch let broken as BrokenStanza {
            note(broken)
            return nil
        }
    }

    private mutating func note(_ broken: BrokenStanza) {
        progress.clear()
        console.writeError("\(broken)\n")
        report.broken += 1
        if let name = broken.package { names.insert(name) } else { report.keptOthers = true }
    }

    private mutating func store(_ records: [PackageRecord]) throws {
        guard !records.isEmpty else { return }
        var people: [String: MaintainerField] = [:]
        for person in records.compactMap(\.maintainer) where maintainers.insert(person.key).inserted {
            people[person.key] = person
        }
        let result = try storage.perform(ephemeral: true) { [people] context, save in
            let result = try ImportUnit(context, records, people).run()
            guard context.hasChanges else { return result }
            try save()
            return result
        }
        report.added += result.added
        report.changed += result.changed
        report.unchanged += result.unchanged
        report.saves += result.saves
        progress.show(report.read, "packages")
    }

    /// Removes what the index no longer has, and the maintainers, sections and tags that nothing refers to any more.
    private mutating func removeOthers() throws {
        guard !report.keptOthers else { return }
        let gone = Request<Package>().filter(!.oneOf(\.name, names))
        let result = try storage.perform(ephemeral: true) { context, save in
            let removed = try context.remove(gone)
            try context.remove(Request<Maintainer>().filter(.isEmpty(\.packages)))
            try context.remove(Request<Section>().filter(.isEmpty(\.packages)))
            try context.remove(Request<Tag>().filter(.isEmpty(\.packages)))
            guard context.hasChanges else { return (removed, 0) }
            try save()
            return (removed, 1)
        }
        report.removed = result.0
        report.saves += result.1
    }
}
