import DataKernel

/// A package of the index. There is one of each name: of several versions or architectures the index's first counts.
@Entity
final class Package {
    @Attribute(.primaryKey) var name = ""
    var version = ""
    var architecture = ""
    var priority = ""
    /// What it takes when installed, in KiB.
    var installedSize: Int?
    var summary = ""
    var homepage: String?
    @Relationship(.nullify, inverse: "packages") var maintainer: Maintainer?
    @Relationship(.nullify, inverse: "packages") var section: Section?
    @Relationship(.nullify, inverse: "packages") var tags: [Tag]
    @Relationship(.cascade, inverse: "package") var dependencies: [Dependency]
    @Relationship(.cascade, inverse: "package") var provisions: [Provision]
    /// Where other packages name this one.
    @Relationship(.nullify, inverse: "target") var mentions: [Alternative]
}

/// Who looks after packages: a person or a team.
@Entity
final class Maintainer {
    /// The mail in small letters, or the name of who has none.
    @Attribute(.primaryKey) var key = ""
    var name = ""
    var mail = ""
    @Relationship(.nullify, inverse: "maintainer") var packages: [Package]
}

/// A section of the archive: `games`, `non-free/libs`.
@Entity
final class Section {
    @Attribute(.primaryKey) var name = ""
    @Relationship(.nullify, inverse: "section") var packages: [Package]
}

/// What packages are tagged with: `role::program`.
@Entity
final class Tag {
    @Attribute(.primaryKey) var name = ""
    @Relationship(.nullify, inverse: "tags") var packages: [Package]
}
