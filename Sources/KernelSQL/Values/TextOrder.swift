extension Array {
    /// The elements in the order of a text that each has.
    ///
    /// Only positions are sorted: the library sorts many kinds of things, none of them often, and a sort of its own for
    /// each kind is much code to compile.
    func sorted(byText text: (Element) throws -> String, _ precedes: (String, String) -> Bool = { $0 < $1 }) rethrows
        -> [Element]
    {
        let texts = try map(text)
        return order(of: texts, precedes).map { self[$0] }
    }
}

private func order(of texts: [String], _ precedes: (String, String) -> Bool) -> [Int] {
    Array(texts.indices).sorted { precedes(texts[$0], texts[$1]) }
}
