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
        let path = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
        guard path.count == 3, path[0].isEmpty, let name = String(path[1]).removingPercentEncoding, !name.isEmpty,
            let row = Int64(path[2]), row > 0, String(row) == path[2]
        else { return nil }
        self.init(entityName: name, row: row)
    }

    private static let scheme = "datakernel"

    private static func encoded(_ name: String) -> String {
        let plain = CharacterSet(charactersIn: "a"..."z").union(CharacterSet(charactersIn: "A"..."Z"))
            .union(CharacterSet(charactersIn: "0"..."9")).union(CharacterSet(charactersIn: "_-"))
        return name.addingPercentEncoding(withAllowedCharacters: plain) ?? name
    }
}
