import DataKernel

/// What the program answers, as lines. A question about a name that nothing has throws ``Unknown``.
struct Answers {
    struct Unknown: Error, Equatable {
        var what: String
        var name: String
        /// Names that may have been meant.
        var suggestions: [String]
    }

    /// The store has no packages.
    struct NothingImported: Error {}

    let context: any ReadContext

    /// A shortest way from one package to another, a line for each step; nil if there is none.
    func why(_ from: String, _ to: String, recommended: Bool) throws -> [String]? {
        for name in [from, to] where try !context.exists(Request<Package>().filter(\.name == name)) {
            throw try unknownPackage(name)
        }
        let kinds: [DependencyKind] = [.preDepends, .depends] + (recommended ? [.recommends] : [])
        guard let path = try PathFinder(context: context, kinds: kinds).path(from: from, to: to) else { return nil }
        return path.isEmpty ? ["\(from) is \(to)."] : path.map(\.text)
    }

    /// What names the package, kind by kind.
    func reverse(_ name: String) throws -> [String] {
        let mentions = Request<Alternative>().filter(\.name == name)
            .sort(by: { $0.dependency.package.name }).prefetch(\.dependency.package)
        let providers = Request<Provision>().filter(\.name == name)
            .sort(by: { $0.package.name }).prefetch(\.package)
        let byKind = Dictionary(grouping: try context.fetch(mentions)) { $0.dependency?.kind ?? .depends }
        let provided = try context.fetch(providers).compactMap { $0.package?.name }
        if byKind.isEmpty, provided.isEmpty, try !context.exists(Request<Package>().filter(\.name == name)) {
            throw try unknownPackage(name)
        }
        var lines = provided.map { "\($0) provides it" }
        for kind in DependencyKind.allCases {
            lines += (byKind[kind] ?? []).map { mention in
                "\(mention.dependency?.package?.name ?? "?") \(kind.rawValue) \(mention.text)"
            }
        }
        return lines.isEmpty ? ["Nothing names \(name)."] : lines
    }

    /// The packages of each maintainer whose name or mail has the text in it.
    func maintainer(_ text: String) throws -> [String] {
        let request = Request<Maintainer>()
            .filter(.contains(\.name, text, comparing: .insensitive) || .contains(\.key, text, comparing: .insensitive))
            .sort(\.name).prefetch(\.packages)
        let maintainers = try context.fetch(request)
        guard !maintainers.isEmpty else { throw try unknownMaintainer(text) }
        return maintainers.flatMap { maintainer in
            let packages = maintainer.packages.sorted { $0.name < $1.name }
            return ["\(maintainer.text): \(packages.count)"] + packages.map { "  \($0.name): \($0.summary)" }
        }
    }

    private func unknownPackage(_ name: String) throws -> Unknown {
        Unknown(what: "package", name: name, suggestions: try Suggestions(context: context).packages(like: name))
    }

    private func unknownMaintainer(_ name: String) throws -> Unknown {
        let names = try context.values(Request<Maintainer>(), \.name)
        return Unknown(what: "maintainer", name: name, suggestions: Suggestions.nearest(to: name, among: names))
    }
}
