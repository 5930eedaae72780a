/// What the removal of an object does to the objects that a relationship leads to. Given to `@Relationship`.
///
/// The rule stands on the side of the object that is removed: `@Relationship(.cascade) var wheels` on a car says what
/// happens to its wheels when the car goes.
public enum DeleteRule: String, Sendable, Codable, Hashable {
    /// They stay and lose the relationship.
    case nullify
    /// They are removed too, and their own rules hold.
    case cascade
    /// The object cannot be removed while there are any: the save throws ``KernelError/deleteDenied(_:heldBy:relationship:)``.
    case deny
    /// Nothing. The program sees to it; a save that would leave a key to a row that is gone throws.
    case noAction
}
