/// The objects of a result while it is being read: owned references in one piece of memory, which move into an array as
/// they are. An array that grew as the rows come and was then copied into one of the right type would count each
/// reference up and down again, and touch every object twice more for it.
struct ResultObjects: ~Copyable {
    private var start: UnsafeMutablePointer<Unmanaged<AnyObject>>?
    private var capacity = 0
    private(set) var count = 0

    deinit {
        guard let start else { return }
        for index in 0..<count { start[index].release() }
        start.deallocate()
    }

    /// Takes the reference over, which is counted.
    mutating func append(_ object: Unmanaged<AnyObject>) {
        if count == capacity { grow() }
        start?.advanced(by: count).initialize(to: object)
        count += 1
    }

    private mutating func grow() {
        let wanted = max(8, capacity * 2)
        let larger = UnsafeMutablePointer<Unmanaged<AnyObject>>.allocate(capacity: wanted)
        if let start {
            larger.moveInitialize(from: start, count: count)
            start.deallocate()
        }
        start = larger
        capacity = wanted
    }

    /// The objects as an array of their class.
    ///
    /// Proof: each reference was counted once when it came and is owned by this list alone; they move to the array bit
    /// by bit, and the list is forgotten without its deinit. An element of a class-bound type is a single reference,
    /// laid out like `AnyObject`'s; the loader made the objects with `E.init(row:)` or took them from the session
    /// of `E`'s entity, which holds no others.
    consuming func array<E: Entity>(of type: E.Type) -> [E] {
        let (start, count) = (start, count)
        discard self
        guard let start else { return [] }
        defer { start.deallocate() }
        return E.kernelArray(count) {
            $0.copyMemory(from: start, byteCount: count * MemoryLayout<Unmanaged<AnyObject>>.stride)
        }
    }
}
