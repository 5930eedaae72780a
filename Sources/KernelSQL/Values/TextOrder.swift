/// The positions of the texts, in the order of the texts.
///
/// For all that the library sorts by a text, none of it often: a sort of its own for each kind of thing is much code to
/// compile.
func order(of texts: [String], by precedes: (String, String) -> Bool = { $0 < $1 }) -> [Int] {
    Array(texts.indices).sorted { precedes(texts[$0], texts[$1]) }
}
