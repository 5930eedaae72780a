internal import Foundation

/// The objects of one entity in one context, by row: an open-addressing table. Used by ``Session`` only.
struct IdentityMap: ~Copyable {
    /// What a context's objects end by.
    enum Holding {
        /// An object that ends takes itself out (`KernelState.deinit`), which costs it nothing while it lives. It has to
        /// end on the context's thread.
        case unowned
        /// The table keeps its objects until ``takeAll()``.
        case strong
        /// An object may end on any thread at any time; its entry stays until there are too many of that kind. Costs
        /// two allocations for an object: the entry and what Swift keeps of a weak reference.
        case weak
    }

    private final class WeakEntry {
        weak var object: AnyObject?
        init(_ object: AnyObject) { self.object = object }
    }

    private struct Slot {
        var row: Int64
        // The object, or its weak entry. nil: the slot is free.
        var object: Unmanaged<AnyObject>?
    }

    // The arithmetic on places and counts is not checked, an eighth of an insertion: places are masked, and counts are
    // those of objects in memory.

    private var slots: UnsafeMutablePointer<Slot>
    private var capacity: Int
    /// How many bits of a row tell its place in its neighbourhood.
    private var neighbours: Int64
    /// What is left of a hash after this many bits are dropped counts the neighbourhoods.
    private var shift: UInt64
    /// How many entries there are, those of objects that ended included where it holds them weakly.
    private(set) var count = 0
    /// How many stand behind the place that they belong to. Mostly none, and then taking one out is only that.
    private var displaced = 0

    let holding: Holding

    init(_ holding: Holding = .unowned) {
        self.holding = holding
        capacity = 16
        (neighbours, shift) = IdentityMap.shape(16)
        slots = IdentityMap.allocate(16)
    }

    private static func shape(_ capacity: Int) -> (neighbours: Int64, shift: UInt64) {
        let bits = capacity.trailingZeroBitCount
        let neighbours = min(8, max(3, bits - 5))
        return (Int64(neighbours), UInt64(bitPattern: Int64(64 - (bits - neighbours))))
    }

    deinit {
        if holding != .unowned { for index in 0..<capacity { slots[index].object?.release() } }
        free(slots)
    }

    /// Takes all objects out of a table that keeps them. Those that nobody else is known to refer to end with the first part of the result; of the
    /// others, the rows come, too.
    mutating func takeAll() -> (unreferenced: [AnyObject], others: [AnyObject], rows: [Int64]) {
        var gone: [AnyObject] = []
        var kept: [AnyObject] = []
        var rows: [Int64] = []
        guard count > 0 else { return (gone, kept, rows) }
        for index in 0..<capacity {
            guard let slot = slots[index].object else { continue }
            slots[index].object = nil
            var object = slot.takeRetainedValue()
            if isKnownUniquelyReferenced(&object) {
                gone.append(object)
            } else {
                kept.append(object)
                rows.append(slots[index].row)
            }
        }
        count = 0
        displaced = 0
        // A unit that had many objects would have all later ones go through a large table.
        if capacity > 1024 { removeAll() }
        return (gone, kept, rows)
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Slot> {
        // Large pieces come from the system, which has cleared them: writing them once more would be a fiftieth of a
        // fetch.
        guard let memory = calloc(capacity, MemoryLayout<Slot>.stride) else {
            Misuse.stop("There is no memory for the table of \(capacity) objects.")
        }
        return memory.bindMemory(to: Slot.self, capacity: capacity)
    }

    /// Fibonacci hashing of neighbourhoods: consecutive rows, 256 of them in a large table, lie next to one another in
    /// their order, so that a fetch, whose rows are mostly consecutive, goes through memory that the processor fetches
    /// ahead; the multiplication spreads the neighbourhoods, and, by other bits of it, a row's place within its own, so
    /// that rows at any distance from one another spread, too.
    // `UInt64` is not converted here and has operands of its own type only: one generic operation on it would have the
    // compiler optimise all of its conformances, a hundredth of the module.
    private func home(_ row: Int64) -> Int {
        let hash = UInt64(bitPattern: (row &>> neighbours) &* Int64(bitPattern: 0x9E37_79B9_7F4A_7C15))
        let place = (UInt64(bitPattern: row) &+ (hash &>> 32)) & UInt64(bitPattern: (1 &<< neighbours) &- 1)
        return Int(Int64(bitPattern: (hash &>> shift) &<< UInt64(bitPattern: neighbours) | place))
    }

    /// The object of that row. The caller holds no reference yet; the returned one is retained.
    subscript(row: Int64) -> AnyObject? {
        var index = home(row)
        while let object = slots[index].object {
            if slots[index].row == row { return living(object) }
            index = (index &+ 1) & (capacity &- 1)
        }
        return nil
    }

    /// The object of an entry, unless it has ended.
    private func living(_ entry: Unmanaged<AnyObject>) -> AnyObject? {
        guard holding == .weak else { return entry.takeUnretainedValue() }
        return unsafeDowncast(entry.takeUnretainedValue(), to: WeakEntry.self).object
    }

    /// Adds an object, or puts it in the place of another one of the same row.
    mutating func insert(_ object: AnyObject, at row: Int64) { insert(.passUnretained(object), at: row) }

    /// The same for an object that the caller holds; it keeps its reference.
    mutating func insert(_ object: Unmanaged<AnyObject>, at row: Int64) {
        if holding == .unowned { _ = put(object, at: row) } else { keep(object, at: row) }
    }

    private mutating func keep(_ object: Unmanaged<AnyObject>, at row: Int64) {
        if holding == .strong {
            put(object.retain(), at: row)?.release()
        } else if let place = place(of: row), let entry = slots[place].object {
            unsafeDowncast(entry.takeUnretainedValue(), to: WeakEntry.self).object = object.takeUnretainedValue()
        } else {
            _ = put(.passRetained(WeakEntry(object.takeUnretainedValue())), at: row)
        }
    }

    private func place(of row: Int64) -> Int? {
        var index = home(row)
        while slots[index].object != nil {
            if slots[index].row == row { return index }
            index = (index &+ 1) & (capacity &- 1)
        }
        return nil
    }

    /// Gives the reference that had the row's place.
    private mutating func put(_ object: Unmanaged<AnyObject>, at row: Int64) -> Unmanaged<AnyObject>? {
        if count &<< 1 >= capacity { grow() }
        let wanted = home(row)
        var index = wanted
        while let old = slots[index].object {
            if slots[index].row == row {
                slots[index].object = object
                return old
            }
            index = (index &+ 1) & (capacity &- 1)
        }
        slots[index] = Slot(row: row, object: object)
        count &+= 1
        if index != wanted { displaced &+= 1 }
        return nil
    }

    /// Takes a row out.
    mutating func remove(_ row: Int64) {
        let wanted = home(row)
        var index = wanted
        while true {
            guard slots[index].object != nil else { return }
            if slots[index].row == row { break }
            index = (index &+ 1) & (capacity &- 1)
        }
        count &-= 1
        if index != wanted { displaced &-= 1 }
        let removed = slots[index].object
        defer { if holding != .unowned { removed?.release() } }
        slots[index].object = nil
        if displaced > 0 { fill(index) }
    }

    /// The slots behind a hole move up, so that no search ends too early.
    private mutating func fill(_ hole: Int) {
        var hole = hole
        var next = (hole &+ 1) & (capacity &- 1)
        while slots[next].object != nil {
            let wanted = home(slots[next].row)
            // Move when the hole lies between where the entry wants to be and where it is.
            if (next &- wanted) & (capacity &- 1) >= (next &- hole) & (capacity &- 1) {
                slots[hole] = slots[next]
                slots[next].object = nil
                if hole == wanted { displaced &-= 1 }
                hole = next
            }
            next = (next &+ 1) & (capacity &- 1)
        }
    }

    /// Forgets all objects.
    mutating func removeAll() {
        let old = slots
        let oldCapacity = capacity
        capacity = 16
        (neighbours, shift) = IdentityMap.shape(16)
        slots = IdentityMap.allocate(16)
        count = 0
        displaced = 0
        if holding != .unowned { for index in 0..<oldCapacity { old[index].object?.release() } }
        free(old)
    }

    // Not inlined: an insertion that need not grow is short.
    @inline(never)
    private mutating func grow() {
        if holding == .weak { return purge() }
        // By four, so that few entries move twice. Where consecutive rows leave pages of it free, the system gives none.
        move(to: capacity &* 4)
    }

    /// Drops the entries of objects that have ended, and leaves as much room as there are others.
    mutating func purge() {
        guard holding == .weak else { return }
        // Held until the table is whole again: with the last reference to one, a deinit of the program's may run.
        var left: [AnyObject] = []
        for index in 0..<capacity {
            guard let entry = slots[index].object else { continue }
            if let object = living(entry) {
                left.append(object)
            } else {
                slots[index].object = nil
                entry.release()
            }
        }
        count = left.count
        var room = 16
        while room < count &* 4 { room &*= 4 }
        move(to: room)
        withExtendedLifetime(left) {}
    }

    /// Takes another capacity, which is a power of two.
    private mutating func move(to newCapacity: Int) {
        let old = slots
        let oldCapacity = capacity
        capacity = newCapacity
        slots = IdentityMap.allocate(capacity)
        (neighbours, shift) = IdentityMap.shape(capacity)
        displaced = 0
        // The references move as they are: counting them here would touch every object. No row comes twice.
        for place in 0..<oldCapacity where old[place].object != nil {
            let wanted = home(old[place].row)
            var index = wanted
            while slots[index].object != nil { index = (index &+ 1) & (capacity &- 1) }
            slots[index] = old[place]
            if index != wanted { displaced &+= 1 }
        }
        free(old)
    }

    /// Calls `body` with each object, in no order. `body` must let go of no object of a table that they take themselves
    /// out of.
    func forEach(_ body: (AnyObject) -> Void) {
        if holding == .weak {
            for object in living.objects { body(object) }
            return
        }
        for index in 0..<capacity {
            if let object = slots[index].object { body(object.takeUnretainedValue()) }
        }
    }

    /// The rows of all objects, ascending.
    var rows: [Int64] {
        var result: [Int64] = []
        if holding == .weak {
            result = living.rows
        } else {
            result.reserveCapacity(count)
            for index in 0..<capacity where slots[index].object != nil { result.append(slots[index].row) }
        }
        result.sort()
        return result
    }

    /// The objects of a table that holds them weakly which have not ended, and their rows. All of them are held until all
    /// are found: see ``purge()``.
    private var living: (objects: [AnyObject], rows: [Int64]) {
        var objects: [AnyObject] = []
        var rows: [Int64] = []
        for index in 0..<capacity {
            guard let entry = slots[index].object, let object = living(entry) else { continue }
            objects.append(object)
            rows.append(slots[index].row)
        }
        return (objects, rows)
    }
}
