import DataKernel

/// The packages of one unit of work: what the store has of them is read first, in a few queries for all, and then what
/// differs is written.
struct ImportUnit {
    private let context: any Context
    private let records: [PackageRecord]
    /// Maintainers that this unit gives their names.
    private let people: [String: MaintainerField]

    init(_ context: any Context, _ records: [PackageRecord], _ people: [String: MaintainerField]) {
        self.context = context
        self.records = records
        self.people = people
    }

    func run() throws -> ImportReport {
        let packages: [Package] = try context.acquire(all: records.map(\.name))
        let differences = zip(packages, records).map { PackageDifference($0, $1) }
        let surroundings = try Surroundings(context, records, differences)
        for person in people.values { surroundings.maintainers[person.key]?.fill(person) }

        var report = ImportReport()
        for (difference, record) in zip(differences, records) {
            let package = difference.package
            package.fill(record)
            package.maintainer = record.maintainer.flatMap { surroundings.maintainers[$0.key] }
            package.section = surroundings.sections[record.section]
            if package.isInserted {
                report.added += 1
            } else if package.hasChanges || difference.isAny {
                report.changed += 1
            } else {
                report.unchanged += 1
            }
            try write(difference, record, surroundings)
        }
        try resolveMentions(of: packages.filter(\.isInserted))
        report.saves = context.hasChanges ? 1 : 0
        return report
    }

    private func write(
        _ difference: PackageDifference, _ record: PackageRecord, _ surroundings: Surroundings
    ) throws {
        let package = difference.package
        if difference.tags { package.tags = record.tags.compactMap { surroundings.tags[$0] } }
        if difference.dependencies {
            try context.remove(package.dependencies)
            for (position, written) in record.dependencies.enumerated() {
                let dependency = try context.create(Dependency.self)
                dependency.kind = written.kind
                dependency.position = position
                dependency.package = package
                dependency.alternatives = try written.alternatives.map { written in
                    let alternative = try context.create(Alternative.self)
                    alternative.fill(written)
                    alternative.target = surroundings.packages[written.name]
                    return alternative
                }
            }
        }
        if difference.provisions {
            try context.remove(package.provisions)
            for (position, written) in record.provides.enumerated() {
                let provision = try context.create(Provision.self)
                provision.name = written.name
                provision.version = written.version
                provision.position = position
                provision.package = package
            }
        }
    }

    /// Earlier packages may name these, which were not there then.
    private func resolveMentions(of added: [Package]) throws {
        guard !added.isEmpty else { return }
        let packages = Dictionary(added.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let mentions = Request<Alternative>().filter(.oneOf(\.name, packages.keys) && \.target == nil)
        for mention in try context.fetch(mentions) { mention.target = packages[mention.name] }
    }
}

/// What the packages of a unit refer to, by name. One query for each kind.
struct Surroundings {
    let maintainers: [String: Maintainer]
    let sections: [String: Section]
    let tags: [String: Tag]
    /// The packages that new dependencies name, as far as there are such.
    let packages: [String: Package]

    init(_ context: any Context, _ records: [PackageRecord], _ differences: [PackageDifference]) throws {
        func acquired<E: Entity>(_ type: E.Type, _ keys: Set<String>) throws -> [String: E] {
            let sorted = keys.sorted()
            return Dictionary(uniqueKeysWithValues: zip(sorted, try context.acquire(type, all: sorted)))
        }
        maintainers = try acquired(Maintainer.self, Set(records.compactMap { $0.maintainer?.key }))
        sections = try acquired(Section.self, Set(records.map(\.section)))
        tags = try acquired(Tag.self, Set(records.flatMap(\.tags)))
        var names: Set<String> = []
        for (difference, record) in zip(differences, records) where difference.dependencies {
            for dependency in record.dependencies { names.formUnion(dependency.alternatives.map(\.name)) }
        }
        let found = names.isEmpty ? [] : try context.fetch(Request<Package>().filter(\.name, oneOf: names))
        packages = Dictionary(found.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
