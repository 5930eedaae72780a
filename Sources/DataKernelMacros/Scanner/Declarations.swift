/// `@Name(arguments)` before a declaration.
struct Attribute: Equatable {
    /// As written, without `@`: `Attribute`, `DataKernel.Transient`.
    var name: String
    /// The whole of it, from `@` on.
    var range: Range<Int>
    /// What is between the parentheses.
    var arguments: Range<Int>?

    /// The name without the kernel's module before it.
    var shortName: String {
        name.hasPrefix("DataKernel.") ? String(name.dropFirst("DataKernel.".count)) : name
    }
}

/// `private`, or `private(set)` with its argument.
struct Modifier: Equatable {
    var name: String
    var argument: String?
    var range: Range<Int>
}

/// What stands behind a property's name and type.
enum Accessors: Equatable {
    case none
    /// `willSet` or `didSet`: the property is stored.
    case observers
    /// A getter, a setter: nothing is stored.
    case computed
}

/// One name that a `var` or `let` declares.
struct Binding: Equatable {
    /// As written, in backticks when it is.
    var name: String
    var nameRange: Range<Int>
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

    /// The name without backticks.
    var plainName: String { Binding.plain(name) }

    static func plain(_ name: String) -> String {
        name.hasPrefix("`") && name.count > 2 ? String(name.dropFirst().dropLast()) : name
    }
}

/// A `var` or `let` among a type's members.
struct Property: Equatable {
    var attributes: [Attribute]
    var modifiers: [Modifier]
    /// `var` or `let`.
    var keyword: Range<Int>
    var isLet: Bool
    var bindings: [Binding]
    /// Whether an `#if` decides about it.
    var isConditional: Bool
    /// From its first attribute or modifier on.
    var start: Int

    func hasModifier(_ name: String) -> Bool { modifiers.contains { $0.name == name } }
    var isStatic: Bool { hasModifier("static") || hasModifier("class") }
}

/// A member that is no property.
struct OtherMember: Equatable {
    var attributes: [Attribute]
    var modifiers: [Modifier]
    /// `func`, `init`, `class`, `case` …
    var keyword: String
    var range: Range<Int>
    /// Whether it is `init` with no parameters and no `?`.
    var isPlainInit: Bool
    /// The name of a function or type.
    var name: String?
}

enum Member: Equatable {
    case property(Property)
    case other(OtherMember)
}

/// A class, struct, enum, actor or extension, and its members.
struct TypeDeclaration: Equatable {
    var attributes: [Attribute] = []
    var modifiers: [Modifier] = []
    /// `class`, `struct` …
    var keyword = ""
    var keywordRange = 0..<0
    var name = ""
    var nameRange = 0..<0
    var generics: Range<Int>?
    /// Between the colon and the brace.
    var inheritance: Range<Int>?
    var members: [Member] = []

    func modifier(_ name: String) -> Modifier? { modifiers.first { $0.name == name } }
    var properties: [Property] {
        members.compactMap { if case .property(let property) = $0 { property } else { nil } }
    }
}
