/// Asks whether objects are among others: by going through them while the question is put a few times, by a table of
/// them from then on.
final class ObjectSet {
    private let parts: [ContiguousArray<AnyObject>.SubSequence]
    private var asked = 0
    private lazy var table: Set<ObjectIdentifier> = {
        var table: Set<ObjectIdentifier> = []
        for part in parts { for object in part { table.insert(ObjectIdentifier(object)) } }
        return table
    }()

    init(_ parts: [ContiguousArray<AnyObject>.SubSequence]) { self.parts = parts }

    func contains(_ object: AnyObject) -> Bool {
        asked += 1
        if asked > 8 { return table.contains(ObjectIdentifier(object)) }
        return parts.contains { part in part.contains { $0 === object } }
    }

    /// Each object once, where it stands first.
    static func unique<T: AnyObject>(_ objects: ArraySlice<T>) -> [T] {
        if objects.count == 1 { return Array(objects) }
        var seen: Set<ObjectIdentifier> = []
        return objects.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}
