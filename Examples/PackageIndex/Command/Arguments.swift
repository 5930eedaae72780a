/// What the command line asks for.
struct Arguments: Equatable {
    enum Command: Equatable {
        case help
        case `import`
        case why(from: String, to: String, recommended: Bool)
        case reverse(String)
        case maintainer(String)
        case top(Int)
    }

    var command: Command
    /// Where the store is, when it is not at its usual place.
    var store: String?

    struct Wrong: Error, Equatable {
        var reason: String
    }

    init(command: Command, store: String? = nil) {
        self.command = command
        self.store = store
    }

    /// Throws ``Wrong`` for what the usage does not offer.
    init(_ written: [String]) throws {
        var words: [String] = []
        var recommended = false
        var rest = written[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h":
                command = .help
                return
            case "--store":
                guard let path = rest.popFirst(), !path.isEmpty else { throw Wrong(reason: "--store needs a path") }
                store = path
            case "--recommends": recommended = true
            case _ where word.hasPrefix("-"): throw Wrong(reason: "unknown option \(word)")
            default: words.append(word)
            }
        }
        command = try Arguments.command(words, recommended)
    }

    private static func command(_ words: [String], _ recommended: Bool) throws -> Command {
        guard let name = words.first else { throw Wrong(reason: "no command") }
        if recommended, name != "why" { throw Wrong(reason: "--recommends belongs to why") }
        switch (name, words.count - 1) {
        case ("help", 0): return .help
        case ("import", 0): return .import
        case ("why", 2): return .why(from: words[1], to: words[2], recommended: recommended)
        case ("reverse", 1): return .reverse(words[1])
        case ("maintainer", 1): return .maintainer(words[1])
        case ("top", 0): return .top(10)
        case ("top", 1):
            guard let count = Int(words[1]), count > 0 else { throw Wrong(reason: "top takes a number above 0") }
            return .top(count)
        case ("help", _), ("import", _), ("why", _), ("reverse", _), ("maintainer", _), ("top", _):
            throw Wrong(reason: "\(name) takes other arguments")
        default: throw Wrong(reason: "unknown command \(name)")
        }
    }

    static let usage = """
        Usage: PackageIndex [--store PATH] COMMAND

          import                    reads an index from standard input:
                                    apt-cache dumpavail | PackageIndex import
          why [--recommends] A B    a shortest way by which A depends on B
          reverse NAME              what names the package, and how
          maintainer NAME           the packages of a maintainer, by a part of the name or mail
          top [N]                   what is depended upon most, who maintains most

        The store is kept among the user's data ($XDG_DATA_HOME) unless --store says where.
        Exit status: 0 done; 1 nothing found, or an index with broken stanzas; 2 wrong usage; 3 failure.

        """
}
