/// `@Name(arguments)` before a declaration. A modifier is one without `@`.
struct Attribute {
    /// As written, without `@`: `Attribute`, `DataKernel.Transient`, `private`.
    var name: String
    /// The whole of it, from `@` on.
    var range: Range<Int>
    /// What is between the parentheses.
    var arguments: Range<Int>?

    /// The name without the kernel's module before it.
    var shortName: String { name.without(prefix: "DataKernel.") ?? name }
}

/// What stands behind a property's name and type.
enum Accessors {
    case none
    /// `willSet` or `didSet`: the property is stored.
    case observers
    /// A getter, a setter: nothing is stored.
    case computed
}

/// One name that a `var` or `let` declares.
final class Binding {
    /// As written, in backticks when it is.
    let name: String
    let nameRange: Range<Int>
    /// Whether it is a tuple pattern, `var (a, b)`, or `_`.
    var isPattern = false
    var type: Range<Int>?
    var typeShape = TypeShape.plain
    var value: Range<Int>?
    var accessors = Accessors.none
    /// The first word of its accessors or observers, `didSet` for one.
    var accessorRange: Range<Int>?
    /// Name, type and initial value.
    var range: Range<Int>

    init(_ name: String, _ range: Range<Int>) {
        self.name = name
        nameRange = range
        self.range = range
    }

    /// The name without backticks.
    var plainName: String { Binding.plain(name) }

    @inline(never)
    static func plain(_ name: String) -> String {
        let bytes = name.bytes
        return bytes.first == Byte.backtick && bytes.count > 2 ? bytes.text(1..<bytes.count - 1) : name
    }
}

/// A declaration: a type, or one of a type's members.
final class Declaration {
    var attributes: [Attribute] = []
    var modifiers: [Attribute] = []
    /// `class`, `extension`, `var`, `func` …
    var keyword = ""
    var keywordRange = 0..<0
    /// Whether an `#if` decides about it.
    var isConditional = false

    /// A type's name.
    var name = ""
    var nameRange = 0..<0
    var generics: Range<Int>?
    /// Between the colon and the brace.
    var inheritance: Range<Int>?
    var members: [Declaration] = []

    /// What a `var` or `let` declares.
    var bindings: [Binding] = []
    /// Whether it is `init` with no parameters and no `?`.
    var isPlainInit = false

    var isProperty: Bool { isLet || keyword == "var" }
    var isLet: Bool { keyword == "let" }
    var isStatic: Bool { modifier("static") != nil || modifier("class") != nil }
    /// Whether it is a property whose values objects hold.
    var isStored: Bool { isProperty && !isStatic && bindings.contains { $0.accessors != .computed } }
    var properties: [Declaration] { members.filter { $0.isProperty } }

    @inline(never)
    func modifier(_ name: String) -> Attribute? { modifiers.first { $0.name == name } }
    /// The first attribute of that name, with the kernel's module before it or not.
    @inline(never)
    func attribute(_ name: String) -> Attribute? { attributes.first { $0.shortName == name } }
}
