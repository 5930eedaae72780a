extension String {
    /// The name as SQL writes it: in double quotes, with quotes inside doubled. A keyword is then a name like
    /// any other.
    package var sqlIdentifier: String {
        if !utf8.contains(UInt8(ascii: "\"")) { return "\"" + self + "\"" }
        var text = "\""
        for character in unicodeScalars {
            if character == "\"" { text.unicodeScalars.append("\"") }
            text.unicodeScalars.append(character)
        }
        text.unicodeScalars.append("\"")
        return text
    }
}
