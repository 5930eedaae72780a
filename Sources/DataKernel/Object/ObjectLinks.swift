/// What an object has in memory of its relationships: one place for each, in the order of the description.
///
/// A to-one that has its key among the object's values finds its target by row in the context; its place here holds a
/// target that the program assigned, so that it lives as long as the object. All others have a ``ToMany`` here once
/// they are loaded. Apart from changes that are not written yet, all of it can be dropped at any time and is loaded
/// again when it is touched.
final class ObjectLinks {
    var slots: ContiguousArray<AnyObject?>

    init(_ count: Int) { slots = ContiguousArray(repeating: nil, count: count) }

    func many(_ relationship: Int) -> ToMany? {
        slots[relationship].map { unsafeDowncast($0, to: ToMany.self) }
    }
}

/// The loaded objects of a to-many relationship, or of a to-one whose key stands at the other end (none or one then).
final class ToMany {
    var objects: ContiguousArray<AnyObject>
    /// Whether the order has to be written.
    var isReordered = false

    init(_ objects: ContiguousArray<AnyObject> = []) { self.objects = objects }

    func append(_ object: AnyObject) { objects.append(object) }

    /// Takes objects out that were removed. A removal does not look for all that refers to it: whoever reads does.
    func dropRemoved<T: Entity>(_ type: T.Type) {
        func isGone(_ object: AnyObject) -> Bool { unsafeDowncast(object, to: T.self).status == .removed }
        for object in objects where isGone(object) {
            var left: ContiguousArray<AnyObject> = []
            for object in objects where !isGone(object) { left.append(object) }
            objects = left
            return
        }
    }

    func contains(_ object: AnyObject) -> Bool {
        for known in objects where known === object { return true }
        return false
    }

    /// Whether it was there.
    @discardableResult
    func remove(_ object: AnyObject) -> Bool {
        // What was added last is what is most often removed.
        guard let index = objects.lastIndex(where: { $0 === object }) else { return false }
        objects.remove(at: index)
        return true
    }
}

/// The objects that one fetch found. The first touch of a relationship of one of them loads it for all.
final class FetchGroup {
    // Filled row by row; no access to it contains another.
    @exclusivity(unchecked)
    var rows: ContiguousArray<Int64>
    /// Targets of to-one relationships. The context holds them weakly, so that somebody has to.
    var kept: ContiguousArray<AnyObject> = []
    /// To-one relationships that were loaded for all.
    private var loaded: [Int] = []

    init(_ rows: ContiguousArray<Int64> = []) { self.rows = rows }

    /// Notes that a to-one relationship is loaded for all now. False when it was before.
    func load(_ relationship: Int) -> Bool {
        if loaded.contains(relationship) { return false }
        loaded.append(relationship)
        return true
    }

    func forget(_ relationship: Int) {
        if loaded.contains(relationship) { loaded = loaded.filter { $0 != relationship } }
    }

    /// Moves what it holds to the garbage.
    func forget(_ garbage: inout [AnyObject]) {
        for object in kept { garbage.append(object) }
        kept = []
        loaded = []
    }
}

extension Array where Element: AnyObject {
    /// An array of objects that are all known to be of that class.
    ///
    /// Proof: the elements of a class-bound type are single references, laid out as `AnyObject`'s are; each is
    /// initialised once, with a reference of its own. A relationship's objects come from the session of `Element`'s
    /// entity, which holds no others.
    init(_ objects: ContiguousArray<AnyObject>, of type: Element.Type) {
        guard !objects.isEmpty else {
            self = []
            return
        }
        self.init(unsafeUninitializedCapacity: objects.count) { buffer, count in
            guard let start = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
            objects.withUnsafeBufferPointer { source in
                guard let first = source.baseAddress else { return }
                start.initializeMemory(as: AnyObject.self, from: first, count: source.count)
            }
            count = objects.count
        }
    }
}
