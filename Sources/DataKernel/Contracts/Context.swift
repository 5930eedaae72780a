public import KernelSQL

/// A unit of work: reads objects, creates, changes and removes them, and saves all of it or nothing.
///
/// Every fetch, count and acquire sees everything that the unit has done, saved or not.
public protocol Context: ReadContext {
    /// What ``create(_:)`` calls.
    func make<E: Entity>(_ type: E.Type) throws -> E

    /// Takes an object that the program made itself into the context. Its id is permanent from here on. An object
    /// that is here already stays as it is.
    ///
    /// What it was related to while no context knew it is taken in with it.
    ///
    /// Throws ``KernelError/foreignObject(entity:)`` for an object of another context,
    /// ``KernelError/removedObject(entity:)`` for a removed one and
    /// ``KernelError/otherContext(entity:its:this:)`` if it is related to an object of another context.
    func insert(_ object: some Entity) throws

    /// Finds the object by its primary key, or creates it with that key. Changes nothing else.
    ///
    /// Throws ``KernelError/noPrimaryKey(entity:)`` and
    /// ``KernelError/wrongKeyType(entity:attribute:expected:found:)``.
    func acquire<E: Entity>(_ key: some AttributeValue) throws -> E

    /// Finds or creates many objects, in the order of the keys; equal keys give the same object. One query for all.
    func acquire<E: Entity, K: AttributeValue>(all keys: some Sequence<K>) throws -> [E]

    /// Removes an object. Its row goes with the next save, and what the delete rules of its relationships say is done
    /// for the objects at the other ends, loaded or not. Marked as deleted at once; objects that go along are with the
    /// next query or save.
    ///
    /// ```swift
    /// try context.remove(car)         // @Relationship(.cascade, inverse: "car") var wheels: [Wheel]
    /// ```
    /// ```sql
    /// SELECT "_id" FROM "Wheel" WHERE "car" IN (…)
    /// DELETE FROM "Wheel" WHERE "_id" IN (…)
    /// DELETE FROM "Car" WHERE "_id" = ?
    /// ```
    ///
    /// Throws ``KernelError/foreignObject(entity:)``. What forbids the removal is asked, and thrown, by the save:
    /// ``KernelError/deleteDenied(_:heldBy:relationship:)``.
    func remove(_ object: some Entity) throws

    /// Removes objects, as if one by one; the statements are for all of them together.
    func remove(_ objects: some Sequence<some Entity>) throws

    /// Removes what the request finds, and returns how many rows that were, without those that go along by delete
    /// rules. Objects of all these rows are marked deleted, in every context once it is saved. Loads no object: it
    /// takes one statement, one more for each relationship, and one for each entity that something is removed of.
    @discardableResult
    func remove<E: Entity>(_ request: Request<E>) throws -> Int

    /// Removes all objects of an entity and returns how many rows that were. Undone by ``rollback()`` like any other
    /// change. Of an entity that has relationships, or that some lead to, it is a ``remove(_:)-(Request<E>)`` of all,
    /// by its delete rules.
    ///
    /// ```sql
    /// DELETE FROM "Car"
    /// ```
    @discardableResult
    func wipe<E: Entity>(_ type: E.Type) throws -> Int

    /// Undoes everything since the last save: objects get their saved values back, removed ones are back, created
    /// ones belong to no context.
    func rollback() throws

    /// Whether there is anything to save. Comparing: an attribute that was set to an equal value is no change.
    var hasChanges: Bool { get }
    /// Objects created since the last save.
    var insertedObjects: [any Entity] { get }
    /// Objects with changed attributes, or other objects at the end of a to-one relationship that they have the key of.
    var updatedObjects: [any Entity] { get }
    /// Objects removed since the last save.
    var removedObjects: [any Entity] { get }

    /// Runs a nested unit of work in a context of its own, which sees what this one has done. Its `save` saves it and
    /// every unit around it, up to the store. What it does not save leaves no trace. Until it ends, this context
    /// answers no requests (``KernelError/contextSuspended``).
    ///
    /// ```sql
    /// SAVEPOINT unit1; …; RELEASE unit1        -- or ROLLBACK TO unit1
    /// ```
    @discardableResult
    func perform<R>(_ unit: (any Context, Save) throws -> sending R) throws -> sending R
}

extension Context {
    /// Creates an object.
    ///
    /// ```swift
    /// let car = try context.create(Car.self)
    /// let other: Car = try context.create()
    /// ```
    public func create<E: Entity>(_ type: E.Type = E.self) throws -> E { try make(type) }

    /// Finds the object by its primary key, or creates it with that key, the type being said.
    ///
    /// ```swift
    /// let car = try context.acquire(Car.self, "CRZ")
    /// ```
    public func acquire<E: Entity>(_ type: E.Type, _ key: some AttributeValue) throws -> E { try acquire(key) }

    /// Finds or creates many objects, the type being said.
    public func acquire<E: Entity, K: AttributeValue>(_ type: E.Type, all keys: some Sequence<K>) throws -> [E] {
        try acquire(all: keys)
    }
}
