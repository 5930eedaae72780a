import DataKernel

/// Which of a package's relationships to many differ from what the index says. Only reads.
struct PackageDifference {
    let package: Package
    let tags: Bool
    let dependencies: Bool
    let provisions: Bool

    var isAny: Bool { tags || dependencies || provisions }

    init(_ package: Package, _ record: PackageRecord) {
        self.package = package
        tags = Set(package.tags.map(\.name)) != Set(record.tags)
        dependencies = package.dependencyRecords != record.dependencies
        let provided = package.provisions.sorted { $0.position < $1.position }
        provisions = !provided.elementsEqual(record.provides) { $0.name == $1.name && $0.version == $1.version }
    }
}

extension Package {
    /// The dependencies as a record has them.
    var dependencyRecords: [PackageRecord.Dependency] {
        dependencies.sorted { $0.position < $1.position }.map { dependency in
            PackageRecord.Dependency(
                kind: dependency.kind, alternatives: dependency.alternatives.map { DependencyField.Alternative($0) })
        }
    }

    func fill(_ record: PackageRecord) {
        version = record.version
        architecture = record.architecture
        priority = record.priority
        installedSize = record.installedSize
        summary = record.summary
        homepage = record.homepage
    }
}

extension Maintainer {
    func fill(_ written: MaintainerField) {
        name = written.name
        mail = written.mail
    }
}
