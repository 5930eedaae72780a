public import KernelSQL

/// A class whose objects the kernel stores.
///
/// `@Entity` writes the conformance; the article *Declaring entities* shows how to write it by hand.
public protocol Entity: DescribedEntity, ToOneValue {
    associatedtype Comparand = ObjectID
    associatedtype KernelTarget = Self
    associatedtype KernelHop = Self

    /// The name of the primary-key attribute, which `acquire` looks objects up by.
    static var pk: String? { get }

    /// An object with its initial values, as `create` makes it.
    init()
    /// An object with a row's values, as `fetch` makes it. No initial value is evaluated.
    init(row: borrowing Row) throws

    // The life of an object. All of it may be left out; the article *Life cycle and validation* shows it in use.

    /// Called when the object has become one of a context, by `create`, `acquire` (which has set the key by then) or
    /// `insert`, or by being related to an object of one.
    func awakeFromInsert()
    /// Called when the object was made from a row, after the statement that found it, so that relationships can be
    /// read. Not when it is refreshed.
    func awakeFromFetch()
    /// Called at each save for an object that has something to be saved, once and before all validation. May change it,
    /// and others.
    func willSave()
    /// Called at each save for an object that has something to be saved, before anything is written. Throws what is
    /// wrong with it, best as ``ValidationIssue``, or several as ``ValidationIssues``; the save then throws all that
    /// was found with all objects as ``KernelError/validationFailed(_:)``.
    ///
    /// ```swift
    /// func validate() throws {
    ///     if let until, until < from { throw ValidationIssue("until", "is before from") }
    /// }
    /// ```
    func validate() throws
    /// Called when the program removes the object with `remove(object)`, before its relationships are taken apart. Not
    /// for objects that go with another one, by a request or by a wipe: they are not loaded.
    func prepareForDeletion()

    /// What the kernel knows of this object. Not for use outside the conformance.
    var kernelState: KernelState { get }
    /// Takes the values of a row; attributes with unsaved edits keep them.
    func kernelLoad(_ row: Row) throws
    /// Binds one attribute's value.
    func kernelBind(_ attribute: Int, to binder: Binder) throws
    /// Sets the primary key from a row that has the key as attribute 0. Throws ``ValueIssue`` when it cannot be one.
    func kernelTakeKey(_ row: Row) throws
    /// The attributes whose stored form differs from what the store has.
    func kernelChanges() -> AttributeSet
    /// The row that the key of a to-one relationship names, 0 for nil.
    func kernelLink(_ attribute: Int) -> Int64
    /// Sets the key of a to-one relationship. Tracked like any other change.
    func kernelSetLink(_ attribute: Int, _ row: Int64)
    /// Goes back to the values before the first unsaved edit.
    func kernelRevert()
    /// Called before attributes get new values from the store. For observable entities.
    func kernelWillChange(_ attributes: AttributeSet)
    /// Called after attributes got new values from the store. For observable entities.
    func kernelDidChange(_ attributes: AttributeSet)
    /// An array of `count` references that `fill` puts where it is told. To be left out.
    static func kernelArray(_ count: Int, _ fill: (UnsafeMutableRawPointer) -> Void) -> [Self]
}

extension Entity {
    public func awakeFromInsert() { kernelState.session?.plan.leaveOut(.awakeFromInsert) }
    public func awakeFromFetch() { kernelState.session?.plan.leaveOut(.awakeFromFetch) }
    public func willSave() { kernelState.session?.plan.leaveOut(.willSave) }
    public func validate() throws { kernelState.session?.plan.leaveOut(.validate) }
    public func prepareForDeletion() { kernelState.session?.plan.leaveOut(.prepareForDeletion) }
    /// For entities without a primary key, which are never acquired.
    public func kernelTakeKey(_ row: Row) throws { throw ValueIssue("cannot be set: there is no primary key") }
    /// For entities without to-one relationships.
    public func kernelLink(_ attribute: Int) -> Int64 { 0 }
    /// For entities without to-one relationships.
    public func kernelSetLink(_ attribute: Int, _ row: Int64) {}
    /// Made for each class in the program's own code, where the array's type is known: looking it up took 3 %
    /// of a fetch of one object.
    @inlinable
    public static func kernelArray(_ count: Int, _ fill: (UnsafeMutableRawPointer) -> Void) -> [Self] {
        if count == 0 { return [] }
        return [Self](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            fill(UnsafeMutableRawPointer(start))
            initialized = count
        }
    }
    public func kernelWillChange(_ attributes: AttributeSet) {}
    public func kernelDidChange(_ attributes: AttributeSet) {}
}
