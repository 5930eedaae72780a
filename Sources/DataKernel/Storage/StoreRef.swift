public import Foundation

/// Where a store is.
public enum StoreRef: Sendable, Hashable {
    /// A file of that name in the user's data folder: on Linux `$XDG_DATA_HOME/<name>.sqlite`, with
    /// `~/.local/share` when the variable is not set; on Apple systems the Application Support folder.
    case named(String)
    /// That file. Its folder is made if it is missing.
    case url(URL)
    /// No file: a private store that is gone with the storage.
    case memory

    /// The absolute path of the file, or nil for `.memory`. Throws for a name that is no file name.
    func path() throws -> String? {
        switch self {
        case .memory: return nil
        case .url(let url):
            guard url.isFileURL else {
                throw KernelError.cannotOpen(path: url.absoluteString, reason: "it is not a file URL")
            }
            return url.absoluteURL.standardizedFileURL.path(percentEncoded: false)
        case .named(let name):
            guard !name.isEmpty, !name.contains("/"), !name.contains("\0"), name != ".", name != ".." else {
                throw KernelError.cannotOpen(path: name, reason: "a store's name is a file name without a folder")
            }
            let file = name.hasSuffix(".sqlite") ? name : name + ".sqlite"
            return try StoreRef.dataFolder().appending(path: file).path(percentEncoded: false)
        }
    }

    /// The XDG Base Directory Specification: an unset, empty or relative XDG_DATA_HOME means ~/.local/share.
    private static func dataFolder() throws -> URL {
        #if canImport(Darwin)
            return URL.applicationSupportDirectory
        #else
            let environment = ProcessInfo.processInfo.environment
            if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
                return URL(filePath: folder, directoryHint: .isDirectory)
            }
            guard let home = environment["HOME"], home.hasPrefix("/") else {
                return URL.homeDirectory.appending(path: ".local/share")
            }
            return URL(filePath: home, directoryHint: .isDirectory).appending(path: ".local/share")
        #endif
    }
}
