extension EntityModel {
    /// The members that `@Entity` adds to the class.
    var memberExpansion: Expansion {
        if isRefused { return Expansion(diagnostics: diagnostics) }
        var parts = [valuesStruct, storage, description, initialisers, tracking]
        if !relationships.isEmpty { parts.insert(relationshipNumbers, at: 1) }
        if let key = attributes.firstIndex(where: \.isPrimaryKey) {
            parts.append(
                "\(access)func kernelTakeKey(_ row: DataKernel.Row) throws { \(attributes[key].name) = try row.value(0) }"
            )
        }
        if attributes.contains(where: \.isLink) { parts.append(links) }
        if arguments.isObservable { parts.append(observation) }
        return Expansion(source: parts.joined(separator: "\n\n"), diagnostics: diagnostics)
    }

    func lines(_ indent: String, _ line: (Int, EntityAttribute) -> String) -> String {
        attributes.enumerated().map { indent + line($0, $1) }.joined(separator: "\n")
    }

    private var valuesStruct: String {
        let reads = attributes.enumerated().map { "\($1.label): row.value(\($0))" }.joined(separator: ", ")
        return """
            private struct KernelValues: DataKernel.EntityValues {
            \(lines("    ") { "var \($1.declaration)" })

                static func kernelRead(_ row: DataKernel.Row) throws -> Self {
                    \(attributes.isEmpty ? "Self()" : "try Self(\(reads))")
                }
                static func kernelCompare(_ old: Self, _ new: Self, into changes: inout DataKernel.AttributeSet) {
            \(lines("        ") { "changes.compare(\($0), old.\($1.name), new.\($1.name))" })
                }
                mutating func kernelMerge(_ fresh: Self, keeping kept: DataKernel.AttributeSet) {
            \(lines("        ") { "if !kept.contains(\($0)) { self.\($1.name) = fresh.\($1.name) }" })
                }
            }
            """
    }

    /// Proof that the values need no check of overlapping accesses at run time, which would be made for each read and write
    /// of an attribute: an accessor reads or writes one attribute, whose new value exists before the write begins and whose
    /// old one ends after it; the kernel's calls copy the values first.
    private var storage: String {
        """
        @exclusivity(unchecked) private var kernelValues: KernelValues? = nil
        \(access)let kernelState = DataKernel.KernelState()
        """
    }

    private var description: String {
        var options = ""
        if !arguments.unique.isEmpty { options += ", unique: \(EntityModel.literal(arguments.unique))" }
        if !arguments.indexes.isEmpty { options += ", indexes: \(EntityModel.literal(arguments.indexes))" }
        if arguments.isObservable { options += ", observable: true" }
        let table = EntityModel.literal(arguments.name ?? Binding.plain(name))
        let key = attributes.first(where: \.isPrimaryKey).map { EntityModel.literal($0.plainName) } ?? "nil"
        let head = "\(access)static let entity = DataKernel.EntityDescription(\(name).self, name: \(table)\(options))"
        return """
            \(head) { \(declared.isEmpty ? "_" : "entity") in
            \(declared.map { "    " + call($0) }.joined(separator: "\n"))
            }
            \(access)static var pk: String? { \(key) }
            """
    }

    private func call(_ declared: Declared) -> String {
        let (method, property, arguments) =
            switch declared {
            case .attribute(let index): ("attribute", attributes[index].name, attributes[index].arguments)
            case .relationship(let index): ("relationship", relationships[index].name, relationships[index].arguments)
            }
        let rest = arguments.map { ", \($0)" } ?? ""
        return "entity.\(method)(\(EntityModel.literal(Binding.plain(property))), \\\(name).\(property)\(rest))"
    }

    private static func literal(_ text: String) -> String { "\"\(text)\"" }

    private static func literal(_ groups: [[String]]) -> String {
        "[" + groups.map { "[" + $0.map(literal).joined(separator: ", ") + "]" }.joined(separator: ", ") + "]"
    }

    private var initialisers: String {
        (hasPlainInit ? "" : "\(access)init() {}\n") + """
            \(access)init(row: DataKernel.Row) throws {
                kernelValues = try KernelValues.kernelRead(row)
                kernelState.take(row)
            }
            """
    }

    private var tracking: String {
        """
        \(access)func kernelLoad(_ row: DataKernel.Row) throws {
            try KernelValues.kernelLoad(row, into: &kernelValues, kernelState.history)
        }
        \(access)func kernelBind(_ attribute: Int, to binder: DataKernel.Binder) throws {
            if kernelValues == nil { kernelValues = KernelValues() }
            switch attribute {
        \(lines("    ") { "case \($0): try binder.bind(kernelValues!.\($1.name))" })
            default: break
            }
        }
        \(access)func kernelChanges() -> DataKernel.AttributeSet {
            KernelValues.kernelChanges(kernelValues, kernelState.history)
        }
        \(access)func kernelRevert() { KernelValues.kernelRevert(&kernelValues, kernelState.history) }
        private func kernelTrack() {
            kernelNoteChange(KernelValues.kernelHistory(kernelValues, kernelState.history))
        }
        """
    }

    private var observation: String {
        """
        private let kernelObservation = DataKernel.KernelObservation()
        \(access)func kernelWillChange(_ attributes: DataKernel.AttributeSet) {
        \(observedLines("willSet"))
        }
        \(access)func kernelDidChange(_ attributes: DataKernel.AttributeSet) {
        \(observedLines("didSet"))
        }
        """
    }

    /// To-one relationships have their key's position; to-many ones come behind the attributes, each as many places
    /// as its number says.
    private func observedLines(_ method: String) -> String {
        let positions =
            attributes.enumerated().map { ($0, $1.name) }
            + relationships.enumerated().filter(\.element.type.isToMany).map { (attributes.count + $0, $1.name) }
        return positions.map { "    if attributes.contains(\($0)) { kernelObservation.\(method)(self, \\.\($1)) }" }
            .joined(separator: "\n")
    }
}
