extension EntityModel {
    /// The members that `@Entity` adds to the class.
    var memberExpansion: Expansion {
        if isRefused { return Expansion(diagnostics: diagnostics) }
        var parts = [valuesStruct]
        if !relationships.isEmpty { parts.append(relationshipNumbers) }
        parts += [storage, description, initialisers, tracking]
        if let key = attributes.first(where: \.isPrimaryKey) {
            parts.append(
                "\(access)func kernelTakeKey(_ row: DataKernel.Row) throws { \(key.name) = try row.value(0) }")
        }
        if attributes.contains(where: \.isLink) { parts.append(links) }
        if arguments.isObservable { parts.append(observation) }
        return Expansion(source: parts.joined(separator: "\n\n"), diagnostics: diagnostics)
    }

    /// A line for each property: the template, with the property's name for `$` and its number for `#`.
    func lines(_ template: String, _ properties: [EntityProperty], from first: Int = 0) -> String {
        var text: [UInt8] = []
        for property in properties {
            if !text.isEmpty { text.append(Byte.newline) }
            for byte in template.bytes {
                switch byte {
                case UInt8(ascii: "$"): text += property.name.bytes
                case Byte.pound: text += (first + property.number).description.bytes
                default: text.append(byte)
                }
            }
        }
        return text.text
    }

    private var valuesStruct: String {
        let reads = attributes.map { "\($0.label): row.value(\($0.number))" }.joined(separator: ", ")
        let declarations = attributes.map { "    var \($0.declaration)" }.joined(separator: "\n")
        return """
            private struct KernelValues: DataKernel.EntityValues {
            \(declarations)

                static func kernelRead(_ row: DataKernel.Row) throws -> Self {
                    \(attributes.isEmpty ? "Self()" : "try Self(\(reads))")
                }
                static func kernelCompare(_ old: Self, _ new: Self, into changes: inout DataKernel.AttributeSet) {
            \(lines("        changes.compare(#, old.$, new.$)", attributes))
                }
                mutating func kernelMerge(_ fresh: Self, keeping kept: DataKernel.AttributeSet) {
            \(lines("        if !kept.contains(#) { self.$ = fresh.$ }", attributes))
                }
            }
            """
    }

    /// Proof that the values need no check of overlapping accesses at run time, which would be made for each read and write
    /// of an attribute: an accessor reads or writes one attribute, whose new value exists before the write begins and whose
    /// old one ends after it; the kernel's calls copy what they take first, all values or one.
    private var storage: String {
        """
        @exclusivity(unchecked) private var kernelValues: KernelValues? = nil
        \(access)let kernelState = DataKernel.KernelState()
        """
    }

    private var description: String {
        var options = ""
        if !arguments.unique.isEmpty { options += ", unique: \(arguments.unique)" }
        if !arguments.indexes.isEmpty { options += ", indexes: \(arguments.indexes)" }
        if arguments.isObservable { options += ", observable: true" }
        let table = arguments.name ?? Binding.plain(name)
        let key = attributes.first(where: \.isPrimaryKey).map { "\"\($0.plainName)\"" } ?? "nil"
        let calls = properties.map { property in
            let method = property.relationship == nil ? "attribute" : "relationship"
            let rest = property.arguments.map { ", \($0)" } ?? ""
            return "    entity.\(method)(\"\(property.plainName)\", \\\(name).\(property.name)\(rest))"
        }
        return """
            \(access)static let entity = DataKernel.EntityDescription(\(name).self, name: "\(table)"\(options)) { \
            \(properties.isEmpty ? "_" : "entity") in
            \(calls.joined(separator: "\n"))
            }
            \(access)static var pk: String? { \(key) }
            """
    }

    private var initialisers: String {
        let plain = type.members.contains(where: \.isPlainInit) ? "" : "\(access)init() {}\n"
        return """
            \(plain)\(access)init(row: borrowing DataKernel.Row) throws {
                try KernelValues.kernelFill(&kernelValues, from: row)
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
        \(lines("    case #: try binder.bind(kernelValues!.$)", attributes))
            default: break
            }
        }
        \(access)func kernelChanges() -> DataKernel.AttributeSet {
        \(comparison)
        }
        \(access)func kernelRevert() { KernelValues.kernelRevert(&kernelValues, kernelState.history) }
        private func kernelTrack() {
            kernelNoteChange(KernelValues.kernelHistory(kernelValues, kernelState.history))
        }
        """
    }

    /// One attribute after the other, in their places: copying all values first took longer than comparing them.
    private var comparison: String {
        if attributes.isEmpty { return "    DataKernel.AttributeSet()" }
        return """
                var changes = DataKernel.AttributeSet()
                guard kernelValues != nil, let old = KernelValues.kernelOriginal(kernelState.history) else {
                    return changes
                }
            \(lines("    changes.compare(#, old.values.$, kernelValues!.$)", attributes))
                return changes
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
        let line = "    if attributes.contains(#) { kernelObservation.\(method)(self, \\.$) }"
        let parts = [
            lines(line, attributes), lines(line, relationships.filter(\.isToMany), from: attributes.count),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
