import DataKernel

/// One clause of a package's dependencies. Any one of its alternatives meets it.
@Entity
final class Dependency {
    var kind = DependencyKind.depends
    /// Its place among the package's dependencies, all kinds together.
    var position = 0
    @Relationship(.nullify, inverse: "dependencies") var package: Package?
    @Relationship(.cascade, inverse: "dependency", ordered: true) var alternatives: [Alternative]
}

/// A package that meets a dependency, by its name and perhaps its version.
@Entity
final class Alternative {
    /// Kept in any case: the index may not have the package, or it is a name that others provide.
    @Attribute(.indexed) var name = ""
    var architecture: String?
    var relation: VersionRelation?
    var version: String?
    /// Architectures and build profiles, as written.
    var restriction: String?
    @Relationship(.nullify, inverse: "alternatives") var dependency: Dependency?
    /// The package of that name, if the index has it.
    @Relationship(.nullify, inverse: "mentions") var target: Package?
}

/// A name that a package answers to besides its own, such as `mail-transport-agent`.
@Entity
final class Provision {
    @Attribute(.indexed) var name = ""
    /// Its place among the package's provisions.
    var position = 0
    var version: String?
    @Relationship(.nullify, inverse: "provisions") var package: Package?
}

extension VersionRelation: AttributeValue {}
