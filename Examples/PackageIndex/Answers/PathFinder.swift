import DataKernel

/// Finds a shortest way from one package to another through dependencies: breadth first, each frontier loaded by one
/// request. Versions are shown and not compared; a dependency on a name that others provide leads to all of them.
struct PathFinder {
    struct Step: Equatable {
        var package: String
        var kind: DependencyKind
        /// The dependency, as the index writes it.
        var written: String
        var target: String
        /// Whether the target only provides the name.
        var isProvided: Bool

        var text: String {
            let verb =
                switch kind {
                case .preDepends: "pre-depends on"
                case .recommends: "recommends"
                default: "depends on"
                }
            return "\(package) \(verb) \(written)" + (isProvided ? ", which \(target) provides" : "")
        }
    }

    let context: any ReadContext
    /// The kinds of dependencies to follow.
    let kinds: [DependencyKind]

    /// The steps of a shortest way, or nil if there is none.
    func path(from start: String, to end: String) throws -> [Step]? {
        if start == end { return [] }
        var stepTo: [String: Step] = [:]
        var frontier = [start]
        while !frontier.isEmpty, stepTo[end] == nil {
            var next: [String] = []
            for step in try steps(from: frontier) where step.target != start && stepTo[step.target] == nil {
                stepTo[step.target] = step
                next.append(step.target)
            }
            frontier = next
        }
        guard stepTo[end] != nil else { return nil }
        return Array(sequence(first: end) { stepTo[$0]?.package }.compactMap { stepTo[$0] }.reversed())
    }

    /// All steps that lead away from these packages, in the order of their names and of the dependencies.
    private func steps(from packages: [String]) throws -> [Step] {
        let request = Request<Dependency>()
            .filter(where: { $0.package.name.oneOf(packages) && $0.kind.oneOf(kinds) })
            .sort(by: { $0.package.name }).sort(\.position)
            .prefetch(\.package, \.alternatives.target)
        let dependencies = try context.fetch(request)
        let providers = try providers(of: Set(dependencies.flatMap { $0.alternatives.map(\.name) }))
        return dependencies.flatMap { dependency in
            let (package, kind) = (dependency.package?.name ?? "", dependency.kind)
            return dependency.alternatives.flatMap { alternative in
                let step = Step(
                    package: package, kind: kind, written: alternative.text, target: alternative.name, isProvided: false
                )
                let others = (providers[alternative.name] ?? []).filter { $0 != package }.map { provider in
                    Step(package: package, kind: kind, written: step.written, target: provider, isProvided: true)
                }
                return alternative.target == nil ? others : [step] + others
            }
        }
    }

    private func providers(of names: Set<String>) throws -> [String: [String]] {
        let request = Request<Provision>().filter(\.name, oneOf: names).sort(by: { $0.package.name }).prefetch(
            \.package)
        return Dictionary(grouping: try context.fetch(request), by: \.name)
            .mapValues { $0.compactMap { $0.package?.name } }
    }
}
