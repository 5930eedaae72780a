/// What removing an object does to the objects at the other end of one of its relationships.
///
/// ```swift
/// @Relationship(.cascade, inverse: "car") var wheels: [Wheel]     // a removed car takes its wheels along
/// @Relationship(.nullify, inverse: "cars") var owner: Person?     // and leaves its owner alone
/// ```
///
/// Rules hold for `remove(object)`, `remove(request)` and `wipe` alike, and for objects that are not loaded. They may
/// stand on either side of a relationship.
public enum DeleteRule: String, Sendable, Codable, Hashable {
    /// The others stay, and no longer have the removed object at their end. If they cannot be without it, this denies.
    ///
    /// ```sql
    /// UPDATE "Car" SET "owner" = NULL WHERE "_id" IN (…)
    /// ```
    case nullify
    /// The others are removed as well, by their own rules.
    ///
    /// ```sql
    /// DELETE FROM "Wheel" WHERE "_id" IN (…)
    /// ```
    case cascade
    /// Nothing is removed as long as there is an object at the other end: the save throws
    /// ``KernelError/deleteDenied(_:heldBy:relationship:)``. Asked of what would be saved, so the order in which two
    /// objects are removed makes no difference.
    case deny
    /// The others are not touched. Whoever removes sees to it that no key is left that leads nowhere; if one is, the
    /// save throws ``KernelError/deleteDenied(_:heldBy:relationship:)``.
    case noAction
}
