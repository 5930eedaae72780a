import DataKernel

/// An entity that conforms by hand, as the article "Declaring entities" shows it, and the model for what
/// `@Entity` writes.
final class HandWrittenCar: Entity {
    private struct KernelValues: DataKernel.EntityValues {
        var model = ""
        var mark: String?
        var year = 0

        static func kernelRead(_ row: DataKernel.Row) throws -> Self {
            try Self(model: row.value(0), mark: row.value(1), year: row.value(2))
        }
        func kernelBind(_ attribute: Int, to binder: DataKernel.Binder) throws {
            switch attribute {
            case 0: try binder.bind(model)
            case 1: try binder.bind(mark)
            case 2: try binder.bind(year)
            default: break
            }
        }
        static func kernelCompare(_ old: Self, _ new: Self, into changes: inout DataKernel.AttributeSet) {
            changes.compare(0, old.model, new.model)
            changes.compare(1, old.mark, new.mark)
            changes.compare(2, old.year, new.year)
        }
        mutating func kernelMerge(_ fresh: Self, keeping kept: DataKernel.AttributeSet) {
            if !kept.contains(0) { model = fresh.model }
            if !kept.contains(1) { mark = fresh.mark }
            if !kept.contains(2) { year = fresh.year }
        }
    }

    private var kernelValues: KernelValues? = nil
    let kernelState = DataKernel.KernelState()

    static let entity = DataKernel.EntityDescription(HandWrittenCar.self, name: "HandWrittenCar") { entity in
        entity.attribute("model", \HandWrittenCar.model, .primaryKey)
        entity.attribute("mark", \HandWrittenCar.mark, .indexed)
        entity.attribute("year", \HandWrittenCar.year)
    }
    static var pk: String? { "model" }

    init() {}
    init(row: borrowing DataKernel.Row) throws {
        try KernelValues.kernelFill(&kernelValues, from: row)
        kernelState.take(row)
    }

    func kernelLoad(_ row: DataKernel.Row) throws {
        try KernelValues.kernelLoad(row, into: &kernelValues, kernelState.history)
    }
    func kernelBind(_ attribute: Int, to binder: DataKernel.Binder) throws {
        if kernelValues == nil { kernelValues = KernelValues() }
        try kernelValues!.kernelBind(attribute, to: binder)
    }
    func kernelTakeKey(_ row: DataKernel.Row) throws { model = try row.value(0) }
    func kernelChanges() -> DataKernel.AttributeSet {
        KernelValues.kernelChanges(kernelValues, kernelState.history)
    }
    func kernelRevert() { KernelValues.kernelRevert(&kernelValues, kernelState.history) }
    private func kernelTrack() {
        kernelNoteChange(KernelValues.kernelHistory(kernelValues, kernelState.history))
    }

    var model: String {
        get {
            if kernelValues == nil { kernelValues = KernelValues() }
            return kernelValues!.model
        }
        set {
            if kernelValues == nil { kernelValues = KernelValues() }
            if kernelState.isClean { kernelTrack() }
            kernelValues!.model = newValue
        }
    }
    var mark: String? {
        get {
            if kernelValues == nil { kernelValues = KernelValues() }
            return kernelValues!.mark
        }
        set {
            if kernelValues == nil { kernelValues = KernelValues() }
            if kernelState.isClean { kernelTrack() }
            kernelValues!.mark = newValue
        }
    }
    var year: Int {
        get {
            if kernelValues == nil { kernelValues = KernelValues() }
            return kernelValues!.year
        }
        set {
            if kernelValues == nil { kernelValues = KernelValues() }
            if kernelState.isClean { kernelTrack() }
            kernelValues!.year = newValue
        }
    }
}
