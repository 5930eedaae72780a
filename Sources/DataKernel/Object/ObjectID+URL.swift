public import Foundation

// How an id goes where only text can: into a link, a notification, another program.
extension ObjectID {
    /// The id as a URL, `datakernel:/Car/7`. Letters that a URL cannot hold are percent-encoded.
    public var url: URL {
        var parts = URLComponents()
        parts.scheme = ObjectID.scheme
        parts.percentEncodedPath = "/\(ObjectID.encoded(entityName))/\(row)"
        // Made of parts that are all right in a URL.
        return parts.url ?? URL(filePath: "/")
    }

    /// The id that ``url`` was made of, or nil when it is none. Whether there is such an object, only
    /// `context.object(with:)` can tell.
    public init?(url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: false), parts.scheme == ObjectID.scheme,
            parts.host ?? "" == "", parts.query == nil, parts.fragment == nil
        else { return nil }
        let path = parts.percentEncodedPath.parts(separatedBy: "/")
        guard path.count == 3, path[0].isEmpty, let name = path[1].removingPercentEncoding, !name.isEmpty
        else { return nil }
        // It takes much for a number that a row is not written as.
        let row = strtoll(path[2], nil, 10)
        guard row > 0, "\(row)" == path[2] else { return nil }
        self.init(entityName: name, row: row)
    }

    private static let scheme = "datakernel"

    private static func encoded(_ name: String) -> String {
        var text = ""
        var name = name
        name.withUTF8 { bytes in
            for byte in bytes {
                let character = Character(Unicode.Scalar(byte))
                if byte < 0x80, character.isLetter || character.isNumber || character == "_" || character == "-" {
                    text.append(character)
                } else {
                    text += String(format: "%%%02X", byte)
                }
            }
        }
        return text
    }
}

extension String {
    /// What stands between the separators, empty parts included. (`split` is generic, and brings all that can be done with
    /// a part of a string.)
    func parts(separatedBy separator: Character) -> [String] {
        var parts: [String] = []
        var part = ""
        for character in self {
            if character == separator {
                parts.append(part)
                part = ""
            } else {
                part.append(character)
            }
        }
        parts.append(part)
        return parts
    }
}
