public import KernelSQL

/// Makes a class an entity: its stored properties become attributes, it conforms to ``Entity``, and the store
/// gets a table of the class's name with a column for each attribute.
///
/// ```swift
/// @Entity(unique: [["mark", "number"]], indexes: [["mark", "price"]])
/// final class Car {
///     @Attribute(.primaryKey) var model = ""
///     var mark: String?
///     var number = 0
///     var price: Decimal = 0
///     @Transient var badge: String?
/// }
/// ```
/// ```sql
/// CREATE TABLE "Car" ("_id" INTEGER PRIMARY KEY, "model" TEXT NOT NULL, "mark" TEXT, "number" INTEGER NOT NULL, "price" TEXT NOT NULL)
/// ```
///
/// - Parameters:
///   - name: The entity's and its table's name, if it is not the class's.
///   - unique: Groups of attributes whose values together no two rows share.
///   - indexes: Groups of attributes that get an index together, in this order.
///   - observable: Whether objects work with `withObservationTracking` and SwiftUI. Costs about 60 ns an access.
@attached(
    member, names: named(KernelValues), named(kernelValues), named(kernelState), named(entity), named(pk), named(init),
    named(kernelLoad), named(kernelTakeKey), named(kernelBind), named(kernelChanges), named(kernelRevert),
    named(kernelTrack), named(KernelRelationships), named(kernelLink), named(kernelSetLink),
    named(kernelWillChange), named(kernelDidChange), named(kernelObservation))
@attached(memberAttribute)
@attached(extension, conformances: Entity, ObservableEntity)
public macro Entity(
    _ name: String? = nil, unique: [[String]] = [], indexes: [[String]] = [], observable: Bool = false
) = #externalMacro(module: "DataKernelMacros", type: "Entity")

/// Says what is special about an attribute: `@Attribute(.primaryKey)`, `.unique`, `.indexed`, which values it may have
/// (`.range(…)`, `.maxLength(…)`, `.pattern(…)`), or under which name earlier versions of the model knew it.
@attached(peer)
public macro Attribute(_ options: AttributeOption..., originalName: String? = nil) =
    #externalMacro(module: "DataKernelMacros", type: "Attribute")

/// Makes a property of an entity lead to another entity's object, or to many of them.
///
/// ```swift
/// @Entity final class Car {
///     @Relationship(inverse: "cars") var owner: Person?                              // to one, or to none
///     @Relationship(.deny) var maker: Maker                                          // to one, always
///     @Relationship(.cascade, inverse: "car", ordered: true) var wheels: [Wheel]     // to many
/// }
/// ```
/// ```sql
/// "owner" INTEGER REFERENCES "Person"("_id") DEFERRABLE INITIALLY DEFERRED
/// ```
///
/// Relationships load when they are first touched, for all objects of the same fetch by one statement. A new object's
/// are nil or empty; a required one has to be set before it is read or saved. This form has no inverse: nothing at the
/// other end leads back, or the other end names this one.
///
/// - Parameters:
///   - rule: What removing an object does to the objects at the other end.
///   - ordered: Whether a to-many relationship keeps its order.
///   - originalName: The relationship's name in earlier versions of the model.
@attached(peer)
public macro Relationship(_ rule: DeleteRule = .nullify, ordered: Bool = false, originalName: String? = nil) =
    #externalMacro(module: "DataKernelMacros", type: "Relationship")

/// A relationship whose other end leads back: setting one sets the other.
///
/// ```swift
/// @Relationship(inverse: "cars") var owner: Person?      // in Car
/// @Relationship(inverse: "owner") var cars: [Car]        // in Person
/// ```
///
/// The compiler checks the name: `@Entity` writes it as the key path `\Person.cars`. Of one-to-one relationships the
/// required side has the key, else the first by name. A relationship that names itself is symmetric.
///
/// - Parameters:
///   - rule: What removing an object does to the objects at the other end.
///   - inverse: The name of the property at the other end, as a literal.
///   - ordered: Whether a to-many relationship keeps its order.
///   - originalName: The relationship's name in earlier versions of the model.
@attached(peer)
public macro Relationship(
    _ rule: DeleteRule = .nullify, inverse: String, ordered: Bool = false, originalName: String? = nil
) = #externalMacro(module: "DataKernelMacros", type: "Relationship")

/// A relationship whose other end leads back, named by a key path.
///
/// ```swift
/// @Relationship(.cascade, inverse: \Wheel.car) var wheels: [Wheel]     // in Car
/// @Relationship var car: Car?                                          // in Wheel
/// ```
///
/// Only one of the two ends can name the other like this: the compiler takes a key path at both for a circular
/// reference. Where both are to be said, write names: `inverse: "car"`.
///
/// - Parameters:
///   - rule: What removing an object does to the objects at the other end.
///   - inverse: The property at the other end, as a literal key path that begins with its class.
///   - ordered: Whether a to-many relationship keeps its order.
///   - originalName: The relationship's name in earlier versions of the model.
@attached(peer)
public macro Relationship<T, V>(
    _ rule: DeleteRule = .nullify, inverse: KeyPath<T, V>, ordered: Bool = false, originalName: String? = nil
) = #externalMacro(module: "DataKernelMacros", type: "Relationship")

/// Keeps a property out of the store. It behaves as without `@Entity`.
@attached(peer)
public macro Transient() = #externalMacro(module: "DataKernelMacros", type: "Transient")

/// What `@Entity` puts on each stored property. Not for use by hand.
@attached(accessor, names: named(get), named(set))
public macro _KernelAttribute() = #externalMacro(module: "DataKernelMacros", type: "KernelAttribute")

/// What `@Entity(observable: true)` puts on each stored property. Not for use by hand.
@attached(accessor, names: named(get), named(set))
public macro _KernelObservedAttribute() = #externalMacro(module: "DataKernelMacros", type: "KernelObservedAttribute")

/// What `@Entity` puts on each relationship. Not for use by hand.
@attached(accessor, names: named(get), named(set))
public macro _KernelRelationship() = #externalMacro(module: "DataKernelMacros", type: "KernelRelationship")

/// What `@Entity(observable: true)` puts on each relationship. Not for use by hand.
@attached(accessor, names: named(get), named(set))
public macro _KernelObservedRelationship() =
    #externalMacro(module: "DataKernelMacros", type: "KernelObservedRelationship")
