/// What a field such as `Depends` says: every clause has to be met, by any one of its alternatives.
///
///     libc6 (>= 2.34), default-mta | mail-transport-agent, python3:any [amd64] <!nocheck>
struct DependencyField: Equatable {
    struct Alternative: Equatable {
        var name: String
        /// What stands behind the name's colon: `any`, `native` or an architecture.
        var architecture: String?
        var relation: VersionRelation?
        var version: String?
        /// Architectures and build profiles as written: `[amd64] <!nocheck>`.
        var restriction: String?
    }

    struct Fault: Error, Equatable {
        var reason: String
        /// Where in the text, in bytes.
        var offset: Int
    }

    /// The clauses in their order, each with its alternatives in their order.
    var clauses: [[Alternative]] = []

    /// Throws ``Fault`` for what is no list of dependencies. A comma too many is none.
    init(_ text: String) throws {
        var scanner = DependencyScanner(text)
        while !scanner.isAtEnd {
            if scanner.skip(UInt8(ascii: ",")) { continue }
            var clause: [Alternative] = []
            repeat { clause.append(try scanner.alternative()) } while scanner.skip(UInt8(ascii: "|"))
            clauses.append(clause)
            guard scanner.isAtEnd || scanner.skip(UInt8(ascii: ",")) else {
                throw scanner.fault("expected a comma or a bar")
            }
        }
    }
}

/// How a version has to compare.
enum VersionRelation: String, CaseIterable {
    case earlier = "<<"
    case earlierOrEqual = "<="
    case equal = "="
    case laterOrEqual = ">="
    case later = ">>"

    /// Also takes `<` and `>`, which of old mean "or equal".
    init?(written: String) {
        switch written {
        case "<": self = .earlierOrEqual
        case ">": self = .laterOrEqual
        default: self.init(rawValue: written)
        }
    }
}
