import KernelSQL

/// A key path that is no attribute's, or no relationship's, as far as Swift tells which.
struct BrokenStep: Error, Hashable {
    let text: String

    init(_ path: AnyKeyPath) { text = path.shownSteps }
}

extension AnyKeyPath {
    /// The key path as Swift prints it, with the types of computed steps in the place of addresses:
    /// `\Car.<Optional<Person>>?.<String>`.
    fileprivate var shownSteps: String {
        var rest = "\(self)"[...]
        var text = ""
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            rest = rest[start...]
            guard rest.hasPrefix("<computed "), let type = rest.firstIndex(of: "(") else {
                text.append("<")
                rest = rest.dropFirst()
                continue
            }
            text.append("<")
            rest = rest[type...].dropFirst()
            while !rest.isEmpty, !rest.hasPrefix(")>") { text.append(rest.removeFirst()) }
            rest = rest.dropFirst()
        }
        return (text + rest).shown(limit: 300)
    }
}
