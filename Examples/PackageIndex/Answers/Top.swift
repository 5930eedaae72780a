import DataKernel

extension Answers {
    /// What is depended upon most, and who maintains most.
    func top(_ count: Int) throws -> [String] {
        let maintainers = try context.fetch(
            Request<Maintainer>().sort(by: { $0.packages.count }, .descending).sort(\.key).limit(count))
        var lines = ["Most depended upon:"]
        lines += try mostDependedUpon(count).map { "  \($0.dependencies) \($0.name)" }
        lines.append("Most maintained:")
        lines += try maintainers.map { "  \(try context.count($0.request(\.packages))) \($0.text)" }
        return lines
    }

    /// A package cannot have more dependencies on it than it has mentions of all kinds. So the packages are gone
    /// through in the order of their mentions, and the end is reached when the next cannot come in any more.
    private func mostDependedUpon(_ count: Int) throws -> [(name: String, dependencies: Int)] {
        var found: [(name: String, dependencies: Int)] = []
        var offset = 0
        while true {
            let page = try context.fetch(
                Request<Package>().sort(by: { $0.mentions.count }, .descending).sort(\.name)
                    .limit(count).offset(offset))
            for package in page {
                let mentions = try context.count(package.request(\.mentions))
                if found.count >= count, mentions < found[count - 1].dependencies { return Array(found.prefix(count)) }
                let dependencies = try context.count(
                    package.request(\.mentions).filter(where: { $0.dependency.kind.oneOf([.preDepends, .depends]) }))
                if dependencies > 0 { found.append((package.name, dependencies)) }
                found.sort { ($1.dependencies, $0.name) < ($0.dependencies, $1.name) }
            }
            if page.count < count { return Array(found.prefix(count)) }
            offset += count
        }
    }
}
