/// Asks whether objects are among others: by going through them while the question is put a few times, by a table of
/// them from then on.
final class ObjectSet {
    private let objects: ContiguousArray<AnyObject>
    private let gap: Range<Int>
    private var asked = 0
    private var table: Set<ObjectIdentifier> = []

    /// The objects but for those in the gap.
    init(_ objects: ContiguousArray<AnyObject>, without gap: Range<Int> = 0..<0) {
        self.objects = objects
        self.gap = gap
    }

    func contains(_ object: AnyObject) -> Bool {
        asked += 1
        if asked <= 8 { return isAmong(object, 0..<gap.lowerBound) || isAmong(object, gap.upperBound..<objects.count) }
        if asked == 9 {
            for index in objects.indices where !gap.contains(index) { table.insert(ObjectIdentifier(objects[index])) }
        }
        return table.contains(ObjectIdentifier(object))
    }

    private func isAmong(_ object: AnyObject, _ range: Range<Int>) -> Bool {
        for index in range where objects[index] === object { return true }
        return false
    }
}
